import type { SessionHandle } from "@palimpsest/core";
import {
  type ContentBlock,
  type HookContext,
  type Hooks,
  isBlock,
  type LoopEvent,
  type Model,
  type NoticeSource,
  PalimpsestError,
  type PermissionMode,
  type PermissionRules,
  type PermissionVerdict,
  type Result,
  type RunEndReason,
  type RunOptions,
  type SessionStartSource,
  type Tool,
  type ToolSubject,
} from "@palimpsest/core/spec";
import type { Spending } from "./spending.ts";

/** The setup of every run of a session. */
export interface LoopSetup {
  readonly modelFor: (name: string) => Promise<Result<Model>>;
  /** The model that answers where the session's own cannot. */
  readonly fallback?: string;
  /** By name, those that are not sent included. */
  readonly tools: (name: string) => Tool | undefined;
  readonly hooks: Hooks;
  readonly notices: readonly NoticeSource[];
  /** The verdict of rules and mode on a call, by everything that was set. */
  readonly judge: (matter: CallMatter) => PermissionVerdict;
  /** The subjects of a call, with where they really lead, and the real paths it may then touch. */
  readonly resolve: (subjects: readonly ToolSubject[]) => Promise<ResolvedSubjects>;
  /** What a call may read of the files it comes upon; `undefined` where no rule is about that. Absent: nothing is kept. */
  readonly mayRead?: (walk: WalkMatter) => ((path: string) => boolean) | undefined;
  /** Whether a file, by its absolute path, is the program's own: notes, memory, plans. */
  readonly isOwnFile?: (path: string) => boolean;
  /** From 0 up to 1: waits are spread, so that many clients do not come back at once. */
  readonly random: () => number;
}

export interface CallMatter {
  readonly tool: string;
  readonly subjects: readonly ToolSubject[];
  readonly isReadOnly: boolean;
  readonly mode: PermissionMode;
  /** Rules that were added by answers. */
  readonly rules: PermissionRules;
  /** Untrusted text is before the model's eyes. */
  readonly isTainted?: boolean;
}

/** A call that was allowed, and the real paths that it was judged for. */
interface WalkMatter extends Pick<CallMatter, "tool" | "mode" | "rules"> {
  readonly paths: readonly string[];
}

interface ResolvedSubjects {
  readonly subjects: readonly ToolSubject[];
  readonly paths: readonly string[];
}

/** One run: what it was started with, and what has become of it so far. */
export interface Run {
  readonly handle: SessionHandle;
  readonly setup: LoopSetup;
  readonly options: RunOptions;
  readonly signal: AbortSignal;
  readonly emit: (event: LoopEvent) => void;
  readonly startedMs: number;
  /** Nobody was told yet that the session was opened. */
  isFirst: boolean;
  /** How the session begins, where that is not to be seen from its log. */
  readonly startSource?: SessionStartSource;
  /** Hooks were told already, since the program has used the session by itself. */
  readonly hasStarted?: boolean;
  /** Its prompt is a directive of the engine: nobody submitted it, and no title is made of it. */
  readonly isFork?: boolean;
  /** Another agent has begun it: hooks see the beginning and the end of an agent, and not a user's word. */
  readonly isAgent?: boolean;
  /** Of each answer, at most. */
  readonly maxOutputTokens?: number;
  /** Tools that may be used; absent: all. The others stay defined. */
  readonly allowedTools?: ReadonlySet<string>;
  /** Prompts of the user that nobody has read yet, oldest first. */
  readonly queued: string[];
  spending: Spending;
  mode: PermissionMode;
  /** Rules that were added by answers. */
  rules: PermissionRules;
  /** The question that the person is asked: the next one comes behind it. */
  asking: Promise<unknown>;
  /** Paths that tools have touched since notices were taken last. */
  touched: string[];
  /** Text of the newest answer. */
  text: string;
  /** Answers in a row that had a broken call. */
  brokenAnswers: number;
  /** Answers that broke off. */
  brokenStreams: number;
  /** How often hooks have kept the run from ending. */
  stopObjections: number;
}

export function sceneOf({ handle, mode }: Run): HookContext {
  return { session: handle.session.id, cwd: handle.cwd, mode };
}

export function warn(run: Run, text: string): void {
  run.emit({ type: "message-show", level: "warning", text });
}

/** Why a run is over, before it is said how much it took. */
export interface Finish {
  readonly reason: RunEndReason;
  readonly message?: string;
  readonly error?: PalimpsestError;
}

export const interrupted: Finish = { reason: "aborted", message: "Interrupted." };

/** A run that something unforeseen has ended: a full disk, or a fault of a part that was handed in. */
export function toFinish(cause: unknown): Finish {
  const error = PalimpsestError.isInstance(cause) ? cause : crashError(cause);
  return { reason: "error", message: error.message, error };
}

function crashError(cause: unknown): PalimpsestError {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new PalimpsestError("crashed", `Something in the run failed: ${message}`, { cause });
}

/** Text that says nothing: the API takes no such block. */
export function isBlank(block: ContentBlock): boolean {
  return isBlock(block, "text") && typeof block.text === "string" && block.text.trim() === "";
}
