import { chooseFiles } from "../engine/choose-files.mjs";
import { minutes } from "../engine/recorder.mjs";
import { bash, glob, grep, read, todos } from "../tools/calls.mjs";

/** A plan that is made with care and then dropped; its to-dos go with it. */
export function play(session, workspace) {
  session.user(
    "Different idea: what if the facts and the index of all sessions were kept in one SQLite file, so that a question over a thousand sessions is one query? Make me a plan, don't write code yet.",
    { after: minutes(17) },
  );
  session.act(
    "First what is there: the dependencies, the Node versions we promise, and what the store ports would have to carry.",
    read("package.json"),
    glob("src/stores/**/*.ts"),
    read("src/spec/store.ts"),
  );
  session.act(
    null,
    bash(
      "node --version && node -e \"require('node:sqlite')\" 2>&1 | head -5",
      "Is SQLite built into this Node?",
      { expect: "any" },
    ),
    grep('engines|"node"', "package.json", { lines: true }),
  );
  const [listing, layout, fileStore] = chooseFiles(workspace, "src/stores/files", [
    "src/stores/files/log-listing.ts",
    "src/stores/files/layout.ts",
    "src/stores/files/file-store.ts",
  ]);
  session.act(
    "`node:sqlite` does not exist before Node 22 and we promise 20.19, so it would have to be a package. Listing sessions is the nearest thing to a query over all of them today; how dear is it?",
    read(listing),
    read(layout),
  );
  session.act(null, read(fileStore), read("src/spec/blob-store.ts"), read("src/spec/lease.ts"));
  session.act(null, grep("list\\(", "src", { lines: true, files: "src/{spec,stores}/**/*.ts" }));
  session.act(
    null,
    todos(
      "  Choose a SQLite package that runs on Node 20.19 without native code",
      "  Table sessions(id, project, title, first_at, last_at, end_bytes)",
      "  Table tools(session, name, calls, failures, input_bytes, result_bytes)",
      "  Table places(session, every, points)",
      "  Fill from scan(); refresh when freshnessOf says behind, rebuild when foreign",
      "  Query command: pal facts --sql",
      "  Tests: rebuild equals incremental; a deleted database is only slow",
    ),
  );
  session.answer(
    `Here is the plan, seven steps, about two days:

1. A SQLite package in WebAssembly, since Node 20.19 has none built in and native builds break on bare machines. This is a new dependency.
2. Three tables: \`sessions\`, \`tools\`, \`places\`. All of it derived; the logs stay the truth.
3. One pass per changed session: \`freshnessOf(index, end)\` decides between nothing, reading on from the last point, and starting over.
4. Writes under the session's lease, so that two processes do not refresh the same rows.
5. A command to ask it.
6. Deleting the file must never lose anything but time.
7. Tests that compare an incremental database with one made from scratch.

Two things speak against it. It needs a dependency, which you ruled out when we began the index. And for a thousand sessions of 5 MB the plain way, reading only what is new and keeping one small facts file per session, answers in well under a second. I would do that first. The steps are in the to-do list as pending; I have not started.`,
  );
  session.user(
    "You are right about the dependency, and I forgot my own rule. Cancel the plan: no SQLite, plain files beside the logs, and not now. Drop the to-dos.",
    { after: minutes(8) },
  );
  session.act(null, todos());
  session.answer(
    "Dropped: the list is empty, nothing was written or installed. If the question comes up again, the small facts file beside each log is where I would begin.",
  );
}
