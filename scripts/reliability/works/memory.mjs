import { openMemory } from "../../../packages/core/build/session/memory/open-memory.js";
import { createSeededRandom } from "../../../packages/testing/build/seeded-random.js";
import { acknowledge } from "../acknowledge.mjs";
import { project } from "../open-store.mjs";
import { numberIn, topicPath, topicText } from "../texts.mjs";

/** Raises numbers in memories by compare-and-swap for ever; says each acknowledged one. */
export async function work(store, { topics, seed, writer }) {
  const random = createSeededRandom(seed);
  const memory = await openMemory({ store, project, maskSecrets: false, search: false });
  for (;;) {
    const topic = random.below(topics);
    const path = topicPath(topic);
    const { text, version } = await memory.read(path);
    const number = numberIn(text) + 1;
    const how = { author: "agent", session: writer, trust: "trusted", expect: version.version };
    try {
      const written = await memory.write(path, topicText(topic, number), how);
      acknowledge("written", topic, written.version.version, number);
    } catch (error) {
      if (error.code !== "conflict") throw error;
    }
  }
}
