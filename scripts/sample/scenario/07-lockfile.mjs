import { minutes } from "../engine/recorder.mjs";
import { bash, grep, read } from "../tools/calls.mjs";

const check = `node -e '
const { packages } = require("./package-lock.json");
const fits = (range) => range.split("||").some((part) => {
  const found = /(\\^|>=|>|~)?\\s*v?(\\d+)(?:\\.(\\d+))?/.exec(part.trim());
  if (!found) return true;
  const [, sign, major, minor = 0] = found;
  const sameMajor = Number(major) === 20 && Number(minor) <= 19;
  return sign === "^" || sign === "~" || !sign ? sameMajor : Number(major) < 20 || sameMajor;
});
const asking = Object.entries(packages).filter(([name, { engines }]) => name && engines && engines.node);
const refusing = asking.filter(([, { engines }]) => !fits(engines.node));
console.log(asking.length + " packages name a Node version, " + refusing.length + " of them refuse 20.19");
for (const [name, { version, engines, optional, dev }] of refusing) console.log(name.replace(/^.*node_modules\\//, "") + " " + version + ": " + engines.node + (optional ? ", optional" : "") + (dev ? ", dev" : ""));
'`;

/** A question about a file that is too large to read in one go. */
export function play(session) {
  session.user(
    "Someone on Node 20.19 says npm prints an engine warning for this repository. Which packages in the lockfile ask for more than 20.19? And make sure that the lockfile names no registry: it must work behind a mirror. Don't change it.",
    { after: minutes(7) },
  );
  session.act(
    "I'll start with the lockfile itself; it is long, so I read it in pages.",
    read("package-lock.json"),
  );
  const [page] = session.act(null, read("package-lock.json", { offset: 2001, expect: "any" }));
  session.act(
    page.isError
      ? "It ends before line 2001, so that was all of it. Now the two things I look for, by pattern."
      : "Reading on by eye leads nowhere; the two things I look for can be asked for by pattern.",
    grep('"node": "', "package-lock.json", { lines: true }),
    grep('"resolved"', "package-lock.json", { lines: true, first: 20 }),
  );
  const [answer] = session.act(
    "There is no `resolved` field, or the second search would list it. A list of ranges is not an answer yet; I let Node compare them.",
    bash(check, "Which packages refuse Node 20.19", { shows: /refuse 20\.19/ }),
  );
  session.act(
    "And what this machine runs, in case the warning is about npm itself.",
    bash("node --version && npm --version", "Versions here"),
  );
  const [summary, ...refusing] = answer.text.split("\n");
  session.answer(
    refusing.length === 0
      ? `${summary}: so the warning does not come from this lockfile. Most likely it is an npm that is newer than the Node below it. No entry has a \`resolved\` field, so no registry is named and a mirror works. I changed nothing.`
      : `${summary}:\n\n${refusing.map((line) => `- ${line}`).join("\n")}\n\nThese are what the warning is about. No entry has a \`resolved\` field, so no registry is named and a mirror works. I changed nothing.`,
  );
}
