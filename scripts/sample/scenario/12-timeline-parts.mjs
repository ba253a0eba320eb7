import { chooseFiles, readFiles } from "../engine/choose-files.mjs";
import { openPages } from "../engine/pages.mjs";
import { minutes } from "../engine/recorder.mjs";
import { bash, edit, glob, grep, read, todos, write } from "../tools/calls.mjs";

const folder = "src/log/facts";
const timeline = `${folder}/timeline`;
const turns = `${timeline}/turns.ts`;
const table = `${folder}/format-table.ts`;
const vitest = `npx vitest run ${timeline}`;
const open = (...done) =>
  todos(
    ...[
      "turns: split a log into turns",
      "format-duration: spans of time for people",
      "draw-bar: how full the window is",
      "first-words: a prompt in one line, safe for a terminal",
      "cache-state: warm, partly, cold",
      "render-timeline: a line for every turn and every long pause",
      "scripts/log-facts.mjs --timeline",
    ].map((item, index) => `${done.includes(index) ? "x" : index === done.length ? ">" : " "} ${item}`),
  );

/** The long task, first half: the parts of a timeline, each with its own mistakes. */
export function play(session, workspace) {
  const page = openPages("12-timeline-a");
  lookAround(session, workspace);
  splitTurns(session, page);
  durations(session, page);
  bars(session, page);
  words(session, page);
  page.close();
}

function lookAround(session, workspace) {
  session.user(
    `The big one. I want to see a session as a timeline: one line for every turn with the time it began, how long it took, a bar for how full the window was at its end (200,000 tokens is the whole bar), the percentage, and the first words of my prompt. Long pauses get a line of their own that says whether the cache was lost. At most 72 columns again. As --timeline in scripts/log-facts.mjs, the parts in src/log/facts/timeline, one concept a file, no file in there over 150 lines. All of yesterday's rules hold.

Take your time and build it from the bottom up. Prompts come from anywhere, so think about what a pasted escape sequence does to my terminal.`,
    { after: minutes(33) },
  );
  session.act(
    "I'll start with a look at everything of ours that this can stand on, and at how the rest of the code speaks of turns, so that the same word means the same thing.",
    glob("src/log/facts/**/*.ts"),
    read(`${folder}/log-facts.ts`),
    read(`${folder}/idle-gaps.ts`),
  );
  session.act(null, grep("\\bturn\\b|\\bturns\\b|Turn\\b", "src", { lines: true, files: "src/**/*.ts" }));
  session.act(null, read("src/spec/event.ts"), read("src/spec/layer.ts"));
  session.act(
    "A turn is one prompt of the user until the model answers without a tool call. How do imported logs look at that level? Their shapes are the ones that surprise.",
    read("src/log/import/import-transcript.ts"),
    glob("src/log/import/**/*.ts"),
  );
  const [reader, readerTest, lineTypes] = chooseFiles(workspace, "src/log/import", [
    "src/log/import/claude-code/claude-code-reader.ts",
    "src/log/import/claude-code/claude-code-reader.test.ts",
    "src/log/import/claude-code/message-line.ts",
  ]);
  session.act(null, read(reader), read(lineTypes));
  session.act(null, read(readerTest));
  session.act(
    null,
    ...readFiles(workspace, "src/log/import", [
      "src/log/import/import-transcript.test.ts",
      "src/log/import/tally.ts",
    ]),
  );
  session.act(
    "The other family of transcripts, chat messages, has no ids for responses at all; the turns must cope with that as well.",
    ...readFiles(workspace, "src/log/import", [
      "src/log/import/messages/chat-reader.ts",
      "src/log/import/messages/chat-message.ts",
      "src/log/import/messages/openai-blocks.ts",
    ]),
  );
  session.act(
    null,
    ...readFiles(workspace, "src/log/import", [
      "src/log/import/messages/chat-reader.test.ts",
      "src/log/import/claude-code/line-types.ts",
    ]),
  );
  session.act(
    "“How full the window is” has been defined elsewhere already. I want the same meaning, even if a report may be rougher.",
    ...readFiles(workspace, "src/context", [
      "src/context/window.ts",
      "src/context/window-thresholds.ts",
      "src/context/window-usage.ts",
      "src/context/tokens/token-counter.ts",
    ]),
  );
  session.act(
    null,
    ...readFiles(workspace, "src/context", [
      "src/context/tokens/token-counter.test.ts",
      "src/context/window-thresholds.test.ts",
      "src/context/accounting/account.test.ts",
    ]),
  );
  session.act(null, read("src/spec/model.ts"), read("src/spec/view.ts"), read("src/spec/decision.ts"));
  session.act(
    "Worth knowing: one response may arrive as several entries with results between them, meta messages look like the user's, and a prompt may hold an image. And what we have changed since the beginning, to be sure I build on what is there and not on what I remember:",
    bash(
      "git log --oneline && git diff $(git rev-list --max-parents=0 HEAD) HEAD -- src/log/facts scripts test/support docs/guides",
      "Everything of ours so far",
      {
        shows: /createLogFacts/,
      },
    ),
  );
  session.act(null, open());
}

