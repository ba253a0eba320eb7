import { createHmac, timingSafeEqual } from "node:crypto";

/** What both ends of a connection have said: a proof holds for this connection only. */
export interface Greeting {
  /** The listener's log id and what it made up. */
  readonly listener: string;
  readonly listenerNonce: string;
  /** The sender's. */
  readonly sender: string;
  readonly senderNonce: string;
}

/** That one end knows a token, without showing it. */
export function proofOf(token: string, role: "listener" | "sender", greeting: Greeting): string {
  const { listener, listenerNonce, sender, senderNonce } = greeting;
  const said = JSON.stringify([role, listener, listenerNonce, sender, senderNonce]);
  return createHmac("sha256", token).update(said).digest("hex");
}

export function isProof(given: unknown, expected: string): boolean {
  if (typeof given !== "string" || given.length !== expected.length) return false;
  return timingSafeEqual(Buffer.from(given, "latin1"), Buffer.from(expected, "latin1"));
}
