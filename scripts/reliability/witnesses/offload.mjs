import { openSession } from "../../../packages/core/build/session/open-session.js";
import { resultText } from "../texts.mjs";

const roundsPerSession = 6;
const firstOf = (round) => round * 10_000;

/** Sees that what was offloaded can be read back whole, and that the session goes on, compacted or not. */
export function createOffloadWitness({ openStore, seed }) {
  let round = 0;
  let acknowledged = new Set();
  let isBegun = false;

  async function recalled(session, number) {
    const { text } = await session.recall(`toolu_${number}`, { limit: 1e9 });
    return text.endsWith(resultText(number)) ? [] : [`the result of call ${number} is not what it was`];
  }

  /** The calls whose results were offloaded, and whether anything was said at all. */
  async function readLog(session) {
    const found = [];
    let isEmpty = true;
    for await (const entry of session.entries()) {
      if (entry.kind === "message") isEmpty = false;
      const { decision } = entry.kind === "decision" ? entry : {};
      if (decision?.type === "offload")
        found.push(...decision.results.filter(({ preview }) => preview !== null));
    }
    return { found: found.map(({ toolUseId }) => Number(toolUseId.split("_")[1])), isEmpty };
  }

  async function look(session, said) {
    const { found, isEmpty } = await readLog(session);
    const present = new Set(found);
    const problems = [...acknowledged]
      .filter((number) => !present.has(number))
      .map((number) => `the decision about call ${number} is lost`);
    if (present.size !== found.length) problems.push("a result was offloaded twice");
    for (const number of found) problems.push(...(await recalled(session, number)));
    // The validator has the last word on what is left of a cut conversation.
    if (!isEmpty) await session.prepare();
    const compactions = said.filter(([word]) => word === "compacted");
    const others = compactions.filter(([, strategy]) => strategy !== "scribe");
    problems.push(...others.map(([, strategy]) => `compacted by ${strategy}`));
    return {
      problems,
      reached: {
        offloads: said.filter(([word]) => word === "offloaded").length,
        compactions: compactions.length,
      },
    };
  }

  return {
    name: "offload",
    maxOperations: 250,
    maxLines: 10,
    async orders() {
      if (round % roundsPerSession === 0) {
        acknowledged = new Set();
        isBegun = false;
      }
      const session = `offload-${seed}-${Math.floor(round / roundsPerSession)}`;
      round += 1;
      return [{ work: "offload", session, isNew: !isBegun, first: firstOf(round) }];
    },
    async check([{ order, said }]) {
      for (const [word, number] of said) if (word === "offloaded") acknowledged.add(Number(number));
      const store = await openStore();
      try {
        const session = await openSession({ store, id: order.session, resume: true, layers: [] });
        isBegun = true;
        try {
          return await look(session, said);
        } finally {
          await session.close();
        }
      } catch (error) {
        if (error.code === "not-found" && acknowledged.size === 0) return { problems: [], reached: {} };
        throw error;
      }
    },
  };
}
