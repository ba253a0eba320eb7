import { createSeededRandom } from "../../../packages/testing/build/seeded-random.js";
import { acknowledge, must } from "../acknowledge.mjs";
import { project } from "../open-store.mjs";

/** Appends to one session for ever; says each acknowledged entry by its id. */
export async function work(store, { session, durability, seed }) {
  const random = createSeededRandom(seed);
  const opened = await store.logs.open(session, () => undefined, { durability });
  const isNew = !opened.ok && opened.error.code === "not-found";
  const first = { kind: "session", session: { id: session, project } };
  const writer = must(isNew ? await store.logs.create(first, { durability }) : opened);
  const size = () => (random.below(4) === 0 ? random.below(40_000) : random.below(300));
  const draft = () => ({ kind: "message", message: { type: "user", content: "x".repeat(size()) } });
  for (;;) {
    const drafts = Array.from({ length: 1 + random.below(3) }, draft);
    for (const { entry } of must(await writer.append(drafts))) acknowledge("entry", entry.id);
  }
}
