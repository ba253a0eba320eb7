import { gunzipChunks, isGzip } from "./gunzip-chunks.ts";
import type { TranscriptFormat } from "./import-report.ts";
import { headBytes, inspectHead } from "./inspect-head.ts";
import { createLookahead } from "./lookahead.ts";

/** Tells a transcript's format by its first bytes, uncompressed; they may be cut anywhere. See `readHead`. */
export function detectFormat(head: Uint8Array): TranscriptFormat {
  return inspectHead(head).format;
}

/** The first bytes of a file, uncompressed, plain or gzip; as many as could be read. Never throws. */
export async function readHead(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number = headBytes,
): Promise<Uint8Array> {
  const raw = createLookahead(chunks);
  const first = await raw.peek(2);
  const source = isGzip(first) ? createLookahead(gunzipChunks(raw.chunks(), () => {})) : raw;
  const head = await source.peek(maxBytes);
  await source.close();
  await raw.close();
  return head;
}
