export type MemoryType = "user" | "feedback" | "project" | "reference";

/** What a memory says of where it came from. */
export interface MemoryProvenance {
  readonly author: "user" | "agent" | "dream" | "import";
  readonly session?: string;
  /** Entries it came from. */
  readonly entries?: readonly string[];
  /** Whether untrusted content was in view when it was written. */
  readonly trust: "trusted" | "untrusted";
  /** A person has confirmed it. */
  readonly isConfirmed?: boolean;
}

/** A memory as its file says it. */
export interface ParsedMemory extends MemoryProvenance {
  readonly path: string;
  readonly name: string;
  /** One line: says when it matters. */
  readonly description: string;
  readonly type: MemoryType;
  readonly body: string;
}

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
