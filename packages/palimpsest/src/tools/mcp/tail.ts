/** The end of a stream of bytes. */
export interface Tail {
  add(bytes: Uint8Array): void;
  /** Its last whole lines, or what there is of a longer one. */
  text(): string;
}

/** Keeps the last `maxBytes` of what is added, in bounded memory. */
export function createTail(maxBytes: number): Tail {
  let kept: Buffer = Buffer.alloc(0);
  let isCut = false;
  return {
    add(bytes) {
      const joined = Buffer.concat([kept, bytes.subarray(-maxBytes)]);
      isCut ||= kept.length + bytes.length > maxBytes;
      kept = Buffer.from(joined.subarray(-maxBytes));
    },
    text() {
      const text = kept.toString("utf8");
      const lineEnd = text.indexOf("\n");
      const hasWholeLines = isCut && lineEnd >= 0 && lineEnd < text.length - 1;
      return (hasWholeLines ? text.slice(lineEnd + 1) : text).trimEnd();
    },
  };
}
