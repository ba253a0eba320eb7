import { readFiles } from "../engine/choose-files.mjs";
import { openPages } from "../engine/pages.mjs";
import { minutes } from "../engine/recorder.mjs";
import { bash, edit, grep, read, todos, write } from "../tools/calls.mjs";
import { types } from "./commands.mjs";

const folder = "src/log/facts";
const facts = `${folder}/log-facts.ts`;
const tests = `${folder}/log-facts.test.ts`;
const vitest = `npx vitest run ${folder}`;
const overnight = minutes(16 * 60 + 31);

/** A bug report the next morning; a first fix that is a guess, and the one that is right. */
export function play(session, workspace) {
  const page = openPages("08-blobs");
  reproduce(session, page, workspace);
  guess(session, page);
  repair(session, page);
  denser(session, page);
  page.close();
}

function reproduce(session, page, workspace) {
  session.user(
    "Good morning. Yesterday's report is wrong on my large session: it says the results of Read are 312 kB together, and I know that one of them alone was 2.5 MB. Find out why before you change anything.",
    { after: overnight },
  );
  session.act(
    "What the collector measures is the value in the line. A result of 2.5 MB is over the inline limit, so the line may hold something else in its place.",
    read("src/log/large-values.ts"),
    read(facts),
  );
  session.act(
    "That is it: over 64 KB the store writes `{ blob, bytes, lines }` into the line and the text into a blob. `sizeOf` measures the little object, about 110 bytes. I'll check who else deals with this, so that I do it the same way.",
    grep("blobs\\b|BlobRef|BlobPlace", "src", { lines: true, files: "src/{log,spec,stores}/**/*.ts" }),
    read("src/spec/entry.ts"),
  );
  session.act(null, read("src/stores/files/blob-store.ts"), read("src/spec/blob-store.ts"));
  session.act(
    "What do the tests of blobs expect? They know the corner cases better than I do.",
    ...readFiles(workspace, "src/log", [
      "src/log/large-values.test.ts",
      "src/testing/conformance/blob-store.ts",
    ]),
  );
  session.act(
    null,
    todos(
      "> Reproduce: a result in a blob is counted with its stand-in's size",
      "  Fix in log-facts",
      "  Demo log with a blob, look at the report",
    ),
  );
  session.act(
    "I reproduce it in a test, together with its opposite: an input that merely looks like a reference.",
    read(tests),
  );
  session.act(
    null,
    edit(tests, page.edit("facts-test-blob")),
    bash(`${vitest}/log-facts.test.ts`, "See it fail", { expect: "error", shows: /1 failed \| 9 passed/ }),
  );
}

function guess(session, page) {
  session.each(
    "105 bytes instead of 2,500,000. The obvious fix is to recognise a reference in `sizeOf`:",
    edit(facts, page.edit("facts-shape")),
    edit(facts, page.edit("facts-shape-function")),
    edit(facts, page.edit("facts-shape-import")),
  );
  session.act(
    null,
    bash(`${vitest}/log-facts.test.ts`, "Run the tests", { expect: "error", shows: /1 failed \| 9 passed/ }),
  );
  session.act(
    "Now the other one fails, and rightly: the input of `Upload` is the caller's own object and only looks like a reference. `BlobPlace` says so in its comment: places are named by path *so that a user's own object is never mistaken for one*. I had that comment on the screen a minute ago. The entry's `blobs` list has to decide, not the shape.",
    bash("git diff --stat && git checkout src/log/facts/log-facts.ts", "Take the guess back"),
  );
}

