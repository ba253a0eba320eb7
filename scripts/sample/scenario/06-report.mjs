import { readFiles } from "../engine/choose-files.mjs";
import { openPages } from "../engine/pages.mjs";
import { minutes } from "../engine/recorder.mjs";
import { bash, edit, glob, read, todos, write } from "../tools/calls.mjs";

const folder = "src/log/facts";
const table = `${folder}/format-table.ts`;
const report = `${folder}/render-report.ts`;
const script = "scripts/log-facts.mjs";
const vitest = `npx vitest run ${folder}`;
const build = bash(
  "npx tsc -p tsconfig.build.json | grep log/facts; ls dist/log/facts/*.js",
  "Build, and see that the new files are there",
  { shows: /render-report\.js/ },
);
const show = (description) =>
  bash("node scripts/log-facts.mjs .scratch/demo.jsonl", description, { shows: /検索ツール/ });

/** A report on the terminal: wide characters, cutting, order, and errors that a person can read. */
export function play(session, workspace) {
  const page = openPages("06-report");
  parts(session, page, workspace);
  firstSight(session, page);
  better(session, page);
  errors(session, page);
  page.close();
}

function parts(session, page, workspace) {
  session.user(
    `Now let me see it. A script scripts/log-facts.mjs FILE that prints the facts and the pauses as text. My terminal is split in two, so no line may be wider than 72 columns, and tool names can be anything, MCP servers have Japanese names and emoji in them. Bytes as kB or MB with one decimal.`,
    { after: minutes(26) },
  );
  session.act(
    "I'll see how the existing scripts are written, then build it from small parts: sizes, text width, a table, the report, and the script last.",
    glob("scripts/*.mjs"),
    read("package.json"),
    read(`${folder}/log-facts.ts`),
  );
  session.act(
    "The command line must have a table somewhere. Imports point one way here, so the log folder cannot use what a surface has, but I want to see how it was solved there.",
    ...readFiles(workspace, "src/surfaces/cli", [
      "src/surfaces/cli/table.ts",
      "src/surfaces/cli/fit-text.ts",
      "src/surfaces/cli/format-amount.ts",
    ]),
  );
  session.act(
    null,
    todos(
      "> format-bytes: sizes for people",
      "  text-width and format-table: straight columns, at most 72 wide",
      "  render-report: facts and pauses as text",
      "  scripts/log-facts.mjs, and a demo log to look at",
    ),
  );
  session.act(
    null,
    write(`${folder}/format-bytes.ts`, page.text("format-bytes")),
    write(`${folder}/format-bytes.test.ts`, page.text("format-bytes-test")),
    bash(`${vitest}/format-bytes.test.ts`, "Run them", { expect: "error", shows: /2 failed/ }),
  );
  session.act(
    "`1000.0 kB`: the loop compares the exact value and the reader sees the rounded one. The rounded one has to decide.",
    edit(`${folder}/format-bytes.ts`, page.edit("format-bytes-rounding")),
    bash(`${vitest}/format-bytes.test.ts`, "Run them again", { shows: /8 passed/ }),
  );
  session.act(
    "Next the table. No package for text width in this folder, so a small function of our own stands here: grapheme segments, two columns for wide forms and emoji.",
    write(`${folder}/text-width.ts`, page.text("text-width")),
  );
  session.each(
    null,
    write(table, page.text("format-table")),
    write(`${folder}/format-table.test.ts`, page.text("format-table-test")),
  );
  session.act(
    null,
    bash(`${vitest}/format-table.test.ts`, "Run the table tests", { expect: "error", shows: /[23] failed/ }),
  );
  session.act(
    "As the tests were meant to show: `length` and `padEnd` count code units, so wide names push their row to the right, and `slice` cuts an emoji in half. All three places have to count columns.",
    edit(table, page.edit("table-import")),
  );
  session.act(null, edit(table, page.edit("table-widths")));
  session.act(null, edit(table, page.edit("table-pad")));
  session.act(null, edit(table, page.edit("table-cut")));
  session.act(null, bash(`${vitest}/format-table.test.ts`, "Run the table tests", { shows: /4 passed/ }));
}

