/** Keeps a response that comes in one piece, up to what a response can have. */
const maxBytes = 33_554_432;

export interface WholeBody {
  take(chunk: Uint8Array): void;
  /** `undefined` where it was larger than anything that is read. */
  text(): string | undefined;
}

export function createWholeBody(): WholeBody {
  let chunks: Uint8Array[] = [];
  let bytes = 0;
  return {
    take(chunk) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) chunks = [];
      else chunks.push(chunk);
    },
    text: () => (bytes > maxBytes ? undefined : Buffer.concat(chunks).toString("utf8")),
  };
}
