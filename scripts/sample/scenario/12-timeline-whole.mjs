import { openPages } from "../engine/pages.mjs";
import { bash, edit, read, todos, write } from "../tools/calls.mjs";
import { folder, showDemo, types } from "./commands.mjs";

const timeline = `${folder}/timeline`;
const render = `${timeline}/render-timeline.ts`;
const renderTests = `${timeline}/render-timeline.test.ts`;
const script = "scripts/log-facts.mjs";
const vitest = `npx vitest run ${timeline}`;

/** The long task, second half: the timeline itself, on the terminal. */
export function play(session) {
  const page = openPages("12-timeline-b");
  cacheState(session, page);
  rendered(session, page);
  onTheCommandLine(session, page);
  page.close();
}

function cacheState(session, page) {
  const file = `${timeline}/cache-state.ts`;
  session.each(
    null,
    write(file, page.text("cache")),
    write(`${timeline}/cache-state.test.ts`, page.text("cache-test")),
    bash(`${vitest}/cache-state.test.ts`, "Run them", { expect: "error", shows: /1 failed \| 4 passed/ }),
  );
  session.act(
    "A response without any prompt tokens, as an offline model gives it, divides zero by zero and comes out as `cold`. It would be reported as a lost cache.",
    edit(file, page.edit("cache-nothing")),
    bash(`${vitest}/cache-state.test.ts`, "Run them", { shows: /5 passed/ }),
  );
}

function rendered(session, page) {
  session.act(
    null,
    todos(
      "x turns: split a log into turns",
      "x format-duration: spans of time for people",
      "x draw-bar: how full the window is",
      "x first-words: a prompt in one line, safe for a terminal",
      "x cache-state: warm, partly, cold",
      "> render-timeline: a line for every turn and every long pause",
      "  scripts/log-facts.mjs --timeline",
    ),
  );
  session.each(
    "Now the lines themselves. I write the expected picture by hand, column by column.",
    write(render, page.text("timeline")),
    write(renderTests, page.text("timeline-test")),
    bash(`${vitest}/render-timeline.test.ts`, "Run them", { expect: "error", shows: /3 failed \| 3 passed/ }),
  );
  session.act(
    "One of the three is my own arithmetic: 61,500 of 200,000 over twelve columns are 30 eighths, three blocks and six eighths, `▊` and not `▋`. The expectation was wrong.\n\nThe other two are faults of the code: marks are put behind a line that is already full, and midnight goes by unnoticed.",
    edit(renderTests, { before: "███▋          31%", after: "███▊          31%" }),
  );
  session.each(
    null,
    edit(render, page.edit("timeline-width")),
    edit(render, page.edit("timeline-width-import")),
    edit(render, page.edit("timeline-width-import-duration")),
    edit(render, page.edit("timeline-day-use")),
    edit(render, page.edit("timeline-day")),
  );
  session.act(null, bash(`${vitest}/render-timeline.test.ts`, "Run them", { shows: /6 passed/ }));
  session.act(null, types(), bash(`npx biome check --write ${folder}`, "Format"));
  session.act(
    "A last look at the two that carry the most, as the formatter left them.",
    read(render),
    read(`${timeline}/turns.ts`),
  );
}

function onTheCommandLine(session, page) {
  session.act(
    null,
    todos(
      "x turns: split a log into turns",
      "x format-duration: spans of time for people",
      "x draw-bar: how full the window is",
      "x first-words: a prompt in one line, safe for a terminal",
      "x cache-state: warm, partly, cold",
      "x render-timeline: a line for every turn and every long pause",
      "> scripts/log-facts.mjs --timeline",
    ),
    read(script),
  );
  session.each(
    null,
    edit(script, page.edit("script-timeline-usage")),
    edit(script, page.edit("script-timeline-node")),
    edit(script, page.edit("script-timeline-idle")),
    edit(script, page.edit("script-timeline-import")),
    edit(script, page.edit("script-timeline-arguments")),
    edit(script, page.edit("script-timeline-collect")),
    edit(script, page.edit("script-timeline-visit")),
    edit(script, page.edit("script-timeline-print")),
    edit(script, page.edit("script-timeline-functions")),
  );
  session.act(null, showDemo("--timeline", "Build and look", { shows: /Prompt number 1/ }));
  session.act(
    "There it is. Wrong arguments, and a window that is smaller than the session:",
    bash("node scripts/log-facts.mjs .scratch/demo.jsonl --timelin", "A mistyped option", {
      expect: "error",
      shows: /usage is not defined/,
    }),
    bash("node scripts/log-facts.mjs .scratch/demo.jsonl --timeline --window 20000", "A small window", {
      shows: /\d{3}%/,
    }),
  );
  session.act(
    "The small window is fine. The mistyped option is not: the usage line went with the old argument code, and only the error path asks for it. It becomes a constant, since two places print it now.",
    edit(script, page.edit("script-timeline-constant")),
  );
  session.act(
    null,
    bash("node scripts/log-facts.mjs .scratch/demo.jsonl --timelin", "The mistyped option again", {
      expect: "error",
      shows: /Usage: node/,
    }),
    bash("node scripts/log-facts.mjs .scratch/demo.jsonl other.jsonl", "Two files", {
      expect: "error",
      shows: /Usage: node/,
    }),
  );
  session.act(
    null,
    bash(`npx biome check --write ${script} ${folder} && npx vitest run ${folder}`, "Format and all tests", {
      shows: /96 passed/,
    }),
  );
  session.act(
    null,
    todos(
      "x turns: split a log into turns",
      "x format-duration: spans of time for people",
      "x draw-bar: how full the window is",
      "x first-words: a prompt in one line, safe for a terminal",
      "x cache-state: warm, partly, cold",
      "x render-timeline: a line for every turn and every long pause",
      "x scripts/log-facts.mjs --timeline",
    ),
    bash(`wc -l ${timeline}/*.ts`, "How long the files are"),
  );
  session.answer(
    "`node scripts/log-facts.mjs FILE --timeline` works: a line for every turn, one for every pause of five minutes or more, at most 72 columns. The bar is drawn against 200,000 tokens, or what `--window` says.\n\nPrompts are cleaned before they are shown: escape sequences, control characters and direction overrides cannot reach your terminal. Six files in `timeline/`, one concept each, all far below 150 lines. 96 tests pass in the folder; nothing is committed.",
  );
}
