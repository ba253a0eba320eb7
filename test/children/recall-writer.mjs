// Says something in a session of its own, updates the search index, and prints each word it has taken in.
// Arguments: home, session, times.
import { writeSync } from "node:fs";
import { createRuntime } from "../../packages/core/build/runtime.js";
import { openRecall } from "../../packages/core/build/session/recall-index/index.js";
import { openFileStore } from "../../packages/core/build/stores/files/index.js";

const [home, session, times] = process.argv.slice(2);

function must(result) {
  if (result.ok) return result.value;
  writeSync(1, `failed ${result.error.code} ${result.error.message}\n`);
  process.exit(3);
}

const store = must(await openFileStore({ home, project: "test-00000000" }));
const { clock, ids } = createRuntime();
const recall = openRecall({ store, disk: store.disk, folder: `${store.layout.root}/recall`, clock, ids });
const writer = must(
  await store.logs.create({ kind: "session", session: { id: session, project: "test-00000000" } }),
);
for (let turn = 0; turn < Number(times); turn += 1) {
  const text = `common ${session}word${turn}`;
  must(await writer.append([{ kind: "message", message: { type: "user", content: text } }]));
  const updated = await recall.update();
  if (!updated.ok && updated.error.code !== "conflict") must(updated);
  if (updated.ok) writeSync(1, `${session}word${turn}\n`);
}
