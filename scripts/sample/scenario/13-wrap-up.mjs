import { readFiles } from "../engine/choose-files.mjs";
import { openPages } from "../engine/pages.mjs";
import { minutes } from "../engine/recorder.mjs";
import { bash, edit, grep, read, write } from "../tools/calls.mjs";
import { folder, showDemo, types } from "./commands.mjs";

const timeline = `${folder}/timeline`;
const render = `${timeline}/render-timeline.ts`;
const renderTests = `${timeline}/render-timeline.test.ts`;
const cost = `${timeline}/token-cost.ts`;
const script = "scripts/log-facts.mjs";
const guide = "docs/guides/log-facts.md";
const vitest = `npx vitest run ${timeline}`;

/** The end of the long task: prices, the guide, and the rules once more. */
export function play(session, workspace) {
  const page = openPages("13-wrap-up");
  prices(session, page, workspace);
  wrapUp(session, page);
  page.close();
}

function prices(session, page, workspace) {
  session.user(
    "Very good. I want to see what the pauses cost me: 5 dollars for a million input tokens, 6.25 for a cache write, 0.50 for a cache read, 25 for output. Prices change, so they must come in from outside; a loss is what writing cost more than reading would have.",
    { after: minutes(10) },
  );
  session.act(
    "The catalog holds price rows, dated ones. You want them from outside, so I don't build on it; I only look at how a price is written there.",
    ...readFiles(workspace, "src/catalog", [
      "src/catalog/prices-at.ts",
      "src/catalog/price-rows.ts",
      "src/catalog/catalog-row.ts",
      "src/catalog/prices-at.test.ts",
    ]),
  );
  session.each(
    "A file for the arithmetic, prices handed in, and a test that adds ten thousand requests up in two ways.",
    write(cost, page.text("cost")),
    write(`${timeline}/token-cost.test.ts`, page.text("cost-test")),
    bash(`${vitest}/token-cost.test.ts`, "Run them", { expect: "error", shows: /2 failed \| 1 passed/ }),
  );
  session.act(
    "The loss forgot the second half of your sentence: less what reading would have cost. And adding dollars ten thousand times drifts by a fraction of a cent, which is how two reports of one session end up disagreeing. Tokens are whole numbers: add those, then price once.",
    edit(cost, page.edit("cost-loss")),
    edit(cost, page.edit("cost-exact")),
  );
  session.act(null, bash(`${vitest}/token-cost.test.ts`, "Run them", { shows: /3 passed/ }));
  session.act(
    "Into the timeline. The formatter had its way with both files since I wrote them.",
    read(render),
    read(renderTests),
  );
  session.act(
    null,
    edit(renderTests, page.edit("timeline-cost-test")),
    bash(`${vitest}/render-timeline.test.ts`, "See it fail", { expect: "error", shows: /1 failed/ }),
  );
  session.each(
    null,
    edit(render, page.edit("timeline-cost-import")),
    edit(render, page.edit("timeline-cost-options")),
    edit(render, page.edit("timeline-cost-parameters")),
    edit(render, page.edit("timeline-cost-line")),
    edit(render, page.edit("timeline-cost-use")),
    bash(`${vitest}/render-timeline.test.ts`, "Run them", { shows: /7 passed/ }),
  );
  session.act(null, read(script));
  session.each(
    null,
    edit(script, page.edit("script-prices")),
    edit(script, page.edit("script-prices-option")),
    edit(script, page.edit("script-prices-use")),
    edit(script, page.edit("script-prices-function")),
  );
  session.act(
    null,
    showDemo("--timeline --prices 5,6.25,0.5,25", "With your prices", { shows: /idle/ }),
    bash("node scripts/log-facts.mjs .scratch/demo.jsonl --timeline --prices 5,6.25,half,25", "Bad prices", {
      expect: "error",
      shows: /not four prices/,
    }),
  );
  session.act(
    "The pause of 48 minutes has no price because the demo log claims that its cache survived. That is the demo's fault; a real log writes everything again after such a pause. I look at how it makes its usage.",
    read("scripts/make-demo-log.mjs"),
  );
  session.act(
    null,
    edit("scripts/make-demo-log.mjs", {
      before: "  message(minute + 0.2, {",
      after: "  const isCold = turn === 0 || turn === 4;\n  message(minute + 0.2, {",
    }),
    edit("scripts/make-demo-log.mjs", {
      before: "    usage: usage(60),\n",
      after:
        "    usage: isCold ? { ...usage(60), cacheRead: 0, cacheCreation: usage(60).cacheRead + 900 } : usage(60),\n",
    }),
  );
  session.act(
    null,
    bash("node scripts/make-demo-log.mjs .scratch/demo.jsonl", "Make the demo log again"),
    showDemo("--timeline --prices 5,6.25,0.5,25", "And look", { shows: /cache lost for \$/ }),
  );
  session.act(
    null,
    types(),
    bash(
      `npx biome check --write ${folder} scripts/log-facts.mjs scripts/make-demo-log.mjs && npx vitest run ${folder}`,
      "Format and all tests",
      { shows: /100 passed/ },
    ),
  );
  session.answer(
    "Done: `--prices 5,6.25,0.5,25` puts a price on every lost cache, as the difference between writing and reading the same tokens. The prices come from the command line only; no file holds them. 100 tests pass.\n\nThe demo log pretended that its cache survived 48 minutes, so I corrected it: it now writes everything again after the pause, as a real session does.",
  );
}

