import { createHash, timingSafeEqual } from "node:crypto";

/** Compares digests, which have one length whatever was sent, in a time that tells nothing of where the two differ. */
export function isSameSecret(given: string, secret: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(secret));
}
