import { chooseFiles, readFiles } from "../engine/choose-files.mjs";
import { minutes, seconds } from "../engine/recorder.mjs";
import { bash, glob, grep, read } from "../tools/calls.mjs";

/** An audit that starts too broadly and is stopped, twice. */
export function play(session, workspace) {
  session.user(
    "A review, no changes: I want to know every place where the log and the stores depend on time. Who reads a clock, who sleeps, who compares times, and could any timer keep the process alive or never fire?",
    { after: minutes(38) },
  );
  session.act(
    "Broad first, then file by file.",
    grep("clock\\.|Date|sleep|setTimeout|setInterval|monotonic|Ms\\b", "src", { lines: true, around: 2 }),
    glob("src/**/*.test.ts"),
  );
  session.stopped(
    "That includes every test. I go through the test files one by one, beginning with the virtual clock's.",
    1,
    read("src/testing/virtual-clock.ts"),
    grep("advance|jump", "src", { lines: true, around: 3, files: "src/**/*.test.ts" }),
    bash("npx vitest run --reporter=verbose", "The whole suite, to see which tests are slow"),
  );
  session.user(
    "Stop. Not the tests, not the rest of src, and don't run the whole suite, it takes minutes. Only src/log, src/stores and the runtime, without *.test.ts.",
    { after: seconds(20) },
  );
  session.act(
    "Right: production code only.",
    bash(
      "grep -rnE --include='*.ts' --exclude='*.test.ts' 'clock\\.(now|monotonic|sleep)|Date\\.|new Date|setTimeout|setInterval|performance\\.' src/log src/stores src/runtime.ts | sort",
      "Time in the production code of log and stores",
    ),
    read("src/runtime.ts"),
  );
  const files = chooseFiles(workspace, "src/stores/files", [
    "src/stores/files/held-lease.ts",
    "src/stores/files/lease-store.ts",
    "src/stores/files/lease-file.ts",
    "src/stores/files/holder-judgement.ts",
    "src/stores/files/hold-log.ts",
    "src/stores/files/log-writer.ts",
    "src/stores/files/tree-version-draft.ts",
    "src/stores/files/file-tree.ts",
  ]);
  session.act("The leases are where time decides something, so those whole.", read(files[0]), read(files[1]));
  session.act(null, read(files[2]), read(files[3]));
  session.act(null, read("src/log/append-queue.ts"), read(files[4]));
  session.act(null, read(files[5]), read(files[6]));
  session.act("One more that stamps versions with a time.", read(files[7]));
  session.act(
    null,
    ...readFiles(workspace, "src/stores/files", [
      "src/stores/files/tree-history.ts",
      "src/stores/files/tree-version-file.ts",
      "src/stores/files/tombstone.ts",
    ]),
  );
  session.act(
    "Versions are numbered and their times only shown. What removes or repairs a session also says when:",
    ...readFiles(workspace, "src/stores/files", [
      "src/stores/files/remove-session.ts",
      "src/stores/files/repair-session.ts",
      "src/stores/files/redact-session.ts",
    ]),
  );
  session.act(
    null,
    ...readFiles(workspace, "src/stores/files", [
      "src/stores/files/apply-tree-step.ts",
      "src/stores/files/decide-tree-step.ts",
    ]),
  );
  session.act(
    null,
    bash(
      "grep -rn --include='*.ts' --exclude='*.test.ts' 'sleep(' src/log src/stores src/runtime.ts | sort",
      "Everyone who sleeps",
    ),
    grep("unref|AbortSignal|\\.aborted", "src", { lines: true, files: "src/{log,stores}/**/*.ts" }),
  );
  session.cutOff(
    "I went through all production files that touch time. Beginning with the runtime, which is the only place that reads the machine's clock: it offers three functions, `now`, `monotonic` and `sleep`, and each of them is handed to the rest of the program as an argument. The first of these, `now`, is wall-clock time and may jump; it is used for the time stamps of entries, for the heartbeat of a lease, and",
  );
  session.user("Shorter, please. A list, one line each, worst first.", { after: seconds(15) });
  session.answer(
    `Worst first; nothing I would call a bug:

- **Lease takeover** compares \`clock.now()\` with another process's heartbeat. Two machines with different clocks can disagree; that is why it needs \`--take-over\` and an age of more than a minute.
- **Own lease check** uses \`clock.monotonic()\`, so a clock that is set back cannot extend it.
- **Heartbeat**: sleeps ten seconds at a time and ends through an abort signal on release.
- **Relaxed appends** sleep 100 ms at most before they are written, or less if 64 KB wait.
- **Entry times** come from \`clock.now()\` at append; order never depends on them, \`seq\` decides.
- **Can a timer keep the process alive?** No: the runtime's \`sleep\` calls \`unref()\`. **Never fire?** Only if the process ends first, which for relaxed appends is the loss that level documents.
- **The machine's clock** is read in \`src/runtime.ts\` alone.`,
  );
  session.user("Good. That is what I needed for the security review. Nothing to do here.", {
    after: minutes(1),
  });
  session.answer("Noted; nothing was changed.");
}
