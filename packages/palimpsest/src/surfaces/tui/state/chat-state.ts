import type { AgentStatus, LayerId, Usage, WindowLevels } from "@palimpsest/core/spec";
import type { Dialog } from "./dialog.ts";
import { type Editor, emptyEditor, emptyHistory, type PromptHistory } from "./editor.ts";
import type { Pager } from "./pager.ts";
import type { Part } from "./part.ts";

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

export interface SessionFacts {
  readonly id: string;
  readonly model: string;
  readonly cwd: string;
}

/** How full the window is. */
export interface Fullness {
  readonly tokens: number;
  readonly thresholds: WindowLevels;
}

/** The session's cost, and how much of the newest prompt came from the cache. */
export interface Cost {
  readonly dollars: number;
  readonly requests: number;
  readonly usage: Usage;
  readonly cacheShare?: number;
  /** Of the dollars, those of reads that kept the cache warm. */
  readonly keepWarm?: number;
}

export interface LiveTool {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  readonly progress: string;
}

/** The model at work. */
export interface LiveRun {
  readonly startedMs: number;
  readonly nowMs: number;
  readonly doing: string;
  /** Of the answer what is not finished yet: the rest is among the parts. */
  readonly answer: string;
  readonly hasAnswered: boolean;
  readonly tools: readonly LiveTool[];
  readonly isInterrupting: boolean;
}

/** A layer's work, a fork of its own, or a dream, beside the conversation. */
export interface Task {
  readonly id: string;
  readonly name: string;
  readonly detail: string;
  readonly state: "running" | "done" | "failed" | "stopped";
  /** Whose work it is, where it can be stopped by that. */
  readonly layer?: LayerId;
}

/** A shell command in the background. */
export interface BackgroundCommand {
  readonly id: string;
  readonly title: string;
  readonly isRunning: boolean;
  /** How it ended. */
  readonly outcome?: string;
}

/** Work the model has begun beside the conversation: it can be stopped. */
export interface Background {
  readonly agents: readonly AgentStatus[];
  readonly commands: readonly BackgroundCommand[];
}

export const noBackground: Background = { agents: [], commands: [] };

/** A command at work; what it is doing, newest last. */
export interface LiveWork {
  readonly name: string;
  readonly steps: readonly string[];
  readonly canStop: boolean;
}

/** Everything the terminal agent shows, as plain data. */
export interface ChatState {
  readonly size: ScreenSize;
  readonly session: SessionFacts | null;
  /** Only ever grows. */
  readonly parts: readonly Part[];
  readonly editor: Editor;
  /** Texts whose place a short mark holds in the editor. */
  readonly pastes: readonly string[];
  readonly history: PromptHistory;
  readonly completionAt: number;
  readonly isCompletionClosed: boolean;
  /** Paths below the folder the agent works in; `null` before they are needed. */
  readonly files: readonly string[] | null;
  readonly run: LiveRun | null;
  readonly work: LiveWork | null;
  readonly compaction: LiveWork | null;
  readonly queued: readonly string[];
  /** The first one is shown. */
  readonly dialogs: readonly Dialog[];
  readonly pager: Pager | null;
  readonly fullness: Fullness | null;
  readonly cost: Cost;
  readonly tasks: readonly Task[];
  readonly background: Background;
  /** The next Ctrl+C quits. */
  readonly isQuitArmed: boolean;
  /** Tool cards show more of what tools gave. */
  readonly isExpanded: boolean;
  readonly isQuitting: boolean;
}

export const noCost: Cost = {
  dollars: 0,
  requests: 0,
  usage: { input: 0, output: 0, cacheRead: 0, cacheCreation: 0 },
};

export function initialState(size: ScreenSize, history: readonly string[] = []): ChatState {
  return {
    size,
    session: null,
    parts: [],
    editor: emptyEditor,
    pastes: [],
    history: { ...emptyHistory, prompts: history },
    completionAt: 0,
    isCompletionClosed: false,
    files: null,
    run: null,
    work: null,
    compaction: null,
    queued: [],
    dialogs: [],
    pager: null,
    fullness: null,
    cost: noCost,
    tasks: [],
    background: noBackground,
    isQuitArmed: false,
    isExpanded: false,
    isQuitting: false,
  };
}
