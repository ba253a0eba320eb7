import type { Usage } from "./message.ts";

/** Where an agent's memory is: for all projects, in the repository, or in this checkout alone. */
export type AgentMemoryScope = "user" | "project" | "local";

/** A kind of agent that somebody wrote down, in `agents/*.md`. */
export interface AgentDefinition {
  readonly name: string;
  /** What it is for: by this the model chooses it. */
  readonly description: string;
  /** Names of the tools it has; absent: those of the session. */
  readonly tools?: readonly string[];
  /** Absent: that of the session. */
  readonly model?: string;
  /** Absent: it remembers nothing. */
  readonly memory?: AgentMemoryScope;
  /** What it is told before everything else. */
  readonly prompt: string;
  /** The file it was read from. */
  readonly path: string;
}

/** What one agent is asked to do. */
export interface AgentRequest {
  /** `fork`, `general`, or the name of a definition. */
  readonly agent: string;
  /** A few words, for a person. */
  readonly description: string;
  readonly prompt: string;
  /** What others call it; absent: its id. */
  readonly name?: string;
  /** Nobody waits for it: its result comes as a notice. */
  readonly isBackground: boolean;
  /** Works in a git worktree of its own, which is kept only if it has changed something. */
  readonly isIsolated: boolean;
}

/** What all agents below one session may use up together. */
export interface TreeBudget {
  /** An agent of the session is at depth 1. */
  readonly maxDepth: number;
  /** Begun, ended ones counted. */
  readonly maxAgents: number;
  /** At once. */
  readonly maxRunning: number;
  /** Input and output together, cached parts counted. */
  readonly maxTokens: number;
  readonly maxDollars: number;
  /** In which at least one of them was at work. */
  readonly maxMs: number;
  /** Of the agents of all sessions of one data root, in one day. */
  readonly maxDayDollars: number;
}

/** What an agent has used up so far. */
export interface AgentSpend {
  readonly requests: number;
  readonly toolCalls: number;
  readonly usage: Usage;
  readonly dollars: number;
}

export type AgentState = "running" | "done" | "failed" | "stopped";

/** An agent at work, or one that was, as a person sees it. */
export interface AgentStatus {
  /** What TaskOutput and TaskStop know it by. */
  readonly id: string;
  /** The session that its log is; absent before it has begun. */
  readonly session?: string;
  readonly name: string;
  readonly agent: string;
  readonly description: string;
  /** Who began it. */
  readonly parent: string;
  readonly depth: number;
  readonly isBackground: boolean;
  readonly state: AgentState;
  readonly spend: AgentSpend;
  /** What it does just now, in a few words. */
  readonly progress?: string;
  /** Why it ended, where it was not done. */
  readonly reason?: string;
  /** What it was told and did not hear before it ended. */
  readonly unheard?: readonly string[];
  /** Where its changes are, if it had a worktree and made some. */
  readonly worktree?: string;
}
