import { readFiles } from "../engine/choose-files.mjs";
import { openPages } from "../engine/pages.mjs";
import { minutes } from "../engine/recorder.mjs";
import { bash, edit, grep, read, todos, write } from "../tools/calls.mjs";
import { types } from "./commands.mjs";

const module = "src/log/facts/idle-gaps.ts";
const tests = "src/log/facts/idle-gaps.test.ts";
const summary = "src/log/facts/idle-summary.ts";
const vitest = "npx vitest run src/log/facts";

/** Pauses: the user corrects what a pause is, then the code is corrected twice by its own tests. */
export function play(session, workspace) {
  const page = openPages("02-idle-gaps");
  naive(session, page, workspace);
  corrected(session, page);
  oddClocks(session, page);
  summarised(session, page);
  page.close();
}

function naive(session, page, workspace) {
  session.user(
    "Next: pauses. After more than five minutes the prompt cache is gone and the next request pays for everything again, so I want a list of the idle gaps in a log, with the sequence numbers around each. Same folder, same collector style.",
    { after: minutes(11) },
  );
  session.act(
    "Two things to check first: how times are written into entries, and whether anything else here already reasons about pauses.",
    grep("Date\\.parse|toISOString|idle|Ttl|TTL", "src", { lines: true, files: "src/**/*.ts" }),
    read("src/spec/clock.ts"),
    read("src/runtime.ts"),
  );
  session.act(null, read("src/testing/virtual-clock.ts"), read("src/stores/files/held-lease.ts"));
  session.act(
    "Imported logs bring times of their own. What does the importer promise about them?",
    ...readFiles(workspace, "src/log/import", [
      "src/log/import/line-times.ts",
      "src/log/import/session-entry.ts",
    ]),
  );
  session.act(
    null,
    todos(
      "> Collector for idle gaps, limit five minutes, adjustable",
      "  Tests",
      "  Run the tests, types, format",
    ),
  );
  session.each(
    "Times are ISO strings with milliseconds in UTC everywhere, so `Date.parse` is enough.",
    write(module, page.text("idle-gaps")),
    write(tests, page.text("idle-gaps-test")),
  );
  session.act(null, bash(vitest, "Run the tests of the folder", { shows: /11 passed/ }));
  session.answer(
    "`createIdleGaps()` lists every place where two neighbouring entries are more than five minutes apart, as `{ afterSeq, beforeSeq, gapMs }`; `longerThanMs` changes the limit. Eleven tests pass in the folder.",
  );
}

function corrected(session, page) {
  session.user(
    "No, that is not what I meant. A test run that takes fifteen minutes is not a pause of mine. I want the time from the model's last response to my next prompt, nothing else. Notes and decisions in between must not split it either.",
    { after: minutes(2.5) },
  );
  session.act(
    "Understood: from a response to the next prompt, and everything that is not a message is transparent. I put both cases into tests before I change the code.",
    edit(tests, page.edit("person-test")),
    bash(vitest, "See both fail", { expect: "error", shows: /2 failed/ }),
  );
  session.act(
    "Whether a message is a prompt is already decided inside `log-facts.ts`. Two copies would drift apart, so that function gets a file of its own.",
    read("src/log/facts/log-facts.ts"),
  );
  session.each(
    null,
    write("src/log/facts/is-prompt.ts", page.text("is-prompt")),
    edit("src/log/facts/log-facts.ts", page.edit("facts-own-prompt")),
    edit("src/log/facts/log-facts.ts", page.edit("facts-import-prompt")),
  );
  session.each(
    null,
    edit(module, page.edit("person-import")),
    edit(module, page.edit("person-comment")),
    edit(module, page.edit("person-visit")),
  );
  session.act(null, bash(vitest, "Run the tests", { shows: /13 passed/ }));
  session.act(
    null,
    todos(
      "x Collector for idle gaps, limit five minutes, adjustable",
      "x Tests",
      "> Run the tests, types, format",
      "  Decide what a damaged or backward time means",
    ),
    types(),
    bash("npx biome check src/log/facts", "Lint and format", { expect: "any" }),
  );
  session.answer(
    "A gap now runs from the last response to the next prompt; tool rounds and anything that is not a message are ignored. `isPrompt` moved to `src/log/facts/is-prompt.ts` and both collectors use it. 13 tests pass.\n\nOne thing is open: an entry whose time cannot be read, or a clock that was set back. Tell me if you want those handled now.",
  );
}

function oddClocks(session, page) {
  session.user("Yes, handle them. A log from a laptop that slept has both.", { after: minutes(1) });
  session.act(
    "Tests first. An unreadable time must neither make a gap nor swallow the next one.",
    edit(tests, page.edit("odd-clocks-test")),
    bash(vitest, "Run the tests", { expect: "error", shows: /1 failed/ }),
  );
  session.act(
    "The backward clock already behaves: a negative difference is never over the limit. The unreadable time does not: `NaN` is stored as the last response, and every comparison after it is false.",
    edit(module, page.edit("odd-clocks-visit")),
    bash(vitest, "Run the tests again", { shows: /15 passed/ }),
  );
  session.each(
    "It passes, but reading my own expectation again I don't like it: when the response in the middle has no time, the second gap reaches back to seq 1 and covers the first gap a second time. The pauses would add up to more than the session. A gap should begin at the last message whose time is known, prompt or response.",
    edit(tests, page.edit("once-test")),
    edit(module, page.edit("once-visit")),
  );
  session.act(null, bash(vitest, "Run the tests", { shows: /15 passed/ }));
  session.answer(
    "Both are handled: a time that cannot be read is skipped, and a clock that was set back makes no gap. While at it I corrected my own first idea, under which a missing time made two gaps overlap. 15 tests pass.",
  );
}

function summarised(session, page) {
  session.user(
    "Good. Now a summary of the list: how many, the total, the median, the longest, and how many over one hour. Keep it apart from the collector.",
    { after: minutes(14) },
  );
  session.act(
    null,
    write(summary, page.text("summary")),
    write("src/log/facts/idle-summary.test.ts", page.text("summary-test")),
    bash(vitest, "Run the tests", { expect: "error", shows: /2 failed/ }),
  );
  session.act(
    "A classic: `sort()` without a comparison sorts numbers as text, so 4,000,000 comes before 900,000 and both the median and the longest are wrong. And for an even number I took the upper of the two in the middle.",
    read(summary),
  );
  session.each(
    null,
    edit(summary, page.edit("numeric-sort")),
    edit(summary, page.edit("median-use")),
    edit(summary, page.edit("median-function")),
  );
  session.act(null, bash(vitest, "Run the tests", { shows: /18 passed/ }));
  session.act(
    null,
    bash(
      "npx biome check --write src/log/facts && git diff --stat",
      "Format, then what changed in tracked files",
    ),
    types(),
  );
  session.act(
    null,
    todos(
      "x Collector for idle gaps, limit five minutes, adjustable",
      "x Tests",
      "x Run the tests, types, format",
      "x Decide what a damaged or backward time means",
    ),
    bash(vitest, "Tests after formatting", { shows: /18 passed/ }),
  );
  session.answer(
    "`summariseIdleGaps(gaps)` is in `idle-summary.ts`: count, total, median, longest, and how many are over one hour. The first version sorted the times as text; the test with 900,000 and 4,000,000 caught it. 18 tests pass in the folder, types and format are clean. Nothing is committed yet.",
  );
}
