import { createHash } from "node:crypto";

/** OpenAI takes no longer id. */
export const maxCallIdLength = 40;

/** The id of a call as the protocol takes it: a longer one becomes its digest, always the same. */
export function toCallId(id: string): string {
  if (id.length <= maxCallIdLength) return id;
  return `call_${createHash("sha256").update(id).digest("hex").slice(0, 32)}`;
}
