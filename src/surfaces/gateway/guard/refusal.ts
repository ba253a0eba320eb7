/** Why a request is not relayed. */
export type RefusalCode =
  | "host-refused"
  | "origin-refused"
  | "token-refused"
  | "target-refused"
  | "headers-ambiguous"
  | "headers-too-large"
  | "body-too-large"
  | "body-too-slow"
  | "request-malformed"
  | "method-refused";

export interface Refusal {
  readonly code: RefusalCode;
  readonly status: number;
  readonly message: string;
}
