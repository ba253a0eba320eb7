import { type Layer, ok } from "@palimpsest/core/spec";
import type { Policy } from "../policy.ts";

/** Nothing but system, tools and output: the floor of cost, and of survival. */
export const dropAll: Policy = {
  name: "drop-all",
  createLayers: () => [createDropLayer("[Everything before was dropped.]")],
};

/** Puts a text in the place of everything, at every request. */
export function createDropLayer(text: string): Layer<{
  readonly basis: number;
  readonly covers: string;
  readonly tokens: number;
}> {
  return {
    id: "drop-all",
    moments: ["before-request"],
    decide({ items, head, count }) {
      const covers = items.at(-1)?.entry;
      if (covers === undefined) return { verdict: "skip", reason: "nothing is there" };
      const { tokens } = count;
      const command = { basis: head, covers, tokens };
      return { verdict: "act", command, run: "inline", reason: "drop-all", frees: tokens, basis: head };
    },
    async apply({ basis, covers, tokens }) {
      const decision = {
        type: "compact",
        layer: "drop-all",
        reason: "drop-all",
        frees: tokens,
        basis,
        trigger: "auto",
        strategy: "drop-all",
        tokensBefore: tokens,
        tokensAfter: 0,
        summary: { type: "user", content: text, isCompactSummary: true },
        covers,
        attachments: [],
        discoveredTools: [],
      } as const;
      return ok([{ kind: "decision", decision }]);
    },
  };
}

/** Everything stays as it was recorded: what all others are compared with. */
export const identity: Policy = { name: "identity", createLayers: () => [] };

/** The recorded agent's contexts, compacted where its harness compacted, at what the recording says that its requests took. */
export const recorded: Policy = {
  name: "recorded",
  keepsBoundaries: true,
  chargesRecordedUsage: true,
  createLayers: () => [],
};

/** The same contexts through the simulated cache, as every other policy's: marked for five minutes. */
export const recordedSimulated: Policy = {
  name: "recorded-simulated",
  keepsBoundaries: true,
  createLayers: () => [],
};
