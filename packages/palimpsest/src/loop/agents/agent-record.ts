import {
  firstChars,
  nothingSpentByAgent,
  toAgentResult,
  toProgressWords,
  toSpendText,
  withAgentResponse,
} from "@palimpsest/core/internal";
import type {
  AgentRequest,
  AgentSpend,
  AgentState,
  AgentStatus,
  Clock,
  LoopEvent,
  Session,
  Usage,
} from "@palimpsest/core/spec";
import type { AgentTask } from "../../tools/agent/index.ts";

/** How an agent has ended. */
export interface AgentOutcome {
  readonly state: Exclude<AgentState, "running">;
  readonly text: string;
  readonly reason?: string;
  readonly worktree?: string;
}

/** The number of newest steps kept for whoever says how far an agent is. */
const newestSteps = 8;
const stepChars = 300;

export interface AgentRecordOptions {
  readonly id: string;
  readonly request: AgentRequest;
  /** The session of whoever began it. */
  readonly parent: string;
  readonly depth: number;
  /** Ends it. */
  readonly abort: () => void;
  readonly clock: Pick<Clock, "now">;
  /** Hears what each response took. */
  readonly onSpend: (usage: Usage, dollars: number) => void;
}

/** A response of an agent, as far as saying how far it is needs it. */
export interface NewestResponse {
  readonly model: string;
  readonly usage: Usage;
  readonly atMs: number;
}

/** The state of one agent. */
export interface AgentRecord extends AgentTask {
  readonly request: AgentRequest;
  readonly depth: number;
  /** Ends it. */
  readonly abort: () => void;
  /** Messages it has not read. */
  readonly queued: string[];
  readonly isTold: boolean;
  /** Resolves once its session is open, or it has ended. */
  readonly begun: Promise<void>;
  /** How much it has said and done: grows with every step. */
  readonly steps: number;
  see(event: LoopEvent): void;
  /** The cost of saying how far it is counts as its own. */
  spend(usage: Usage, dollars: number): void;
  /** Its session is open. */
  begin(session: Session): void;
  /** From here on it is told nothing. */
  stopHearing(): void;
  /** Its session, if it has one of its own. */
  opened(): Session | undefined;
  /** The usage and time of its newest response; absent before the first one. */
  newestResponse(): NewestResponse | undefined;
  finish(outcome: AgentOutcome): void;
  setProgress(words: string): void;
  /** Its answer; empty before it has ended. */
  text(): string;
  /** By its last call of a tool; absent before the first one. */
  lastCall(): string | undefined;
  /** The newest things it said and did. */
  newest(): string;
}

export function createAgentRecord(options: AgentRecordOptions): AgentRecord {
  const { id, request, parent, depth, abort, clock, onSpend } = options;
  const { agent, description, name = id, isBackground } = request;
  const queued: string[] = [];
  const newest: string[] = [];
  let spent: AgentSpend = nothingSpentByAgent;
  let outcome: AgentOutcome | null = null;
  let session: string | undefined;
  let opened: Session | undefined;
  let model = "";
  let newestResponse: NewestResponse | undefined;
  let isDeaf = false;
  let progress: string | undefined;
  let lastCall: string | undefined;
  let toldProgress: string | undefined;
  let [steps, isTold, hasGivenResult] = [0, false, false];
  let settleBegun = () => {};
  const begun = new Promise<void>((resolve) => {
    settleBegun = resolve;
  });
  let settle = () => {};
  const ended = new Promise<void>((resolve) => {
    settle = resolve;
  });

  function step(text: string): void {
    steps += 1;
    newest.push(firstChars(text, stepChars));
    if (newest.length > newestSteps) newest.shift();
  }

  function spend(usage: Usage, dollars: number): void {
    spent = withAgentResponse(spent, usage, dollars);
    onSpend(usage, dollars);
  }

  const status = (): AgentStatus => ({
    id,
    ...(session !== undefined && { session }),
    name,
    agent,
    description,
    parent,
    depth,
    isBackground,
    state: outcome?.state ?? "running",
    spend: spent,
    ...(progress !== undefined && { progress }),
    ...(outcome?.reason !== undefined && { reason: outcome.reason }),
    ...(outcome?.worktree !== undefined && { worktree: outcome.worktree }),
    ...(outcome !== null && queued.length > 0 && { unheard: [...queued] }),
  });

  const result = () => toAgentResult(status(), outcome?.text ?? "");

  return {
    id,
    title: description,
    request,
    depth,
    abort,
    queued,
    begun,
    ended,
    status,
    result,
    spend,
    get steps() {
      return steps;
    },
    get isTold() {
      return isTold;
    },
    get isRunning() {
      return outcome === null;
    },
    get outcome() {
      return outcome === null ? undefined : [outcome.state, outcome.reason].filter(Boolean).join(": ");
    },
    text: () => outcome?.text ?? "",
    newest: () => newest.join("\n"),
    lastCall: () => lastCall,
    see(event) {
      if (event.type === "response-start") ({ model } = event);
      if (event.type === "response-end") {
        newestResponse = { model, usage: event.usage, atMs: clock.now() };
        spend(event.usage, event.dollars);
        for (const block of event.content)
          if (block.type === "text") step(`It says: ${(block as { readonly text: string }).text}`);
      }
      if (event.type === "tool-start") {
        spent = { ...spent, toolCalls: spent.toolCalls + 1 };
        lastCall = toProgressWords(event.tool, event.input);
        step(`It calls ${event.tool}: ${JSON.stringify(event.input) ?? ""}`);
      }
      if (event.type === "run-start") session = event.session;
    },
    begin(given) {
      opened = given;
      session = given.id;
      settleBegun();
    },
    stopHearing() {
      isDeaf = true;
    },
    opened: () => opened,
    newestResponse: () => newestResponse,
    finish(given) {
      outcome ??= given;
      settleBegun();
      settle();
    },
    setProgress(words) {
      progress = words;
    },
    tell(text) {
      if (outcome !== null || isDeaf || text.trim() === "") return false;
      queued.push(text);
      return true;
    },
    takeOutput() {
      if (outcome !== null) {
        if (hasGivenResult) return "";
        hasGivenResult = true;
        return result();
      }
      const now = `${progress ?? lastCall ?? "Beginning"} (${toSpendText(spent)})`;
      if (now === toldProgress) return "";
      toldProgress = now;
      return now;
    },
    async stop() {
      abort();
      await ended;
    },
    markTold() {
      isTold = true;
    },
  };
}
