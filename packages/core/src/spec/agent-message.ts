import type { Result } from "./result.ts";

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
  /** What to change; must be given where it is refused. */
  readonly feedback?: string;
}

export type StructuredMessage =
  | ShutdownRequest
  | ShutdownResponse
  | PlanApprovalRequest
  | PlanApprovalResponse;

/** What one agent says to another, as mailboxes, queues and sockets carry it. */
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

/** What came of sending to one receiver. */
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
  /** What is in its queue, and in its queue no longer. */
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
