import type { Memory } from "../../../spec/index.ts";

/** A memory as its file says it. */
export type ParsedMemory = Omit<Memory, "version" | "at">;

/** How memories are written down; both are total. */
export interface MemoryFormat {
  /** `null` for a text that is no memory. */
  parse(path: string, text: string): ParsedMemory | null;
  format(memory: ParsedMemory): string;
}

/** The index of the memory folder. */
export interface IndexFormat {
  /** The memory's line. */
  line(memory: ParsedMemory): string;
  /** The whole index, given the present one, whose lines above the marker are the user's own. */
  build(memories: readonly ParsedMemory[], present: string | null): string;
  readonly maxLineChars: number;
}