function splitTurns(session, page) {
  session.each(
    "Turns first. Whole objects in the test, and the surprises from above as cases.",
    write(turns, page.text("turns")),
    write(`${timeline}/turns.test.ts`, page.text("turns-test")),
    bash(vitest, "Run them", { expect: "error", shows: /6 failed/ }),
  );
  session.act(
    "All six, from one cause first: the turn that is still open at the end is never handed out, and most of these logs have just one.",
    edit(turns, page.edit("turns-open")),
  );
  session.act(null, bash(vitest, "Run them again", { expect: "error", shows: /3 failed/ }));
  session.act(
    "Three are left, and they are real:\n\n- a response over two entries counts twice, tokens too;\n- the tokens of a cut-off response are in the sum, and its usage is taken for the window's fill;\n- the whole prompt is kept, 50,000 characters for a line that shows thirty.\n\nThe first two have one remedy: remember the output per response while the turn is open, as `log-facts` does.",
    edit(turns, page.edit("turns-once-type")),
  );
  session.each(
    null,
    edit(turns, page.edit("turns-once-state")),
    edit(turns, page.edit("turns-once-visit")),
    edit(turns, page.edit("turns-once-last")),
    edit(turns, page.edit("turns-once")),
  );
  session.act(null, bash(vitest, "Run them", { expect: "error", shows: /1 failed/ }));
  session.each(null, edit(turns, page.edit("turns-short-constant")), edit(turns, page.edit("turns-short")));
  session.act(null, bash(vitest, "Run them", { shows: /6 passed/ }));
  session.act(null, open(0), read(turns));
}

function durations(session, page) {
  const file = `${timeline}/format-duration.ts`;
  session.each(
    null,
    write(file, page.text("duration")),
    write(`${timeline}/format-duration.test.ts`, page.text("duration-test")),
    bash(`${vitest}/format-duration.test.ts`, "Run them", { expect: "error", shows: /6 failed \| 4 passed/ }),
  );
  session.act(
    "Six of ten. Each could be patched with another `if`, and the next unit would need one more. A table of units says it once: the largest that fits, and the one below it with two digits.",
    write(file, page.text("duration-right")),
    bash(`${vitest}/format-duration.test.ts`, "Run them", { shows: /10 passed/ }),
  );
}

function bars(session, page) {
  const file = `${timeline}/draw-bar.ts`;
  session.each(
    null,
    open(0, 1),
    write(file, page.text("bar")),
    write(`${timeline}/draw-bar.test.ts`, page.text("bar-test")),
    bash(`${vitest}/draw-bar.test.ts`, "Run them", { expect: "error", shows: /4 failed \| 4 passed/ }),
  );
  session.act(
    "A window that is overrun draws past its columns, a whole of zero asks for an infinite string, and a single token cannot be seen. All three are about the bounds.",
    edit(file, page.edit("bar-bounds")),
    edit(file, page.edit("bar-comment")),
  );
  session.act(null, bash(`${vitest}/draw-bar.test.ts`, "Run them", { shows: /8 passed/ }));
}

function words(session, page) {
  const file = `${timeline}/first-words.ts`;
  session.act(
    "The first words need the same cutting as the table, which keeps it to itself. It moves to a file of its own.",
    open(0, 1, 2),
    read(table),
  );
  session.each(
    null,
    write(`${folder}/cut-text.ts`, page.text("cut-text")),
    edit(table, page.edit("table-without-cut")),
    edit(table, page.edit("table-use-cut")),
    edit(table, page.edit("table-import-cut")),
    bash(`npx vitest run ${folder}/format-table.test.ts`, "The table still holds", { shows: /4 passed/ }),
  );
  session.each(
    null,
    write(file, page.text("words")),
    write(`${timeline}/first-words.test.ts`, page.text("words-test")),
    bash(`${vitest}/first-words.test.ts`, "Run them", { expect: "error", shows: /2 failed/ }),
  );
  session.act(
    "This is the case you asked me to think about. A prompt with `ESC [` or the single byte CSI could colour, move or clear your terminal, a carriage return overwrites the line, and a direction override turns it around. Sequences go whole, so that no `[31m` is left; every other control character becomes a blank.",
    edit(file, page.edit("words-constants")),
    edit(file, page.edit("words-clean")),
  );
  session.act(
    null,
    bash(`${vitest}/first-words.test.ts`, "Run them", { shows: /4 passed/ }),
    bash(`npx biome check ${folder}`, "Lint and format so far", {
      expect: "error",
      shows: /noControlCharactersInRegex/,
    }),
  );
  session.act(
    "The linter objects to control characters in an expression, which is a good rule and here the very purpose. I say so in place. The rest is formatting.",
    edit(file, {
      before: "const sequence = ",
      after:
        "// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for\nconst sequence = ",
    }),
    bash(`npx biome check --write ${folder}`, "Settle the format"),
  );
  session.act(null, bash(`npx vitest run ${folder}`, "Everything in the folder", { shows: /85 passed/ }));
}
