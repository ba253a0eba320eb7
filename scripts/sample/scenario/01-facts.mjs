import { readFiles } from "../engine/choose-files.mjs";
import { openPages } from "../engine/pages.mjs";
import { minutes, seconds } from "../engine/recorder.mjs";
import { bash, edit, glob, grep, read, todos, write } from "../tools/calls.mjs";
import { types } from "./commands.mjs";

const module = "src/log/facts/log-facts.ts";
const tests = "src/log/facts/log-facts.test.ts";
const vitest = "npx vitest run src/log/facts";

/** Counting what a log holds: three real bugs of a first version, a follow-up, a corrected default. */
export function play(session, workspace) {
  const page = openPages("01-facts");
  startOut(session, page, workspace);
  firstRun(session, page);
  aborted(session, page);
  limit(session, page);
  page.close();
}

function startOut(session, page, workspace) {
  session.user(
    `I want to know what is in a session log without opening it in an editor: how many entries of which kind, how many prompts and responses, token usage, and per tool the number of calls, failures, bytes in and bytes out, plus the largest results. Put it into a new folder src/log/facts as a collector that is fed entry by entry, so that it works on logs that do not fit into memory.

Two rules for everything we do today: never touch anything under src/spec, and always run the tests of what you changed before you say it is done. Other people have unfinished work in this tree, so leave their files alone, failing or not.`,
    { after: seconds(0) },
  );
  session.act(
    "I'll look at how entries and messages are typed, and at what already walks a log, before I add anything.",
    read("src/spec/entry.ts"),
    read("src/spec/message.ts"),
    glob("src/log/**/*.ts"),
  );
  session.act(null, read("src/log/codec.ts"), read("src/log/line-judge.ts"));
  session.act(
    "`createLineJudge` already hands every entry in force to a visitor, so a collector with a `visit(entry)` fits straight in. Next: whether something like it exists, and how tests here build entries.",
    grep("responseId", "src", { lines: true }),
    read("test/support/entries.ts"),
    read("src/log/line-judge.test.ts"),
  );
  session.act(null, read("src/log/large-values.ts"), read("src/spec/view.ts"));
  session.act(
    "The importer counts usage too and must have met the same trap: one response over several entries. I'll see how it deals with that.",
    grep("usage", "src/log/import", { lines: true, files: "src/log/import/*.ts" }),
    read("src/log/import/tally.ts"),
  );
  session.act(
    null,
    ...readFiles(workspace, "src/log/import", [
      "src/log/import/read-usage.ts",
      "src/log/import/response-fields.ts",
      "src/log/import/entry-sink.ts",
    ]),
  );
  session.act(
    "And one test file from next door, for the tone of tests in this folder.",
    ...readFiles(workspace, "src/log", ["src/log/codec.test.ts"]),
  );
  session.act(
    null,
    todos(
      "> Builders for test entries in test/support",
      "  Collector in src/log/facts/log-facts.ts",
      "  Tests: prompts, usage per response, bytes, failures, largest results",
      "  Run the tests, check types and format",
    ),
  );
  session.act(null, write("test/support/facts-log.ts", page.text("builders")));
  session.act("Now the collector itself.", write(module, page.text("log-facts")));
  session.act(
    "And its tests. I count a response's usage once by its id, and write the expectation down in bytes with a non-ASCII word so that a character count cannot pass.",
    write(tests, page.text("log-facts-test")),
  );
}

