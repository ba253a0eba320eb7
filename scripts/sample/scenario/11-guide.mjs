import { openPages } from "../engine/pages.mjs";
import { minutes } from "../engine/recorder.mjs";
import { bash, edit, glob, grep, read, write } from "../tools/calls.mjs";

const folder = "src/log/facts";
const guide = "docs/guides/log-facts.md";
const vitest = `npx vitest run ${folder}`;
const compare = bash(
  "diff <(sed -n '/^```text$/,/^```$/p' docs/guides/log-facts.md | sed '1d;$d') <(node scripts/log-facts.mjs .scratch/demo.jsonl) && echo 'the example is the real output'",
  "Is the example in the guide what the script prints?",
  { expect: "any" },
);

/** A page of documentation whose numbers are held by a test, and whose words the user corrects. */
export function play(session) {
  const page = openPages("11-guide");
  session.user(
    "Write a guide for it, docs/guides/log-facts.md, one screen long. Every number in it must be held by a test, so that the page cannot lie after the next change.",
    { after: minutes(19) },
  );
  session.act(
    "What other documentation is there, and in what tone?",
    glob("docs/**/*.md"),
    glob("*.md"),
    read("package.json"),
  );
  session.act(
    "Then the code again, since the names changed an hour ago and I don't want to write from memory.",
    read(`${folder}/idle-gaps.ts`),
    read(`${folder}/place-index.ts`),
    read(`${folder}/render-report.ts`),
  );
  session.act(
    null,
    read(`${folder}/log-facts.ts`),
    read(`${folder}/idle-summary.ts`),
    read(`${folder}/varint.ts`),
  );
  session.act(
    null,
    read(`${folder}/format-table.ts`),
    read(`${folder}/field-sizes.ts`),
    read("scripts/log-facts.mjs"),
  );
  session.each(
    null,
    write(guide, page.text("guide")),
    write(`${folder}/guide.test.ts`, page.text("guide-test")),
  );
  session.act(
    null,
    bash(`${vitest}/guide.test.ts`, "Does the guide tell the truth?", { expect: "error", shows: /2 failed/ }),
  );
  session.act(
    "It does not, and this is just what the test is for: I wrote 5 largest results and every 256th entry, which were true yesterday. The defaults are 10 and 512.",
    edit(guide, { before: "the 5 largest results", after: "the 10 largest results" }),
    edit(guide, { before: "every 256th entry", after: "every 512th entry" }),
  );
  session.act(null, bash(`${vitest}/guide.test.ts`, "Again", { shows: /4 passed/ }));
  session.act("The example is from memory as well. I compare it with what the script prints.", compare);
  const [output] = session.act(
    null,
    bash("node scripts/log-facts.mjs .scratch/demo.jsonl", "The real report", { shows: /Entries/ }),
  );
  session.act(
    null,
    edit(guide, {
      before: "Entries  30 (1 session, 28 message, 1 note)\nTurns    7 prompts, 14 responses, 1 cut off",
      after: output.text,
    }),
    { ...compare, expect: "ok", shows: /the example is the real output/ },
  );
  session.act(
    null,
    bash(`${vitest} && wc -l ${guide}`, "All tests of the folder, and how long the page is", {
      shows: /57 passed/,
    }),
  );
  session.answer(
    "`docs/guides/log-facts.md` is there, a bit more than a screen because of the example. `guide.test.ts` holds its four numbers equal to the constants in the code; it caught two that had been true until yesterday. The example is the script's real output for the demo log. 57 tests pass.",
  );
  wording(session);
  page.close();
}

function wording(session) {
  session.user(
    "It reads well, two corrections. We say response, never completion, in code, comments and docs alike. And no exclamation marks, please. Commit everything that is open afterwards.",
    { after: minutes(2) },
  );
  session.act(
    null,
    grep("[cC]ompletion|!$|![ )]", guide, { lines: true }),
    grep("completion", folder, { lines: true }),
    grep("completion", "scripts", { lines: true, files: "scripts/{log-facts,make-demo-log}.mjs" }),
  );
  session.act(null, read(guide));
  session.each(
    null,
    edit(guide, { before: "A completion", after: "A response" }, { all: true }),
    edit(guide, { before: "From the last completion to", after: "From the last response to" }),
    edit(guide, { before: "does not matter!", after: "does not matter." }),
    edit(guide, { before: "must be thrown away!", after: "must be thrown away." }),
  );
  session.act(
    "To be sure that nothing is left, and that the edits broke neither numbers nor example:",
    bash(`grep -n -i -E 'completion|!' ${guide} || echo 'neither left'`, "Look for both", {
      shows: /neither left/,
    }),
    { ...compare, expect: "ok" },
    bash(
      `npx biome check ${folder} scripts/log-facts.mjs scripts/make-demo-log.mjs && ${vitest}`,
      "Lint and tests",
      {
        expect: "any",
        shows: /Checked/,
      },
    ),
  );
  session.act(
    null,
    bash(
      `npx biome check --write ${folder} scripts/log-facts.mjs scripts/make-demo-log.mjs && ${vitest}`,
      "Settle the format, tests again",
      {
        shows: /57 passed/,
      },
    ),
  );
  session.act(
    null,
    bash(
      `git add ${folder}/idle-* ${folder}/log-facts* && git commit -m "Name pauses and results by the glossary" && git add ${folder} docs/guides/log-facts.md scripts/log-facts.mjs scripts/make-demo-log.mjs && git commit -m "Explain the facts of a log in a guide" && git status --short`,
      "Two commits",
      { shows: /Explain the facts/ },
    ),
  );
  session.answer(
    "Both corrected; `completion` occurs nowhere in our folder, the scripts or the guide, and I'll keep to “response”. Tests passed, then two commits: “Name pauses and results by the glossary” and “Explain the facts of a log in a guide”.",
  );
}
