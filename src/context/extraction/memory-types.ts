/** What a memory is about: the person, how they want work done, what is going on, where things are. */
export type MemoryType = "user" | "feedback" | "project" | "reference";

export const memoryTypes: readonly MemoryType[] = ["user", "feedback", "project", "reference"];

/** What a memory says, and of where it came from. */
export interface MemoryContent {
  readonly name: string;
  /** One line that says when it matters. */
  readonly description: string;
  readonly type: MemoryType;
  readonly body: string;
  readonly author: "user" | "agent" | "dream" | "import";
  readonly session?: string;
  /** Entries it came from. */
  readonly entries?: readonly string[];
  /** Whether untrusted content was in view when it was written. */
  readonly trust: "trusted" | "untrusted";
  /** A person has confirmed it. */
  readonly isConfirmed?: boolean;
}

/** A memory that is there already. */
export type KnownMemory = Pick<MemoryContent, "name" | "description" | "type" | "body"> & {
  readonly path: string;
};
