import type { Usage } from "./message.ts";
import type { Result } from "./result.ts";

/** Where an agent's memory is: for all projects, in the repository, or in this checkout alone. */
export type AgentMemoryScope = "user" | "project" | "local";

/** A kind of agent that somebody wrote down, in `agents/*.md`. */
export interface AgentDefinition {
  readonly name: string;
  /** Its purpose: by this the model chooses it. */
  readonly description: string;
  /** Names of the tools it has; absent: those of the session. */
  readonly tools?: readonly string[];
  /** Absent: that of the session. */
  readonly model?: string;
  /** Absent: it remembers nothing. */
  readonly memory?: AgentMemoryScope;
  /** The system prompt it begins with. */
  readonly prompt: string;
  /** The file it was read from. */
  readonly path: string;
}

/** A task given to one agent. */
export interface AgentRequest {
  /** `fork`, `general`, or the name of a definition. */
  readonly agent: string;
  /** A few words, for a person. */
  readonly description: string;
  readonly prompt: string;
  /** The name others call it; absent: its id. */
  readonly name?: string;
  /** Nobody waits for it: its result comes as a notice. */
  readonly isBackground: boolean;
  /** Works in a git worktree of its own, which is kept only if it has changed something. */
  readonly isIsolated: boolean;
}

/** The limits that all agents below one session share. */
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

/** Resources an agent has used so far. */
export interface AgentSpend {
  readonly requests: number;
  readonly toolCalls: number;
  readonly usage: Usage;
  readonly dollars: number;
}

export type AgentState = "running" | "done" | "failed" | "stopped";

/** An agent at work, or one that was, as a person sees it. */
export interface AgentStatus {
  /** The id for TaskOutput and TaskStop. */
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
  /** Its current activity, in a few words. */
  readonly progress?: string;
  /** Why it ended, where it was not done. */
  readonly reason?: string;
  /** Messages it was sent and had not read when it ended. */
  readonly unheard?: readonly string[];
  /** Where its changes are, if it had a worktree and made some. */
  readonly worktree?: string;
}

/** Asks an agent to end; it answers, and ends if it agrees. */
export interface ShutdownRequest {
  readonly type: "shutdown_request";
  readonly requestId: string;
  readonly reason?: string;
}

export interface ShutdownResponse {
  readonly type: "shutdown_response";
  readonly requestId: string;
  readonly approve: boolean;
  /** Must be given where it is refused. */
  readonly reason?: string;
}

/** Asks whether a plan may be carried out. */
export interface PlanApprovalRequest {
  readonly type: "plan_approval_request";
  readonly requestId: string;
  readonly plan: string;
}

export interface PlanApprovalResponse {
  readonly type: "plan_approval_response";
  readonly requestId: string;
  readonly approve: boolean;
  /** The change wanted; required where it is refused. */
  readonly feedback?: string;
}

export type StructuredMessage =
  | ShutdownRequest
  | ShutdownResponse
  | PlanApprovalRequest
  | PlanApprovalResponse;

/** A message between agents, as mailboxes, queues and sockets carry it. */
export interface AgentMessage {
  readonly content: string | StructuredMessage;
  /** A few words for whoever watches. */
  readonly summary?: string;
}

/** Whom a message is for, as the model writes it. */
export type AgentAddress =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "everyone" }
  | { readonly kind: "session"; readonly id: string }
  | { readonly kind: "socket"; readonly path: string };

/** How a message gets there. */
export type AgentRoute = "queue" | "mailbox" | "socket";

/** Who can be reached. */
export interface ReachableAgent {
  /** The id of its log: `<session>`, or `<session>/<agent>`. */
  readonly id: string;
  readonly name: string;
  readonly route: AgentRoute;
  /** The socket it listens at. */
  readonly socket?: string;
}

/** A message that has arrived. Who it is from is known from the way it came. */
export interface ReceivedMessage {
  /** Dedup id. */
  readonly id: string;
  /** The sender's log id. */
  readonly from: string;
  readonly fromName?: string;
  readonly at: string;
  readonly seq: number;
  readonly message: AgentMessage;
}

/** The outcome of sending to one receiver. */
export interface MessageReceipt {
  readonly id: string;
  readonly to: string;
  readonly name: string;
  readonly route: AgentRoute;
}

export interface BroadcastReceipt {
  readonly delivered: readonly MessageReceipt[];
  readonly failed: readonly { readonly name: string; readonly reason: string }[];
}

/** An agent of this process, as long as it runs. */
export interface RegisteredAgent {
  readonly id: string;
  readonly name: string;
  /** The contents of its queue, which is empty afterwards. */
  drain(): readonly ReceivedMessage[];
  /** Called when a message was put into the queue; gives back how to stop that. */
  onMessage(listener: () => void): () => void;
  /** From here on nobody reaches it. */
  unregister(): Promise<void>;
}

export interface AgentRegistration {
  /** The id of its log. */
  readonly id: string;
  /** A name that others call it by; unique among all that can be reached. */
  readonly name: string;
  /** Other processes may write to it; absent: only this one. */
  readonly isPublic?: boolean;
  /** Where it listens; only of those that are public. */
  readonly socket?: string;
}

/** Who there is in a project, and the way to each. One per process and project. */
export interface AgentDirectory {
  /** `exists` where the name is taken. */
  register(agent: AgentRegistration): Promise<Result<RegisteredAgent>>;
  /** Everybody but `self`, by name. */
  list(self?: string): Promise<readonly ReachableAgent[]>;
  /** Whom an address means, with the way there; `not-found` says who there is. */
  find(self: string, to: string): Promise<Result<readonly ReachableAgent[]>>;
  /** `from` is the sender's log id, which the caller knows from the call and never from a text. */
  send(from: string, to: string, message: AgentMessage): Promise<Result<BroadcastReceipt>>;
}
