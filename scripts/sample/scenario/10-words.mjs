import { minutes } from "../engine/recorder.mjs";
import { bash, edit, grep, read, todos } from "../tools/calls.mjs";
import { types } from "./commands.mjs";

const folder = "src/log/facts";
const gaps = `${folder}/idle-gaps.ts`;
const summary = `${folder}/idle-summary.ts`;
const facts = `${folder}/log-facts.ts`;
const tests = `${folder}/log-facts.test.ts`;
const vitest = `npx vitest run ${folder}`;
const all = { all: true };
const names = "gapMs|longerThanMs|LongerThanMs|\\blargest\\b";

/** Renaming across files: not unique, too greedy, taken back, done with care. */
export function play(session) {
  pauses(session);
  results(session);
}

function pauses(session) {
  session.user(
    `Names. A length of time without work is idleMs everywhere in this project, so gapMs becomes idleMs and longerThanMs becomes minIdleMs, and then a pause of exactly the limit counts, as the word says. And largest says nothing: largestResults. From now on, no abbreviations in names and no Helper, Util or Manager, in anything you write here.`,
    { after: minutes(12) },
  );
  session.act(
    "Every place first, so that nothing is forgotten.",
    grep(names, folder, { lines: true }),
    grep(names, "scripts", { lines: true }),
    grep(names, "test/support", { lines: true }),
  );
  session.act(
    null,
    todos(
      "> gapMs becomes idleMs, longerThanMs becomes minIdleMs; exactly the limit counts",
      "  largest becomes largestResults",
      "  No old name left, tests, types, format",
    ),
    read(gaps),
  );
  session.act(
    null,
    edit(gaps, { before: "gapMs", after: "idleMs" }, { expect: "error", shows: /occurs \d+ times/ }),
  );
  session.act(
    "More than once, of course. All of them are meant.",
    edit(gaps, { before: "gapMs", after: "idleMs" }, all),
  );
  session.each(
    null,
    edit(gaps, { before: "defaultLongerThanMs", after: "defaultMinIdleMs" }, all),
    edit(gaps, { before: "longerThanMs", after: "minIdleMs" }, all),
    edit(gaps, { before: "> minIdleMs", after: ">= minIdleMs" }),
    edit(gaps, {
      before:
        "/** The cache's usual life: after a pause longer than this the whole prompt is written again. */",
      after: "/** The cache's usual life: after a pause of this length the whole prompt is written again. */",
    }),
  );
  session.act(null, read(summary));
  session.act(
    null,
    edit(summary, { before: "gaps.map(({ gapMs }) => gapMs)", after: "gaps.map(({ idleMs }) => idleMs)" }),
  );
  session.act(
    "The tests use the names as plain words, so a replacement over both files is safe.",
    bash(
      `sed -i 's/gapMs/idleMs/g; s/longerThanMs/minIdleMs/g' ${folder}/idle-gaps.test.ts ${folder}/idle-summary.test.ts && git diff --stat`,
      "Rename in the tests",
    ),
    bash(vitest, "Run the tests", { expect: "error", shows: /1 failed/ }),
  );
  session.act(
    "One failure, and it is the change of meaning you asked for: a pause of exactly the limit now counts, and the old expectation says it does not.",
    grep("may have another limit", `${folder}/idle-gaps.test.ts`, { around: 5 }),
  );
  session.act(
    null,
    edit(
      `${folder}/idle-gaps.test.ts`,
      {
        before: "    expect(gapsOf(log, { minIdleMs: 61_000 })).toHaveLength(0);",
        after:
          "    expect(gapsOf(log, { minIdleMs: 61_000 })).toHaveLength(1);\n    expect(gapsOf(log, { minIdleMs: 61_001 })).toHaveLength(0);",
      },
      { expect: "error" },
    ),
  );
  session.act("`sed` changed the file, so it has to be read first.", read(`${folder}/idle-gaps.test.ts`));
  session.act(
    null,
    edit(`${folder}/idle-gaps.test.ts`, {
      before: "    expect(gapsOf(log, { minIdleMs: 61_000 })).toHaveLength(0);",
      after:
        "    expect(gapsOf(log, { minIdleMs: 61_000 })).toHaveLength(1);\n    expect(gapsOf(log, { minIdleMs: 61_001 })).toHaveLength(0);",
    }),
    bash(vitest, "Run the tests", { shows: /53 passed/ }),
  );
}

function results(session) {
  session.act(
    null,
    todos(
      "x gapMs becomes idleMs, longerThanMs becomes minIdleMs; exactly the limit counts",
      "> largest becomes largestResults",
      "  No old name left, tests, types, format",
    ),
    read(facts),
  );
  session.act(
    null,
    edit(facts, { before: "largest", after: "largestResults" }, all),
    bash(`${vitest}/log-facts.test.ts`, "Run the tests", { expect: "error", shows: /3 failed/ }),
  );
  session.act(
    "Too greedy: that also made `largestResultsKept` of the option `largestKept`, and words inside comments changed. Back, and with word boundaries.",
    bash(
      `git checkout ${facts} && sed -i -E 's/\\blargest\\b/largestResults/g' ${facts} ${tests} && git diff ${facts} ${tests}`,
      "Take it back and rename whole words only",
    ),
  );
  session.act(
    "Better, and the diff shows what is left to do by hand: `sed` cannot tell a name from a word in a sentence.",
    read(facts),
    read(tests),
  );
  session.each(
    null,
    edit(facts, {
      before: "/** The largestResults results, largestResults first. */",
      after: "/** Largest first. */",
    }),
    edit(facts, {
      before: "/** How many of the largestResults results are named. */",
      after: "/** How many of the largest results are named. */",
    }),
    edit(tests, {
      before: 'it("keep as many of the largestResults results as asked for, largestResults first", () => {',
      after: 'it("keep as many of the largest results as asked for, largest first", () => {',
    }),
  );
  session.act(
    null,
    grep("largestResults results|gapMs|[lL]ongerThanMs", folder, { lines: true }),
    bash(`npx biome check --write ${folder} && ${vitest}`, "Format and tests", { shows: /53 passed/ }),
    types("Type-check"),
  );
  session.act(
    null,
    todos(
      "x gapMs becomes idleMs, longerThanMs becomes minIdleMs; exactly the limit counts",
      "x largest becomes largestResults",
      "x No old name left, tests, types, format",
    ),
  );
  session.answer(
    "Renamed everywhere in the folder and its tests: `idleMs`, `minIdleMs` (exactly the limit counts now, with a test on both sides of it) and `largestResults`. No old name is left; 53 tests pass, types and format are clean. I keep to your rule for names from here on. Not committed yet.",
  );
}
