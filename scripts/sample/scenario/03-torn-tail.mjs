import { chooseFiles, readFiles, whereIs } from "../engine/choose-files.mjs";
import { minutes } from "../engine/recorder.mjs";
import { bash, glob, grep, read } from "../tools/calls.mjs";

/** A question and no change: much reading, one long test run, an explanation that names places. */
export function play(session, workspace) {
  explain(session, workspace);
  prove(session, workspace);
}

function explain(session, workspace) {
  session.user(
    "Something else, no changes please, I only want to understand it: the process is killed in the middle of an append. What exactly is on the disk, who notices, and what becomes of the half line? Tell me with file names and lines.",
    { after: minutes(3) },
  );
  session.act(
    "I'll follow one append from the top to the disk.",
    glob("src/stores/files/*.ts"),
    read("src/stores/files/log-store.ts"),
  );
  const [writer, opened, log] = chooseFiles(workspace, "src/stores/files", [
    "src/stores/files/log-writer.ts",
    "src/stores/files/open-writer.ts",
    "src/stores/files/open-log.ts",
  ]);
  session.act(null, read(writer), read("src/log/append-queue.ts"));
  session.act("That is the way down. Now the way back: what opening does with what it finds.", read(opened));
  session.act(null, read(log), read("src/log/line-judge.ts"));
  const [aside, readLog, whole] = chooseFiles(workspace, "src/stores/files", [
    "src/stores/files/aside.ts",
    "src/stores/files/read-log.ts",
    "src/stores/files/whole-file.ts",
  ]);
  session.act(null, read(aside));
  session.act(null, read(readLog), read("src/log/scan-lines.ts"));
  session.act(
    "The half line may also hold a whole entry whose newline was lost; `salvage` decides that.",
    read("src/log/salvage.ts"),
    read(whole),
  );
  session.act(
    null,
    grep("torn", "src", { lines: true, files: "src/{log,stores,spec}/**/*.ts" }),
    read("src/spec/log-store.ts"),
  );
  session.act(
    "One more thing to check before I answer: that a reader without the lease really changes nothing.",
    grep("truncate|rename|removeFile|syncDirectory", "src/stores/files", { lines: true }),
  );
  const seal = whereIs(workspace, "src/log/codec.ts", /export function encodeEntry/);
  const tail = whereIs(workspace, "src/log/line-judge.ts", /tail\(/);
  const scan = whereIs(workspace, "src/log/scan-lines.ts", /export async function scanLines/);
  session.answer(
    `Nothing was changed. What happens, in order:

**Writing.** An append becomes one or more whole lines, each sealed with a CRC-32 of its own bytes (\`${seal}\`). The append queue joins the lines of all callers that wait and writes them in one call. It acknowledges only after that call has returned, and at \`fsync\` only after the sync. So a kill in the middle can leave a beginning of the batch on the disk, and never anything that somebody was told is safe.

**On the disk.** All earlier lines, untouched, then some bytes without a newline at the end.

**Who notices.** Everyone who reads. \`${scan}\` splits on the byte \`\\n\` only and reports what stands behind the last newline apart from the lines. A reader without the lease counts these bytes as \`tornBytes\` and goes on: another process may be about to finish the line. Only the holder of the lease may call them torn (\`${tail}\`).

**What becomes of them.** When the next writer opens the log, it first looks whether the bytes hold a whole entry that only lacks its newline. If so, the newline is added and the entry counts. Otherwise they are copied to \`<name>.torn\` with a header that says where they stood, the copy is synced, and only then is the log cut back to the last newline. The report names the file, the offset and the number of bytes, so nothing disappears silently.

**Bad lines in the middle** are another case: they stay where they are, a copy goes to \`<name>.corrupt\`, and entries that are still whole inside them are salvaged by their checksum.`,
  );
}

function prove(session, workspace) {
  session.user(
    "Thanks, that is what I hoped. Is the order (copy, sync, then cut) only how the code reads, or is there a test that would fail if somebody swapped it? Run it and show me that it runs.",
    { after: minutes(9) },
  );
  session.act(
    null,
    grep("torn|power", "src/testing", { lines: true, files: "src/testing/*.ts" }),
    glob("test/log/*.test.ts"),
  );
  const [loss] = chooseFiles(workspace, "src/testing", ["src/testing/virtual-power-loss.ts"]);
  session.act(
    "There is a virtual disk that can lose everything that was not synced. That is the right instrument; I'll see how it decides what survives.",
    read(loss),
    read("src/testing/virtual-disk.ts"),
  );
  session.act(
    null,
    ...readFiles(workspace, "src/testing", [
      "src/testing/virtual-file.ts",
      "src/testing/virtual-durability.ts",
      "src/testing/virtual-power-losses.ts",
    ]),
  );
  session.act(
    null,
    ...readFiles(workspace, "src/log", ["test/log/crash.test.ts", "test/log/damage.test.ts"]),
  );
  session.act(
    "The same demands stand in the conformance suite that every store has to pass, and there are tests for writers that were fenced off.",
    ...readFiles(workspace, "src/testing", [
      "src/testing/conformance/log-store.ts",
      "test/log/fencing.test.ts",
    ]),
  );
  session.act(
    "`crash.test.ts` stops the disk at each of its operations in turn, opens the log again and compares with what was acknowledged. If the cut came before the synced copy, the run that loses power between the two would miss bytes. I'll run it together with everything else that stands on the log, in the long form.",
    bash(
      "npx vitest run src/log src/stores/files/log-store.test.ts src/stores/files/lease-store.test.ts src/testing/virtual-power-loss.test.ts src/testing/virtual-disk.test.ts --reporter=verbose",
      "Every test of the log, by name",
      { expect: "any", shows: /Test Files/ },
    ),
  );
  session.act(
    "The names fly by; the counts for the crash tests alone:",
    bash(
      "npx vitest run test/log/crash.test.ts test/log/damage.test.ts --reporter=verbose | tail -30",
      "The crash and damage tests",
      {
        shows: /Test Files/,
      },
    ),
  );
  session.answer(
    "Yes, it is held by tests and they run here: the crash tests in `test/log` stop a virtual disk after every single operation, also with the loss of everything unsynced, open the log again and demand that each acknowledged entry is there and that every other byte is either in the log or in a file beside it. With the order swapped, the power loss between cut and sync would lose bytes from both places, and that case is among those tried. I changed nothing.",
  );
}
