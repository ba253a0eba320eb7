import type { Result } from "../result.ts";

export interface Mail {
  /** Dedup id: the same mail delivered twice has the same one. */
  readonly id: string;
  /** Set by the transport, never taken from the text. */
  readonly from: string;
  readonly to: string;
  readonly at: string;
  readonly body: unknown;
  /** Grows with every mail of one sender to one receiver; given by the mailbox. */
  readonly seq?: number;
  /** Why only the head is left: it was kept too long, or cannot be read. The body is `null`. */
  readonly dropped?: "expired" | "unreadable";
}

/**
 * At-least-once delivery, in order per sender. One mailbox object is one reader: what it has taken comes to it again until
 * it acknowledges, and to others once it has given it back or its process is dead. No mail is given while another reader
 * has an earlier one of the same sender.
 */
export interface Mailbox {
  /** Accepted once this returns, safe from power loss; `too-large` where the mail or the mailbox is full. */
  send(mail: Mail): Promise<Result<void>>;
  /** Takes up to `limit` mails; each comes again until acknowledged. What was dropped comes as a head. */
  take(to: string, limit: number): Promise<Result<readonly Mail[]>>;
  /** For mails that the receiver's log holds: they never come again. Ids that are not there are passed over. */
  acknowledge(to: string, ids: readonly string[]): Promise<Result<void>>;
  /** Gives back what this reader has taken and not acknowledged. */
  release?(to: string): Promise<Result<void>>;
  /**
   * Calls `wake` when mail for `to` may have come, until the signal says so. It may call too often and may miss some:
   * who waits looks by itself too, only less often.
   */
  watch?(to: string, wake: () => void, signal: AbortSignal): void;
}
