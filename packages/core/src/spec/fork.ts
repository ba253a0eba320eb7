import type { ModelEvent } from "./cache.ts";
import type { Entry } from "./entry.ts";
import type { ErrorCode, PalimpsestError } from "./error.ts";
import type { Taint } from "./memory/memory.ts";
import type { ContentBlock, Usage } from "./message.ts";
import type { PermissionAnswer, PermissionMode, PermissionQuestion } from "./permission.ts";
import type { Result } from "./result.ts";
import type { NoticeSource } from "./surroundings.ts";
import type { ToolOutcome, UserAnswer, UserQuestion } from "./tool.ts";
import type { View } from "./view.ts";

export type ForkKind = "notes" | "compaction" | "memory" | "collapse" | "agent";

export interface ForkOptions {
  readonly kind: ForkKind;
  /** Names of the tools it may use; the others stay defined and are denied. Absent: all that only read. */
  readonly tools?: readonly string[];
  /**
   * Files by path that exist in this fork alone, in memory. It may Edit them and do nothing else: whatever `tools` says,
   * no other tool runs, and no other path is touched.
   */
  readonly files?: Readonly<Record<string, ForkFile>>;
  /**
   * A folder of which the fork gets a copy in memory: Write and Edit change the copy and no other file, Read sees it as
   * they have left it. The other tools are those of `tools`. Not together with `files`.
   */
  readonly folder?: ForkFolder;
  /** Who is asked for what no rule allows; absent: nobody, and it is denied. */
  readonly onPermission?: RunOptions["onPermission"];
  /** Requests at most. */
  readonly turns?: number;
  readonly budget?: RunBudget;
  /** Of each answer, where that is less than the parent's requests allow and thinking leaves room for it. */
  readonly maxOutputTokens?: number;
  /** Hears how many characters of the newest answer have come. */
  readonly onChars?: (chars: number) => void;
  /** Hears what happens in it. */
  readonly onEvent?: (event: LoopEvent) => void;
  /** Messages for it, oldest first: it reads them after the round of tools it is in, and takes them out. */
  readonly queued?: string[];
  /** Who tells it something after its rounds of tools; absent: nobody. */
  readonly notices?: (context: ForkContext) => readonly NoticeSource[];
  /** Ends the fork; the parent's own abort ends it too. */
  readonly signal?: AbortSignal;
}

/** The parts of a fork that its notice sources may look at. */
export interface ForkContext {
  /** Its own log has this id. */
  readonly id: string;
  readonly entries: () => AsyncIterable<Entry>;
  readonly view: () => View;
}

export interface ForkFile {
  readonly text: string;
  /** A remark for the model about the file as an edit has left it; `undefined`: nothing. */
  readonly remark?: (text: string) => string | undefined;
}

export interface ForkFolder {
  /** Absolute: the model knows its files by it. */
  readonly path: string;
  /** Texts by path below it. */
  readonly files: Readonly<Record<string, string>>;
  /** Why a text may not stand at a path below it, as a sentence for the model; `undefined`: it may. */
  readonly refuse?: (path: string, text: string) => string | undefined;
}

export interface ForkResult {
  /** Its own log has this id. */
  readonly id: string;
  readonly end: RunEnd;
  /** Its last answer. */
  readonly content: readonly ContentBlock[];
  readonly text: string;
  readonly usage: Usage;
  readonly dollars: number;
  readonly requests: number;
  /** The files it was given, as it has left them; those of a folder by their paths below it, new ones included. */
  readonly files?: Readonly<Record<string, string>>;
  /** Untrusted content in its view at its end, its directive included; absent: not known. */
  readonly taint?: Taint;
  /** How much of its first prompt came from the parent's cache. */
  readonly cache: { readonly promptTokens: number; readonly readTokens: number; readonly share: number };
}

/** Limits of one run, counted from its beginning; absent: no limit. */
export interface RunBudget {
  /** Input and output together, cached parts counted. */
  readonly tokens?: number;
  readonly dollars?: number;
  readonly timeMs?: number;
}

export interface RunOptions {
  readonly signal?: AbortSignal;
  /** Requests at most. */
  readonly maxTurns?: number;
  readonly budget?: RunBudget;
  /** Asked where rules and mode leave it open; absent: it is denied. */
  readonly onPermission?: (question: PermissionQuestion, signal: AbortSignal) => Promise<PermissionAnswer>;
  /** Asked by the model; absent: it is told that there is nobody. */
  readonly onQuestion?: (
    questions: readonly UserQuestion[],
    signal: AbortSignal,
  ) => Promise<Result<readonly UserAnswer[]>>;
  readonly mode?: PermissionMode;
  /** Messages for it, oldest first, in place of the session's own queue: it takes out those it has read. */
  readonly queued?: string[];
}

export type RunEndReason =
  /** The model has answered without a tool call. */
  | "done"
  | "max-turns"
  | "token-budget"
  | "dollar-budget"
  /** The daily budget that all sessions share is used up. */
  | "day-budget"
  | "time-budget"
  | "aborted"
  /** The request is too large to be sent. */
  | "blocked"
  | "hook"
  | "refusal"
  /** The model's answer was cut at its limit. */
  | "max-output"
  | "error";

export interface RunEnd {
  readonly reason: RunEndReason;
  /** For a person; absent where the model is simply done. */
  readonly message?: string;
  readonly error?: PalimpsestError;
  /** The text of the last answer. */
  readonly text: string;
  readonly requests: number;
  readonly usage: Usage;
  readonly dollars: number;
  readonly durationMs: number;
}

type BlockEvent = Exclude<ModelEvent, { readonly type: "response-start" | "response-end" }>;

/** Events of a run, as they happen. The last one is `run-end`. */
export type LoopEvent =
  | { readonly type: "run-start"; readonly session: string; readonly entry: string }
  /** Something was attached for the model. */
  | { readonly type: "notice-add"; readonly subtype: string; readonly text: string }
  | {
      readonly type: "model-start";
      readonly model: string;
      readonly tokens: number;
      readonly attempt: number;
    }
  | { readonly type: "response-start"; readonly id: string; readonly model: string }
  | BlockEvent
  /** The response is in the log. */
  | {
      readonly type: "response-end";
      readonly entry: string;
      readonly id: string;
      readonly content: readonly ContentBlock[];
      readonly stopReason: string | null;
      readonly usage: Usage;
      readonly dollars: number;
    }
  /** Everything since `response-start` is void: it is in the log, and no request will have it. */
  | { readonly type: "response-cut"; readonly code: ErrorCode; readonly message: string }
  | {
      readonly type: "retry-wait";
      readonly attempt: number;
      readonly delayMs: number;
      readonly code: ErrorCode;
      readonly message: string;
    }
  | { readonly type: "model-fallback"; readonly from: string; readonly to: string; readonly message: string }
  | { readonly type: "permission-ask"; readonly question: PermissionQuestion }
  | {
      readonly type: "tool-start";
      readonly toolUseId: string;
      readonly tool: string;
      readonly input: unknown;
    }
  | { readonly type: "tool-progress"; readonly toolUseId: string; readonly text: string }
  | {
      readonly type: "tool-end";
      readonly toolUseId: string;
      readonly tool: string;
      readonly content: ToolOutcome["content"];
      readonly isError: boolean;
      readonly durationMs: number;
    }
  /** A hook's or the engine's word to the person. */
  | { readonly type: "message-show"; readonly level: "info" | "warning"; readonly text: string }
  | ({ readonly type: "run-end" } & RunEnd);