function firstSight(session, page) {
  session.act(
    null,
    todos(
      "x format-bytes: sizes for people",
      "x text-width and format-table: straight columns, at most 72 wide",
      "> render-report: facts and pauses as text",
      "  scripts/log-facts.mjs, and a demo log to look at",
    ),
    write(report, page.text("report")),
  );
  session.each(
    "The script runs on the built files, like the others. For something to look at I write a demo log with fixed times.",
    write(script, page.text("script")),
    write("scripts/make-demo-log.mjs", page.text("demo")),
  );
  session.act(null, build);
  session.act(
    null,
    bash(
      "mkdir -p .scratch && node scripts/make-demo-log.mjs .scratch/demo.jsonl && wc -l .scratch/demo.jsonl && node scripts/log-facts.mjs .scratch/demo.jsonl",
      "Make the demo log and print its report",
      { shows: /検索ツール/ },
    ),
  );
  session.act(
    "Straight, wide name included. I run the whole folder and check the format.",
    bash(vitest, "All tests of the folder", { shows: /47 passed/ }),
    bash(`npx biome check --write ${folder} ${script} scripts/make-demo-log.mjs`, "Format"),
  );
  session.act(
    null,
    todos(
      "x format-bytes: sizes for people",
      "x text-width and format-table: straight columns, at most 72 wide",
      "x render-report: facts and pauses as text",
      "x scripts/log-facts.mjs, and a demo log to look at",
    ),
    bash(vitest, "Tests after formatting", { shows: /47 passed/ }),
  );
  session.answer(
    "`node scripts/log-facts.mjs FILE` prints the report; `node scripts/make-demo-log.mjs .scratch/demo.jsonl` makes something to try it on. No line is wider than 72 columns: the first column is cut with an ellipsis, between characters and never inside one. 47 tests pass. `.scratch` is not in git's ignore list; I left that file alone since it is not mine.",
  );
}

function better(session, page) {
  session.user(
    "That is what I wanted. Three changes: sort the tools by result size, largest first; leave the failed column out when nothing failed; and group the digits of token counts, 456400 is hard to read.",
    { after: minutes(3) },
  );
  session.act(
    "Tests for all three first.",
    write(`${folder}/render-report.test.ts`, page.text("report-test")),
    bash(`${vitest}/render-report.test.ts`, "See them fail", { expect: "error", shows: /3 failed/ }),
  );
  session.act(null, read(report));
  session.act(null, edit(report, page.edit("report-sorted")));
  session.act(null, edit(report, page.edit("report-table")));
  session.act(null, edit(report, page.edit("report-columns")), edit(report, page.edit("report-import")));
  session.act(null, edit(report, page.edit("report-tokens")), edit(report, page.edit("report-count")));
  session.act(null, bash(`${vitest}/render-report.test.ts`, "Run them", { shows: /4 passed/ }));
  session.act(null, build, show("Look at it again"));
  session.act(
    null,
    bash(`npx biome check --write ${folder} && ${vitest}`, "Format, then all tests", { shows: /51 passed/ }),
  );
  session.answer(
    "All three are in: largest results first, no failed column unless something failed, and grouped digits. 51 tests pass, and the demo report looks right.",
  );
}

function errors(session, page) {
  session.user(
    "I mistyped the name and got fifteen lines of stack trace, and on a text file it printed a report full of zeros. One readable line and an exit code in both cases please. Then commit.",
    { after: minutes(2) },
  );
  session.act(
    "Both reproduced before I change anything:",
    bash("node scripts/log-facts.mjs nothing.jsonl", "A file that is not there", {
      expect: "error",
      shows: /ENOENT/,
    }),
    bash("node scripts/log-facts.mjs LICENSE", "A file that is no log"),
  );
  session.act(null, read(script));
  session.act(null, edit(script, page.edit("script-errors")));
  session.act(null, edit(script, page.edit("script-functions")));
  session.act(
    null,
    bash("node scripts/log-facts.mjs nothing.jsonl", "Not there", { expect: "error", shows: /no such file/ }),
    bash("node scripts/log-facts.mjs LICENSE", "No log", { expect: "error", shows: /no entry/ }),
    bash("node scripts/log-facts.mjs", "No argument", { expect: "error", shows: /Usage/ }),
    show("And the good case still works"),
  );
  session.act(
    null,
    bash(`npx biome check --write ${script} ${folder} && ${vitest}`, "Format and tests", {
      shows: /51 passed/,
    }),
  );
  session.act(
    null,
    bash(
      'git add src/log/facts scripts/log-facts.mjs scripts/make-demo-log.mjs && git commit -m "Print a report of a session log" && git status --short',
      "Commit the report, not the scratch folder",
      { shows: /Print a report/ },
    ),
  );
  session.answer(
    "A missing file, a file that is no log and a missing argument each give one line and exit code 2, 1 and 2. Damaged lines are counted below the report instead of being passed over in silence. Tests pass; committed as “Print a report of a session log”. `.scratch/` stays untracked.",
  );
}
