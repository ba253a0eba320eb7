import { createHash, timingSafeEqual } from "node:crypto";

/** The token of a header such as `authorization`; `undefined` where it holds no bearer. */
export function bearerOf(header: string | undefined): string | undefined {
  return /^Bearer\s+(\S+)$/i.exec(header ?? "")?.[1];
}

/** Compares digests, which have one length whatever was sent, in a time that tells nothing of where the two differ. */
export function isSameSecret(given: string, secret: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(secret));
}