function firstRun(session, page) {
  session.act(
    null,
    todos(
      "x Builders for test entries in test/support",
      "x Collector in src/log/facts/log-facts.ts",
      "x Tests: prompts, usage per response, bytes, failures, largest results",
      "> Run the tests, check types and format",
    ),
    bash(vitest, "Run the new tests", { expect: "error", shows: /3 failed \| 4 passed/ }),
  );
  session.act(
    "Three failures, and all three are mine, not the tests':\n\n1. `sizeOf` counts UTF-16 units, so `größe` comes out as 5.\n2. `largest` drops the oldest result instead of the smallest.\n3. Usage is added per entry; r1 has two entries and was counted twice, the very trap I had just read about.\n\nBytes first, since it is one function.",
    edit(module, page.edit("bytes-not-characters")),
  );
  session.act(null, edit(module, page.edit("largest-sorted")));
  session.each(
    "For usage I keep the newest value per response and add up at the end, as the importer does: the last entry of a response carries the complete count.",
    edit(module, page.edit("usage-by-response-state")),
    edit(module, page.edit("usage-by-response-visit")),
    edit(module, page.edit("usage-by-response-facts")),
    edit(module, page.edit("usage-by-response-let")),
  );
  session.act(null, bash(vitest, "Run the tests again", { shows: /7 passed/ }));
  session.act(
    "Green. Types and format for the files I added; the rest of the tree is not mine to judge.",
    types(),
    bash("npx biome check src/log/facts test/support/facts-log.ts", "Lint and format check", {
      expect: "error",
    }),
  );
  session.act(
    "Only formatting, in two places of the test. The formatter can settle it.",
    bash("npx biome check --write src/log/facts test/support/facts-log.ts", "Apply the formatter"),
  );
  session.act(
    null,
    bash(vitest, "Tests once more after formatting", { shows: /7 passed/ }),
    bash("git status --short", "What changed"),
  );
  session.answer(
    "`createLogFacts()` is in `src/log/facts/log-facts.ts`. Feed it entries with `visit(entry)`, read the result with `facts()`. It keeps one small record per tool call and the five largest results, nothing else, so a log of any size is fine.\n\nThe first version had three bugs that the tests caught: characters instead of bytes, the wrong result dropped from the top five, and usage counted once per entry instead of once per response. All seven tests pass, types and lint are clean for the new files; I touched nothing outside `src/log/facts` and `test/support/facts-log.ts`.",
  );
}

function aborted(session, page) {
  session.user(
    "What happens with a response I cut off with Ctrl+C? It is in the log with isAborted, and its usage is whatever had arrived. I don't want that in the sum, but I want to see how many there were.",
    { after: minutes(3) },
  );
  session.act(
    "At the moment it is counted like any other. I'll write the test first and watch it fail.",
    edit(tests, page.edit("aborted-test"), { expect: "error" }),
  );
  session.act("The formatter rewrote that file behind my back, so I read it as it is now.", read(tests));
  session.act(null, edit(tests, page.edit("aborted-test")));
  session.act(null, bash(vitest, "See the new test fail", { expect: "error", shows: /1 failed/ }));
  session.act("Fails for the right reason: 11 output tokens instead of 8, and no `aborted`.", read(module));
  session.each(
    null,
    edit(module, page.edit("aborted-interface")),
    edit(module, page.edit("aborted-let")),
    edit(module, page.edit("aborted-visit")),
    edit(module, page.edit("aborted-facts")),
  );
  session.act(
    "The empty log's expectation compares the whole object, so it needs the new field as well.",
    edit(tests, page.edit("aborted-empty")),
    bash(vitest, "Run the tests", { shows: /8 passed/ }),
  );
  session.answer(
    "Cut-off responses are now counted in `aborted` and still in `responses`, and their usage stays out of the sum. Eight tests pass.",
  );
}

function limit(session, page) {
  session.user(
    "Five is too few for the sessions I look at. Make it an option with a default of 10. And commit it then, message in the imperative, no prefix. Never push, and only commit when I ask for it.",
    { after: minutes(2) },
  );
  session.each(
    null,
    edit(module, page.edit("limit-constant")),
    edit(module, page.edit("limit-option")),
    edit(tests, page.edit("limit-test-import")),
    edit(tests, page.edit("limit-test-helper")),
    edit(tests, page.edit("limit-test")),
    edit(tests, page.edit("limit-test-expectation")),
  );
  session.act(
    null,
    bash(`${vitest} && npx biome check src/log/facts test/support/facts-log.ts`, "Tests, lint and format", {
      shows: /8 passed/,
    }),
  );
  session.act(
    null,
    bash(
      'git add src/log/facts test/support/facts-log.ts && git commit -m "Count what a session log holds" && git status --short',
      "Commit the new files only",
      { shows: /Count what a session log holds/ },
    ),
  );
  session.answer(
    "`createLogFacts({ largestKept })`, default 10, exported as `defaultLargestKept`. Tests pass and it is committed as “Count what a session log holds”, with the three new files and nothing else. Not pushed.",
  );
}
