import type { Clock, ProjectStores, Settings, Usage } from "@palimpsest/core/spec";
import type { GatewayLimits, RefusalCode } from "./guard/gateway-limits.ts";
import type { Match } from "./match/match-conversation.ts";
import type { ProtocolName } from "./protocol/protocol.ts";
import type { GatewayStatus } from "./status/gateway-status.ts";

export interface GatewayOptions {
  /** A free port when absent or 0. It listens on this machine only. */
  readonly port?: number;
  /**
   * Where requests go, without `/v1`, those for unknown paths too. When absent, each goes to the server of the provider that
   * its path and headers name, and what names none is refused. Nothing that is sent changes it.
   */
  readonly upstream?: string;
  /** The same for OpenAI's paths alone; `upstream` when absent. Beside another `upstream`, unknown paths are refused. */
  readonly openaiUpstream?: string;
  /** The data root; `PALIMPSEST_HOME` and its defaults when absent. */
  readonly home?: string;
  /** Where projects are stored; files below the data root when absent. Not closed by the gateway. */
  readonly stores?: ProjectStores;
  /** The project that sessions belong to; the process's folder when absent. */
  readonly cwd?: string;
  /** Nothing is rewritten: sessions are recorded, and the status says what would be done. */
  readonly isObserving?: boolean;
  /** Who sums up: the scribe, or the model of the request, with its key. */
  readonly compactBy?: "scribe" | "model";
  /** The token clients have to show the gateway itself. */
  readonly token?: string;
  /** Settings of every session, stronger than files and environment. */
  readonly settings?: Settings;
  readonly limits?: Partial<GatewayLimits>;
  readonly clock?: Clock;
  /** Hears what happens. What it throws is dropped. */
  readonly onEvent?: (event: GatewayEvent) => void;
}

/** A server between agents and their model's provider. */
export interface Gateway {
  /** The base URL for clients. */
  readonly url: string;
  readonly port: number;
  status(): GatewayStatus;
  /** Resolves once no request and no read is under way and everything is recorded. */
  idle(): Promise<void>;
  /** Ends every connection and closes every session. */
  close(): Promise<void>;
}

/**
 * What went to the provider. `raw`: the client's own bytes, since nothing was due. `rewritten`: what the session makes
 * of them. `observed`: the client's own bytes, which nobody may change. `passed`: something that is no conversation.
 */
export type SentForm = "raw" | "rewritten" | "observed" | "passed";

/** Tokens of a prompt and of its answer, as the provider counted them. */
export interface TokenCounts {
  readonly promptTokens: number;
  readonly cacheReadTokens: number;
  readonly outputTokens: number;
}

export function countsOf({ input, output, cacheRead, cacheCreation }: Usage): TokenCounts {
  return {
    promptTokens: input + cacheRead + cacheCreation,
    cacheReadTokens: cacheRead,
    outputTokens: output,
  };
}

/** Tells what happened, and nothing of what was said: no texts, no keys, no query. */
export type GatewayEvent =
  | ({
      readonly type: "request-end";
      readonly method: string;
      readonly path: string;
      /** Absent where nothing says whose words the request has. */
      readonly protocol?: ProtocolName;
      readonly sent: SentForm;
      /** It was sent before it was read, since nothing could be due. */
      readonly isUnread?: boolean;
      /** Absent where the provider gave none. */
      readonly status?: number;
      readonly session?: string;
      readonly match?: Match["kind"];
      readonly model?: string;
      /** Why it was only observed. */
      readonly reason?: string;
      /** The layers that acted. */
      readonly layers?: readonly string[];
      readonly outcome: "whole" | "client-gone" | "upstream-cut" | "unreachable";
    } & Partial<TokenCounts>)
  | {
      readonly type: "request-refuse";
      readonly code: RefusalCode;
      readonly method: string;
      readonly path: string;
    }
  /** A part of a prompt that alone exceeds the window was stored; its beginning and end, or a label, are sent. */
  | {
      readonly type: "prompt-offload";
      readonly session: string;
      readonly block: "text" | "image" | "document";
      readonly bytes: number;
      readonly lines: number;
    }
  /** A prompt was read again with the client's key, so that it stays in the cache. Without a hit no more are made. */
  | ({
      readonly type: "keep-warm";
      readonly session: string;
      readonly isHit: boolean;
      readonly dollars: number;
      /** In this pause, this one counted. */
      readonly reads: number;
    } & TokenCounts)
  /** The client's next request is no longer waited for with reads. */
  | { readonly type: "warming-end"; readonly session: string; readonly reason: string }
  /** Something of the gateway's own failed; the client's request went through as it was. */
  | {
      readonly type: "gateway-failure";
      readonly code: string;
      readonly step: string;
      readonly session?: string;
    };
