import { cleanCuts, keptFrom } from "@palimpsest/core/internal";
import { type KeptSegment, type Layer, ok, type ViewItem } from "@palimpsest/core/spec";
import type { Policy } from "../policy.ts";
import { estimatedTokens } from "../sizes/prompt-content.ts";
import { allButNewest, createClearLayer, type UnreplacedResult } from "./tool-results.ts";

const limitTokens = 100_000;
const restTokens = 50_000;
const text = "[The conversation before this was cut off.]";

interface PlannedBoundary {
  readonly basis: number;
  readonly covers: string;
  readonly kept: KeptSegment;
  readonly tokensBefore: number;
  readonly frees: number;
}

/** Once messages take over 100,000 tokens, all but the newest 50,000 are cut off, without a way back. */
export const recency: Policy = { name: "recency", createLayers: () => [createCutLayer()] };

function createCutLayer(): Layer<PlannedBoundary> {
  return {
    id: "recency",
    moments: ["before-request"],
    decide({ items, head, count }) {
      const sizes = items.map(({ block }) => estimatedTokens(block));
      const total = sizes.reduce((sum, size) => sum + size, 0);
      if (total <= limitTokens) return { verdict: "skip", reason: "there is room" };
      const cut = cutAt(items, sizes, total);
      const kept = cut > 0 ? keptFrom(items, cut, () => 0)?.segment : undefined;
      const covers = items.at(-1)?.entry;
      if (!kept || covers === undefined) return { verdict: "skip", reason: "there is no clean cut" };
      const frees = Math.round(sizes.slice(0, cut).reduce((sum, size) => sum + size, 0));
      const command = { basis: head, covers, kept, tokensBefore: count.tokens, frees };
      return { verdict: "act", command, run: "inline", reason: "recency", frees, basis: head };
    },
    async apply({ basis, covers, kept, tokensBefore, frees }) {
      const decision = {
        type: "compact",
        layer: "recency",
        reason: "recency",
        frees,
        basis,
        trigger: "auto",
        strategy: "recency",
        tokensBefore,
        tokensAfter: Math.max(0, tokensBefore - frees),
        summary: { type: "user", content: text, isCompactSummary: true },
        covers,
        kept,
        attachments: [],
        discoveredTools: [],
      } as const;
      return ok([{ kind: "decision", decision }]);
    },
  };
}

/** The first clean cut behind which no more stands than may. */
function cutAt(items: readonly ViewItem[], sizes: readonly number[], total: number): number {
  const rest = Float64Array.from({ length: sizes.length + 1 });
  rest[0] = total;
  for (const [at, size] of sizes.entries()) rest[at + 1] = (rest[at] as number) - size;
  return cleanCuts(items).find((cut) => cut > 0 && (rest[cut] as number) <= restTokens) ?? 0;
}

const keeps = 10;

/** Results older than the newest ten are masked, of any tool, at every step, without a way back. */
export const slidingMask: Policy = {
  name: "sliding-mask",
  createLayers: () => [
    createClearLayer({
      id: "sliding-mask",
      hasHandles: false,
      choose: (results) => allButNewest(results, keeps),
    }),
  ],
};

/** Of results that say the very same after the very same call, only the newest stays; nothing else is touched. */
export const dedupe: Policy = {
  name: "dedupe",
  createLayers: () => [createClearLayer({ id: "dedupe", hasHandles: true, choose: createRepeated() })],
};

/** A result that stands says the same as long as it stands: what it says is put together once. */
function createRepeated(): (results: readonly UnreplacedResult[]) => readonly UnreplacedResult[] {
  const known = new Map<string, string>();

  function contentOf({ toolUseId, tool, input, text }: UnreplacedResult): string {
    const content = known.get(toolUseId) ?? JSON.stringify([tool, input, text]);
    known.set(toolUseId, content);
    return content;
  }

  return (results) => {
    const newest = new Map(results.map((result) => [contentOf(result), result.toolUseId]));
    return results.filter(
      (result) => result.isClearable && newest.get(contentOf(result)) !== result.toolUseId,
    );
  };
}
