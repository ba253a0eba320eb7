import { openMemory } from "../../../packages/core/build/session/memory/open-memory.js";
import { project } from "../open-store.mjs";
import { must } from "../outcome.mjs";
import { numberIn, topicPath, topicText } from "../texts.mjs";

const topics = 4;
const writers = 2;

/** Sees that of several writers to one memory none loses a write, and that every version can be read. */
export function createMemoryWitness({ openStore, seed }) {
  let round = 0;
  const seen = Array.from({ length: topics }, () => 0);

  /** Versions from where the last check ended; all of them have been written by compare-and-swap. */
  async function look(memory, topic) {
    const path = topicPath(topic);
    const history = await memory.history(path);
    const problems = [];
    history.forEach(({ version }, at) => {
      if (version !== at + 1) problems.push(`${path} has version ${version} in place of ${at + 1}`);
    });
    for (const { version } of history.slice(seen[topic])) {
      const number = numberIn((await memory.read(path, version)).text);
      if (number !== version - 1) problems.push(`${path} counts ${number} in version ${version}`);
    }
    const { text } = await memory.read(path);
    if (numberIn(text) !== history.length - 1) problems.push(`${path} is not its newest version`);
    const made = history.length - seen[topic];
    seen[topic] = history.length;
    return { problems, made };
  }

  return {
    name: "memory",
    maxOperations: 450,
    maxLines: 12,
    async orders() {
      if (round === 0) {
        const tree = (await openStore()).tree("memory");
        for (let topic = 0; topic < topics; topic += 1) {
          const history = must(await tree.history(topicPath(topic)));
          if (history.length === 0)
            must(await tree.write(topicPath(topic), topicText(topic, 0), { author: "agent" }));
          seen[topic] = Math.max(1, history.length);
        }
      }
      round += 1;
      return Array.from({ length: writers }, (_, at) => {
        const writer = `writer-${round}-${at}`;
        return { work: "memory", topics, writer, seed: seed + round * writers + at };
      });
    },
    async check(ends) {
      const store = await openStore();
      const memory = await openMemory({ store, project, maskSecrets: false, search: false });
      const acknowledged = ends.flatMap(({ said }) => said.filter(([word]) => word === "written"));
      const problems = acknowledged
        .filter(([, , version, number]) => Number(version) !== Number(number) + 1)
        .map((words) => `acknowledged out of step: ${words.join(" ")}`);
      const versions = acknowledged.map(([, topic, version]) => `${topic} ${version}`);
      if (new Set(versions).size !== versions.length) problems.push("a version was acknowledged twice");
      const before = [...seen];
      let made = 0;
      for (let topic = 0; topic < topics; topic += 1) {
        const looked = await look(memory, topic);
        problems.push(...looked.problems);
        made += looked.made;
      }
      for (const [, topic, version] of acknowledged) {
        if (Number(version) > seen[topic]) problems.push(`version ${version} of topic ${topic} is lost`);
        if (Number(version) <= before[topic])
          problems.push(`version ${version} of topic ${topic} was there before`);
      }
      const unsaid = made - acknowledged.length;
      if (unsaid < 0 || unsaid > ends.length) problems.push(`${unsaid} versions that nobody acknowledged`);
      await memory.close();
      return { problems, reached: { versions: made } };
    },
  };
}
