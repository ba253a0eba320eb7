import { createRuntime } from "../../../packages/core/build/runtime.js";
import { createScribeDreamer } from "../../../packages/core/build/session/dream/dreamer.js";
import { openDreams } from "../../../packages/core/build/session/dream/open-dreams.js";
import { acknowledge, must } from "../acknowledge.mjs";
import { leaveMatters } from "../matters.mjs";

/** Leaves memory in disorder and dreams as the scribe, for ever; says what each dream came to. */
export async function work(store, { first }) {
  const { clock, ids } = createRuntime();
  const mask = async (text) => ({ ok: true, value: { text, secrets: [] } });
  const settings = { dream: { maxRemovedPercent: 90 } };
  const dreams = openDreams({ store, clock, ids, settings, mask });
  const scribe = createScribeDreamer({ numbers: dreams.numbers });
  for (let number = first; ; number += 1) {
    must(await leaveMatters(store.tree("memory"), number));
    acknowledge("left", number);
    const report = must(await dreams.once(scribe, { isByHand: true }));
    const lastMs = must(await store.consolidateLock.lastConsolidatedMs());
    acknowledge("dreamt", number, report.outcome, report.record?.state ?? "nothing", lastMs);
  }
}
