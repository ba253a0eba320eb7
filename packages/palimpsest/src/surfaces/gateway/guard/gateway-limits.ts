/** A client's limits: bytes, milliseconds, counts. */
export interface GatewayLimits {
  /** The Messages API refuses more. */
  readonly bodyBytes: number;
  readonly headerBytes: number;
  /** Until all headers are there. */
  readonly headersMs: number;
  /** Between two pieces of a body. */
  readonly bodyIdleMs: number;
  /** For a whole body. */
  readonly bodyMs: number;
  readonly connections: number;
  /** That are relayed at once; so many fewer than connections that the status can always be asked. */
  readonly requests: number;
  /** At once over one connection: clients do not ask before they were answered. */
  readonly requestsPerConnection: number;
  /** Of all bodies that are coming or being answered. */
  readonly heldBytes: number;
  /** Until the provider says its first word, and between two of them. */
  readonly upstreamIdleMs: number;
  /** Conversations that are kept open; the others are opened again when they go on. */
  readonly openConversations: number;
}

export const gatewayLimits: GatewayLimits = {
  bodyBytes: 33_554_432,
  headerBytes: 32_768,
  headersMs: 10_000,
  bodyIdleMs: 10_000,
  bodyMs: 120_000,
  connections: 2_048,
  requests: 1_024,
  requestsPerConnection: 4,
  heldBytes: 536_870_912,
  upstreamIdleMs: 600_000,
  openConversations: 32,
};

/** Why a request is not relayed. */
export type RefusalCode =
  | "host-refused"
  | "origin-refused"
  | "token-refused"
  | "target-refused"
  | "path-unknown"
  | "provider-missing"
  | "provider-unclear"
  | "headers-ambiguous"
  | "headers-too-large"
  | "body-too-large"
  | "body-too-slow"
  | "gateway-full"
  | "request-malformed"
  | "method-refused"
  | "upgrade-refused";

export interface Refusal {
  readonly code: RefusalCode;
  readonly status: number;
  readonly message: string;
  /** In which form the client reads it; when absent, in one that clients of Anthropic and OpenAI read. */
  readonly form?: "google";
}