function wrapUp(session, page) {
  session.user(
    "Before you commit: list the rules I gave you since yesterday, I want to see that none of them is forgotten or broken. And bring the guide up to date, its example will be wrong now.",
    { after: minutes(27) },
  );
  session.act(
    "I check them against the tree and not only against my memory.",
    bash(
      "git diff --stat $(git rev-list --max-parents=0 HEAD) HEAD -- src/spec package.json package-lock.json; git status --short; git log --oneline",
      "What was touched since the beginning",
    ),
    bash(
      `wc -l ${timeline}/*.ts | sort -n | tail -4; grep -rniE 'completion|helper|util|manager' ${folder} scripts/log-facts.mjs scripts/make-demo-log.mjs ${guide}`,
      "Sizes and words",
      {
        shows: /node:util/,
      },
    ),
    grep('from "(?!\\.|node:|vitest|fast-check)', folder, { lines: true }),
  );
  const old = exampleOf(session.act(null, read(guide))[0].text);
  const [now] = session.act(
    null,
    bash("node scripts/log-facts.mjs .scratch/demo.jsonl", "The report as it is now", { shows: /Entries/ }),
  );
  const [changed, original] = changedLines(old, now.text);
  session.act(
    null,
    edit(guide, { before: original, after: changed }),
    edit(guide, page.edit("guide-timeline")),
  );
  session.act(
    null,
    bash(
      "diff <(sed -n '/^```text$/,/^```$/p' docs/guides/log-facts.md | sed '1d;$d') <(node scripts/log-facts.mjs .scratch/demo.jsonl) && echo 'the example is the real output'",
      "The example against the script",
      { shows: /real output/ },
    ),
    bash(`npx vitest run ${folder} --reporter=verbose`, "All tests by name, before I call it done", {
      shows: /100 passed/,
    }),
  );
  const [house] = session.act(
    "And the tests of the house, which watch imports, file names and clocks.",
    bash("npx vitest run test/house/architecture.test.ts --reporter=verbose", "Architecture", {
      expect: "any",
      shows: /Test Files/,
    }),
    bash("npx vitest run src/log --reporter=verbose", "Everything that stands beside us in src/log", {
      expect: "any",
      shows: /Test Files/,
    }),
  );
  session.answer(
    `Your rules, and how each stands:

1. “Never touch anything under src/spec.” Not touched, in no commit.
2. “Always run the tests of what you changed before you say it is done.” Run just now: 100 pass in our folder.
3. “Other people have unfinished work in this tree, so leave their files alone, failing or not.” Every change is in src/log/facts, two scripts, one test support file and one guide.${house.isError ? " The architecture test fails at the moment for a file that is not ours; I left it." : ""}
4. “Never push, and only commit when I ask for it.” Nothing pushed; what is open now waits for your word.
5. Commit messages in the imperative, without a prefix. All of them are.
6. “No new dependency, now or later.” Only node: modules and our own files; package.json is as it was.
7. No line wider than 72 columns. Held by tests for the table, the report and the timeline.
8. “No abbreviations in names and no Helper, Util or Manager.” The only hit is Node's own module \`node:util\`.
9. “We say response, never completion”, and no exclamation marks in the docs. None found.
10. Every number in the guide held by a test. Four are; the example equals the script's output.
11. In src/log/facts/timeline one concept a file and none over 150 lines. The longest is well below.

The SQLite plan stays cancelled. The guide has a section on the timeline and a fresh example.`,
  );
  session.user("Complete. Commit it in two commits, timeline and guide, and we are done.", {
    after: minutes(1),
  });
  session.act(
    null,
    bash(
      `git add ${folder} scripts/log-facts.mjs && git commit -m "Show a session log as a timeline" && git add ${guide} scripts/make-demo-log.mjs && git commit -m "Describe the timeline in the guide" && git log --oneline && git status --short`,
      "Two commits",
      { shows: /Describe the timeline/ },
    ),
  );
  session.answer(
    "Committed as “Show a session log as a timeline” and “Describe the timeline in the guide”. Only `.scratch/` is left untracked, with the demo log in it. Not pushed.",
  );
}

/** The lines of the guide's example, from a numbered reading of it. */
function exampleOf(numbered) {
  const lines = numbered.split("\n").map((line) => line.replace(/^ *\d+→/, ""));
  const start = lines.indexOf("```text");
  return lines.slice(start + 1, lines.indexOf("```", start + 1)).join("\n");
}

/** The span of lines that differ, new and old. */
function changedLines(before, after) {
  const old = before.split("\n");
  const now = after.split("\n");
  let first = 0;
  while (old[first] === now[first]) first += 1;
  let last = 0;
  while (old[old.length - 1 - last] === now[now.length - 1 - last]) last += 1;
  return [now.slice(first, now.length - last).join("\n"), old.slice(first, old.length - last).join("\n")];
}
