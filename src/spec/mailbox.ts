import type { Result } from "./result.ts";

export interface Mail {
  /** Dedup id: the same mail delivered twice has the same one. */
  readonly id: string;
  /** Set by the transport, never taken from the text. */
  readonly from: string;
  readonly to: string;
  readonly at: string;
  readonly body: unknown;
}

/** At-least-once delivery, in order per sender. */
export interface Mailbox {
  send(mail: Mail): Promise<Result<void>>;
  /** Takes up to `limit` mails; each comes again until acknowledged. */
  take(to: string, limit: number): Promise<Result<readonly Mail[]>>;
  acknowledge(to: string, ids: readonly string[]): Promise<Result<void>>;
}
