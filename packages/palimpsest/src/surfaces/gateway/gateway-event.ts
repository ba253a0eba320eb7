import type { RefusalCode } from "./guard/refusal.ts";
import type { Match } from "./match/decide-match.ts";
import type { ProtocolName } from "./protocol/protocol.ts";

/**
 * What went to the provider. `raw`: the client's own bytes, since nothing was due. `rewritten`: what the session makes
 * of them. `observed`: the client's own bytes, which nobody may change. `passed`: something that is no conversation.
 */
export type SentForm = "raw" | "rewritten" | "observed" | "passed";

/** Tells what happened, and nothing of what was said: no texts, no keys, no query. */
export type GatewayEvent =
  | {
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
      /** Tokens of the prompt and of the answer, as the provider counted them. */
      readonly promptTokens?: number;
      readonly cacheReadTokens?: number;
      readonly outputTokens?: number;
      readonly outcome: "whole" | "client-gone" | "upstream-cut" | "unreachable";
    }
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
  /** Something of the gateway's own failed; the client's request went through as it was. */
  | {
      readonly type: "gateway-failure";
      readonly code: string;
      readonly step: string;
      readonly session?: string;
    };
