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

/** A memory as it is shown to a model. */
export interface ShownMemory extends MemoryProvenance {
  readonly path: string;
  readonly name: string;
  readonly description: string;
  readonly type: MemoryType;
  readonly body: string;
  readonly version: number;
  readonly at: string;
}
