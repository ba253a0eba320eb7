import type { IncomingMessage } from "node:http";

/** 32 MB: the API takes no larger request. */
export const maxBodyBytes = 33_554_432;

export type ReadBody =
  | { readonly state: "read"; readonly text: string; readonly bytes: number }
  | { readonly state: "too-large"; readonly bytes: number }
  | { readonly state: "abandoned" };

/**
 * Reads a body to its end. What is over the limit is read too and not kept, because a client that is still sending does
 * not see an answer.
 */
export async function readBody(request: IncomingMessage): Promise<ReadBody> {
  let chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBodyBytes) chunks = [];
      else chunks.push(chunk);
    }
  } catch {
    return { state: "abandoned" };
  }
  if (bytes > maxBodyBytes) return { state: "too-large", bytes };
  return { state: "read", text: Buffer.concat(chunks).toString("utf8"), bytes };
}