function repair(session, page) {
  session.act(
    "A small function that knows an entry's moved fields; the collector asks it instead of measuring by itself.",
    write(`${folder}/field-sizes.ts`, page.text("field-sizes")),
    read(facts),
  );
  session.act(null, edit(facts, page.edit("facts-use-import")));
  session.act(null, edit(facts, page.edit("facts-use-blocks")));
  session.act(null, edit(facts, page.edit("facts-use-input")));
  session.act(null, edit(facts, page.edit("facts-use-result")));
  session.act(null, edit(facts, page.edit("facts-use-message")), edit(facts, page.edit("facts-use-loop")));
  session.act(null, edit(facts, page.edit("facts-use-visit")));
  session.act(
    null,
    types("Type-check", /log-facts\.ts/),
    bash(`${vitest}/log-facts.test.ts`, "Run the tests", { shows: /10 passed/ }),
  );
  session.each(
    "The tests pass and the compiler does not: `MessageEntry` is not imported, `Message` no longer used, and `sizeOf` is left over. Type imports vanish at run time, which is why the tests could not notice.",
    edit(facts, {
      before: "isBlock, type Message, type Usage }",
      after: "isBlock, type MessageEntry, type Usage }",
    }),
    edit(facts, {
      before: `/** UTF-8 bytes: characters would make a log in another language look smaller than it is. */
function sizeOf(value: unknown): number {
  return Buffer.byteLength(typeof value === "string" ? value : JSON.stringify(value));
}

`,
      after: "",
    }),
  );
  session.act(
    null,
    types("Type-check again"),
    bash(`npx biome check --write ${folder} && ${vitest}`, "Format, then all tests of the folder", {
      shows: /53 passed/,
    }),
  );
  session.act(
    null,
    todos(
      "x Reproduce: a result in a blob is counted with its stand-in's size",
      "x Fix in log-facts",
      "> Demo log with a blob, look at the report",
    ),
    edit("scripts/make-demo-log.mjs", page.edit("demo-blob"), { expect: "error" }),
  );
  session.act(
    "The formatter touched the demo script last night, after I had written it.",
    read("scripts/make-demo-log.mjs"),
  );
  session.act(null, edit("scripts/make-demo-log.mjs", page.edit("demo-blob")));
  session.act(
    null,
    bash(
      "npx tsc -p tsconfig.build.json | grep log/facts; node scripts/make-demo-log.mjs .scratch/demo.jsonl && node scripts/log-facts.mjs .scratch/demo.jsonl",
      "Build and look at the report",
      { shows: /2\.5 MB/ },
    ),
  );
  session.act(
    null,
    todos(
      "x Reproduce: a result in a blob is counted with its stand-in's size",
      "x Fix in log-facts",
      "x Demo log with a blob, look at the report",
    ),
  );
  session.answer(
    "Why: results over 64 KB are stored as blobs, and the line holds `{ blob, bytes, lines }` instead. The collector measured that little object, so your 2.5 MB counted as 105 bytes.\n\nThe fix asks the entry's own `blobs` list which fields were moved and takes their recorded size (`field-sizes.ts`). My first attempt recognised references by their shape; a test for the opposite case caught it, and I took it back. 53 tests pass, types are clean, and the demo report shows 2.5 MB for Read.",
  );
}

function denser(session, page) {
  session.user(
    "Right. That explains something else: with the large values elsewhere the lines are short, so a point every 256 entries is too many. Make it 512. Then commit both, one commit each.",
    { after: minutes(2) },
  );
  session.act(null, edit(`${folder}/place-index.ts`, page.edit("every")));
  session.act(
    "The golden bytes use their own points, so nothing else should move.",
    bash(vitest, "All tests of the folder", { shows: /53 passed/ }),
    grep("256|defaultEvery", folder, { lines: true }),
  );
  session.act(
    null,
    bash(
      'git add src/log/facts/place-index.ts && git commit -m "Keep fewer points in the place index" && git add src/log/facts scripts/make-demo-log.mjs && git commit -m "Count values that were moved to blobs" && git log --oneline -6',
      "Two commits",
      { shows: /moved to blobs/ },
    ),
  );
  session.answer(
    "Both are committed: “Keep fewer points in the place index” (512 now) and “Count values that were moved to blobs”. All 53 tests of the folder passed before.",
  );
}
