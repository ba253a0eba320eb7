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
