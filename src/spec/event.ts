import type { LayerId } from "./decision.ts";
import type { LogReport } from "./log-store.ts";
import type { Usage } from "./message.ts";

/** One typed union to one sink; names are noun-verb. The terminal, the inspector and telemetry subscribe. */
export type Event = { readonly session: string; readonly at: string } & EventBody;

export type CacheBreakReason =
  | "model_changed"
  | "system_changed"
  | "tools_changed"
  | "messages_changed"
  | "ttl_expired"
  | "unavailable";

export type EventBody =
  | { readonly type: "session-open"; readonly report: LogReport; readonly readOnly: boolean }
  | { readonly type: "session-close" }
  /** Something that was set has no effect, or not the one that was wished; the message says why. */
  | { readonly type: "setting-ignored"; readonly message: string }
  | { readonly type: "request-start"; readonly tokens: number }
  | { readonly type: "request-end"; readonly usage: Usage; readonly dollars: number }
  | {
      readonly type: "cache-break";
      readonly reason: CacheBreakReason;
      readonly expected: boolean;
      readonly firstBlock: number;
      readonly secondsSinceResponse: number;
      readonly dollars: number;
    }
  | {
      readonly type: "result-offload";
      readonly toolUseId: string;
      readonly bytes: number;
      readonly path?: string;
    }
  | {
      readonly type: "results-clear";
      readonly trigger: "auto" | "manual";
      readonly results: number;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      readonly tokensSaved: number;
    }
  | { readonly type: "compaction-start"; readonly trigger: string; readonly tokensBefore: number }
  | {
      readonly type: "compaction-end";
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      readonly strategy: string;
      readonly usage?: Usage;
    }
  | { readonly type: "compaction-failed"; readonly reason: string }
  | { readonly type: "layer-failed"; readonly layer: LayerId; readonly message: string }
  | { readonly type: "draft-dropped"; readonly layer: LayerId; readonly basis: number };
