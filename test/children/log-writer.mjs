// Appends to one session until it is killed, and prints each acknowledged entry: "<seq> <id>".
// Arguments: home, session, durability, seed.
import { writeSync } from "node:fs";
import { openFileStore } from "../../packages/core/build/stores/files/index.js";

const [home, session, durability, seed] = process.argv.slice(2);

function must(result) {
  if (result.ok) return result.value;
  writeSync(1, `failed ${result.error.code}\n`);
  process.exit(3);
}

/** Small steps of a linear congruential generator: sizes differ, runs repeat. */
let state = Number(seed) >>> 0;
function next(limit) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state % limit;
}

const { logs } = must(await openFileStore({ home, project: "test-00000000" }));
const opened = await logs.open(session, () => undefined, { durability });
const writer =
  !opened.ok && opened.error.code === "not-found"
    ? must(
        await logs.create(
          { kind: "session", session: { id: session, project: "test-00000000" } },
          { durability },
        ),
      )
    : must(opened);
writeSync(1, `open ${writer.report.entries}\n`);

for (;;) {
  const drafts = Array.from({ length: 1 + next(3) }, () => ({
    kind: "message",
    message: { type: "user", content: "x".repeat(next(4) === 0 ? next(60_000) : next(300)) },
  }));
  const appended = must(await writer.append(drafts));
  writeSync(1, appended.map(({ entry }) => `${entry.seq} ${entry.id}\n`).join(""));
}
