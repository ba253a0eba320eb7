import type { Clock, Ids } from "./machine.ts";
import type { ContentBlock } from "./message.ts";
import type { PermissionMode, PermissionRules, ToolSubject } from "./permission.ts";
import type { Result } from "./result.ts";
import type { Session } from "./session.ts";
import type { View } from "./view.ts";

/** A tool as the model sees it; the bytes are part of the prefix. */
export interface ToolDefinition {
  /** A tool that the provider defines, such as `memory_20250818`: neither description nor schema is sent. */
  readonly type?: string | null;
  readonly name: string;
  readonly description?: string;
  readonly input_schema?: Readonly<Record<string, unknown>>;
}

export interface Tool extends ToolDefinition {
  /** Characters a result may have before it goes to disk; absent: the layer's default. `Infinity` pages itself. */
  readonly maxResultChars?: number;
  /** Changes nothing: such calls of one response run side by side. */
  readonly isReadOnly?: boolean;
  /** Calls of one response run side by side though they may change something: each minds its own. */
  readonly isConcurrent?: boolean;
  /** Known, and not sent before somebody asks for it. */
  readonly isDeferred?: boolean;
  /** Lines about it for the system prompt of an agent that has it. Neither sent with the tool nor stored. */
  readonly promptLines?: readonly PromptLine[];
  /** An MCP server's statements about the tool. Never sent. */
  readonly _meta?: Readonly<Record<string, unknown>>;
  /** The subjects of a call, for permission; absent: nothing but the tool itself. Must not fail on a wrong input. */
  readonly subjectsOf?: (input: unknown, session?: ToolSession) => readonly ToolSubject[];
  /** The tool and input that a call of this one really means, where it only hands calls on. */
  readonly standsFor?: (input: unknown) => { readonly tool: Tool; readonly input: unknown } | undefined;
  /**
   * Does the work; absent: the program that owns the session answers calls. The input has passed the schema. A failure
   * is an outcome with `isError` that says what to do instead; what it throws becomes one.
   */
  readonly run?: (input: unknown, context: ToolContext) => Promise<ToolOutcome>;
}

/** A line of the system prompt, and where it stands: behind how to work, how to use tools, or what attachments are. */
export interface PromptLine {
  readonly section: "work" | "tools" | "attachments";
  readonly text: string;
}

/** The session that a call belongs to, for tools that keep something of each. */
export interface ToolSession {
  readonly id: string;
  readonly cwd: string;
}

/** A file as a tool found or left it. */
export interface FileStamp {
  /** Absolute. */
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly modifiedMs: number;
}

export interface ToolOutcome {
  readonly content: string | readonly ContentBlock[];
  readonly isError?: boolean;
  /** Files it read or wrote, whole or in part. */
  readonly files?: readonly FileStamp[];
  /** From here on. */
  readonly mode?: PermissionMode;
}

/** The context of one call. Everything else a tool is made with. */
export interface ToolContext {
  readonly toolUseId: string;
  readonly session: Pick<Session, "id" | "recall" | "search">;
  /** Where the agent works. */
  readonly cwd: string;
  /** Aborted: end at once, take children along. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly mode: PermissionMode;
  /** Rules that the person's answers have added so far; absent: none. */
  readonly rules?: PermissionRules;
  /** The model's current view; absent: not known. */
  readonly view?: () => View;
  /** The file as the model has it before its eyes; `undefined` where it was not read, or is no longer in view. */
  readonly fileStamp: (path: string) => FileStamp | undefined;
  /** Real paths that permission was given for; absent: not limited. */
  readonly allowedPaths?: readonly string[];
  /**
   * Whether a file that the call comes upon, by its real path, may be read: no rule denies it, and none asks about it that
   * was not asked for the call itself. Absent: no rule is about that.
   */
  readonly mayRead?: (path: string) => boolean;
  /** A line for whoever watches; never part of the result. */
  readonly progress: (text: string) => void;
  /** Asks the person; absent where there is none. */
  readonly ask?: (questions: readonly UserQuestion[]) => Promise<Result<readonly UserAnswer[]>>;
}

export interface UserQuestion {
  readonly question: string;
  /** A word or two, for a narrow place. */
  readonly header?: string;
  readonly options: readonly { readonly label: string; readonly description?: string }[];
  readonly multiSelect?: boolean;
}

export interface UserAnswer {
  readonly question: string;
  /** Labels that were chosen, or the person's own words. */
  readonly answers: readonly string[];
}
