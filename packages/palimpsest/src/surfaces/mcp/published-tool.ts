import type { ContextUsage, LogListing, MemoryFolder, Recalled, Tool } from "@palimpsest/core/spec";

/** The sessions of all projects, to be read and never written. */
export interface ReadableSessions {
  /** This project's, newest first. */
  list(): Promise<readonly LogListing[]>;
  /** By a session's id or its beginning; this project's come first. */
  recall(
    session: string,
    id: string,
    page: { readonly offset?: number; readonly limit?: number },
  ): Promise<Recalled>;
  usage(session: string): Promise<ContextUsage>;
  /** What was said and decided, oldest first, a line an entry; of more than so many characters the end. */
  transcript(session: string, maxChars: number): Promise<string>;
}

/** A dream that waits for a person, as text; `null` where none does. */
export type DescribeWaitingDream = (id?: string) => Promise<string | null>;

/** What the server publishes. */
export interface PublishedSources {
  readonly memory: MemoryFolder;
  readonly sessions: ReadableSessions;
  readonly describeWaitingDream: DescribeWaitingDream;
}

export interface ToolAnswer {
  readonly text: string;
  /** The same for programs. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** A tool that other people's agents may call. Failures throw a `PalimpsestError`. */
export interface PublishedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input_schema: Tool["input_schema"];
  readonly isReadOnly: boolean;
  run(input: unknown, sources: PublishedSources, caller: string): Promise<ToolAnswer>;
}
