import type { ErrorCode, PalimpsestError } from "./error.ts";
import type { ContentBlock, Usage } from "./message.ts";
import type { ModelEvent } from "./model.ts";
import type { PermissionAnswer, PermissionMode, PermissionQuestion } from "./permission.ts";
import type { Result } from "./result.ts";
import type { ToolOutcome, UserAnswer, UserQuestion } from "./tool.ts";

/** What a run may use up, counted from its beginning; absent: as much as it needs. */
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
  /** What it is told meanwhile, oldest first, in place of the session's own queue: what it has heard it takes out. */
  readonly queued?: string[];
}

export type RunEndReason =
  /** The model has answered without a tool call. */
  | "done"
  | "max-turns"
  | "token-budget"
  | "dollar-budget"
  /** What all sessions together may spend in a day is used up. */
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

/** What happens in a run, as it happens. The last one is `run-end`. */
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
  /** What came since `response-start` is void: it is in the log, and no request will have it. */
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
