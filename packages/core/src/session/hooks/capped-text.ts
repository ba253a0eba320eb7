/** Text that is collected up to a limit; what comes after it is forgotten. */
export interface CappedText {
  add(bytes: Uint8Array): void;
  text(): string;
  isCut(): boolean;
}

const firstBytes = 4096;

/** Holds one piece of memory, however many pieces come: a program may write byte by byte. */
export function createCappedText(maxBytes: number): CappedText {
  let kept = new Uint8Array(Math.min(firstBytes, maxBytes));
  let keptBytes = 0;
  let hasMore = false;

  function makeRoom(bytes: number): void {
    if (bytes <= kept.length) return;
    const larger = new Uint8Array(Math.min(maxBytes, Math.max(bytes, 2 * kept.length)));
    larger.set(kept);
    kept = larger;
  }

  return {
    add(bytes) {
      const fitting = bytes.subarray(0, maxBytes - keptBytes);
      if (fitting.length < bytes.length) hasMore = true;
      makeRoom(keptBytes + fitting.length);
      kept.set(fitting, keptBytes);
      keptBytes += fitting.length;
    },
    text: () => new TextDecoder().decode(kept.subarray(0, keptBytes)),
    isCut: () => hasMore,
  };
}
