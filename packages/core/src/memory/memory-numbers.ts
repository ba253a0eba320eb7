/** Every number that memory files and their index rest on. A KB has 1,000 bytes. */
export const memoryNumbers = {
  /** Bytes of one memory, front matter included. */
  maxMemoryBytes: 100_000,
  /** Lines and bytes of `MEMORY.md`, the user's own lines included. */
  maxIndexLines: 200,
  maxIndexBytes: 25_000,
  /** Characters of a memory's line in the index are fewer than this. */
  indexLineChars: 150,
  /** Characters of the front matter. */
  maxFrontMatterChars: 8_000,
  /** Words that make one shingle, and how much two memories have to share to be near duplicates. */
  shingleWords: 3,
  nearDuplicateShare: 0.6,
} as const;
