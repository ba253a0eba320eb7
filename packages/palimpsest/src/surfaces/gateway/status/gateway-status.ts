import type { LayerReport } from "@palimpsest/core/spec";
import type { GatewayEvent } from "../gateway.ts";
import type { Conversation } from "../session/conversation.ts";

/** The gateway's activity, for people and programs. */
export interface GatewayStatus {
  readonly name: "palimpsest gateway";
  readonly version: string;
  readonly mode: "manage" | "observe";
  readonly upstreams: Readonly<Record<string, string>>;
  readonly startedAt: string;
  readonly requests: Readonly<Record<string, number>>;
  readonly refusals: Readonly<Record<string, number>>;
  readonly failures: Readonly<Record<string, number>>;
  readonly tokens: { readonly prompt: number; readonly cacheRead: number; readonly output: number };
  /** Whether prompts are read again while nobody asks, and what of that was done and paid for. */
  readonly isKeepingWarm: boolean;
  readonly keepWarm: { readonly reads: number; readonly misses: number; readonly dollars: number };
  readonly sessions: readonly SessionStatus[];
}

export interface SessionStatus {
  readonly id: string;
  readonly protocol: string;
  readonly model: string;
  readonly messages: number;
  readonly isRewritten: boolean;
  /** As the provider counted the newest response, prompt and answer. */
  readonly countedTokens: number;
  readonly windowTokens: number;
  /** Compaction begins here. */
  readonly compactsAtTokens: number;
  /** Its newest request is held in memory, to be read again. */
  readonly isKeptWarm: boolean;
  /** What its reads have cost, those of earlier gateways too; absent before the first. */
  readonly keepWarmDollars?: number;
  /** The layers' planned actions for the next request. */
  readonly planned: readonly Pick<LayerReport, "layer" | "reason" | "frees">[];
}

/** Counts what happens. */
export interface StatusTally {
  see(event: GatewayEvent): void;
  read(): Pick<GatewayStatus, "requests" | "refusals" | "failures" | "tokens" | "keepWarm">;
}

export function createStatusTally(): StatusTally {
  const requests: Record<string, number> = { raw: 0, rewritten: 0, observed: 0, passed: 0 };
  const refusals: Record<string, number> = {};
  const failures: Record<string, number> = {};
  const tokens = { prompt: 0, cacheRead: 0, output: 0 };
  const keepWarm = { reads: 0, misses: 0, dollars: 0 };
  const count = (counts: Record<string, number>, name: string) => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  return {
    see(event) {
      if (event.type === "request-refuse") return count(refusals, event.code);
      if (event.type === "gateway-failure") return count(failures, event.code);
      if (event.type === "prompt-offload" || event.type === "warming-end") return;
      if (event.type === "keep-warm") {
        keepWarm.reads += 1;
        if (!event.isHit) keepWarm.misses += 1;
        keepWarm.dollars += event.dollars;
        return;
      }
      count(requests, event.sent);
      tokens.prompt += event.promptTokens ?? 0;
      tokens.cacheRead += event.cacheReadTokens ?? 0;
      tokens.output += event.outputTokens ?? 0;
    },
    read: () => ({
      requests: { ...requests },
      refusals: { ...refusals },
      failures: { ...failures },
      tokens: { ...tokens },
      keepWarm: { ...keepWarm },
    }),
  };
}

export function toSessionStatus(conversation: Conversation): SessionStatus {
  const { id, protocol, head, nodes, isRewriting, countedTokens, levels } = conversation;
  const { isKeptWarm, keepWarmDollars } = conversation;
  return {
    id,
    protocol,
    model: head.model,
    messages: nodes.length,
    isRewritten: isRewriting,
    countedTokens,
    windowTokens: levels.window,
    compactsAtTokens: levels.auto,
    isKeptWarm,
    ...(keepWarmDollars !== undefined && { keepWarmDollars }),
    planned: conversation
      .plan()
      .filter(({ outcome }) => outcome === "act")
      .map(({ layer, reason, frees }) => ({ layer, reason, frees })),
  };
}
