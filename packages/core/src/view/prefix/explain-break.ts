import type { CacheBreakReason, CacheJudgement, DecisionType } from "../../spec/index.ts";

/** What is different from the request before. */
export type Change =
  | { readonly kind: "first" }
  | { readonly kind: "model"; readonly from: string; readonly to: string }
  | { readonly kind: "tools" }
  | { readonly kind: "system" }
  /** Thinking, tool choice, or the first image: all of them are in the key of every message. */
  | { readonly kind: "fields" }
  | {
      readonly kind: "messages";
      readonly decisions: readonly { readonly type: DecisionType; readonly reason: string }[];
    }
  /** Without a time to live: longer ago than the provider is known to keep anything. */
  | { readonly kind: "expired"; readonly idleMs: number; readonly ttlMs?: number }
  | { readonly kind: "unknown" };

const reasons: Readonly<Record<Change["kind"], CacheBreakReason>> = {
  first: "unavailable",
  model: "model_changed",
  tools: "tools_changed",
  system: "system_changed",
  fields: "messages_changed",
  messages: "messages_changed",
  expired: "ttl_expired",
  unknown: "unavailable",
};

export function explainHit(): string {
  return "Everything the request before left in the cache is read from it.";
}

/** A break in words: whether it was to be expected, the API's name for it, and one line for a person. */
export function explainBreak(change: Change, firstBlock: number, headBlocks: number): CacheJudgement {
  const where =
    firstBlock === 0
      ? "Nothing is read from the cache"
      : firstBlock <= headBlocks
        ? "Only tools and system prompt are read from the cache"
        : `From block ${firstBlock} on nothing is read from the cache`;
  const isExpected =
    change.kind !== "unknown" && !(change.kind === "messages" && change.decisions.length === 0);
  return {
    kind: isExpected ? "expected-break" : "unexpected-break",
    reason: reasons[change.kind],
    firstBlock,
    why: `${where}: ${causeOf(change)}.`,
    dollars: 0,
  };
}

function causeOf(change: Change): string {
  switch (change.kind) {
    case "first":
      return "nothing was left there before";
    case "model":
      return `the model changed from ${change.from} to ${change.to}`;
    case "tools":
      return "the tools changed";
    case "system":
      return "the system prompt changed";
    case "fields":
      return "thinking, the tool choice, or whether there are images changed";
    case "messages":
      return change.decisions.length === 0
        ? "earlier messages changed, and no decision says why"
        : change.decisions.map(({ type, reason }) => `${type} (${reason})`).join(", ");
    case "expired":
      return `the last use was ${seconds(change.idleMs)} ago, ${
        change.ttlMs === undefined
          ? "longer than the provider is known to keep anything"
          : `and the cache keeps ${seconds(change.ttlMs)}`
      }`;
    case "unknown":
      return "the provider no longer had what it was given";
  }
}

const seconds = (ms: number) => `${Math.round(ms / 1000)} s`;
