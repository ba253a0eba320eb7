import type { SessionHandle } from "@palimpsest/core";
import { moreCame, toForkDirective, toolsOfPeople } from "@palimpsest/core/internal";
import {
  type AgentDefinition,
  type ForkOptions,
  isBlock,
  type LoopEvent,
  type NoticeSource,
  PalimpsestError,
  type PermissionMode,
  type PermissionRules,
  type Result,
  type RunEnd,
  type RunOptions,
  type Session,
} from "@palimpsest/core/spec";
import type { MailMember } from "../mail/mail-member.ts";
import type { AgentNames } from "./agent-prompt.ts";
import type { AgentOutcome, AgentRecord } from "./agent-record.ts";
import type { ForkQueue } from "./fork-queue.ts";

/** Requests that one agent may make. */
export const agentTurns = 200;

/** How long an agent in the background waits for the answer to something it has asked. */
export const answerWaitMs = 10 * 60_000;

/** The options for the session of an agent that begins afresh. */
export interface AgentOpening extends AgentNames {
  readonly id: string;
  /** Absent: a general one. */
  readonly definition?: AgentDefinition;
  readonly cwd: string;
  readonly mode: PermissionMode;
  /** Rules that a person's answers have added so far. */
  readonly rules: PermissionRules;
  /** Whoever wrote its prompt had nothing untrusted before its eyes. */
  readonly isTrusted: boolean;
}

export interface FreshAgent {
  readonly record: AgentRecord;
  readonly opening: AgentOpening;
  readonly open: (opening: AgentOpening) => Promise<Session>;
  /** The mail of an agent whose session is open; absent: nobody writes to it. */
  readonly mailOf: (id: string) => MailMember | undefined;
  /** Absent: nobody is asked. */
  readonly onPermission?: RunOptions["onPermission"];
  readonly signal: AbortSignal;
}

/** Lets an agent that knows nothing but its prompt work in a session of its own, to its end. Never throws. */
export async function runFresh(agent: FreshAgent): Promise<AgentOutcome> {
  let session: Session | null = null;
  try {
    session = await agent.open(agent.opening);
    agent.record.begin(session);
    const outcome = await runToEnd(agent, session);
    await session.close();
    return outcome;
  } catch (cause) {
    await session?.close().catch(() => undefined);
    return failedOutcome(cause);
  } finally {
    agent.record.stopHearing();
  }
}

/** One run after the other, as long as something waits that it has not heard: nothing that came in time is lost. */
async function runToEnd(
  { record, opening, mailOf, onPermission, signal }: FreshAgent,
  session: Session,
): Promise<AgentOutcome> {
  const asking = onPermission && { onPermission };
  const member = () => mailOf(opening.id);
  const parting = createParting(member, record.abort);
  const answers: string[] = [];
  let { prompt } = record.request;
  let turns = agentTurns;
  for (;;) {
    let end: RunEnd | null = null;
    for await (const event of session.run(prompt, {
      ...asking,
      signal,
      maxTurns: turns,
      queued: record.queued,
    })) {
      record.see(event);
      parting.see(event);
      if (event.type === "run-end") end = event;
    }
    if (!end) return { state: "failed", text: "", reason: "It ended without a word." };
    answers.push(end.text);
    turns -= end.requests;
    const isOver = end.reason !== "done" || turns <= 0 || !(await hasMore(record, member(), signal));
    if (isOver) {
      record.stopHearing();
      const text = answers.filter((one) => one.trim() !== "").join("\n\n");
      return toOutcome({ ...end, text }, parting.reason());
    }
    prompt = moreCame;
  }
}

/** Whether it has to be asked once more before it may end. */
async function hasMore(
  record: AgentRecord,
  member: MailMember | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  const hasWaiting = async () => record.queued.length > 0 || (await member?.hasWaiting()) === true;
  if (!member) return record.queued.length > 0;
  if (await member.hasAgreedToEnd()) return false;
  if (await hasWaiting()) return true;
  if (!record.request.isBackground || !(await member.awaitsAnswer())) return record.queued.length > 0;
  await member.nextMail(answerWaitMs, signal);
  return !signal.aborted && (await hasWaiting());
}

export interface ForkedAgent {
  readonly record: AgentRecord;
  readonly handle: SessionHandle;
  readonly names: AgentNames;
  /** Which answer it was begun in: forks of one share everything but their directives. */
  readonly point: string;
  readonly queue: ForkQueue;
  /** Names of tools that requests do not carry. */
  readonly unsent: readonly string[];
  /** Absent: nobody writes to it. */
  readonly enterMail?: EnterMail;
  /** Absent: nobody is asked. */
  readonly onPermission?: RunOptions["onPermission"];
  readonly signal: AbortSignal;
}

/** Lets a fork of the session work to its end. Never throws. */
export async function runForked(fork: ForkedAgent): Promise<AgentOutcome> {
  const { record, handle, names, point, queue, unsent, enterMail, onPermission, signal } = fork;
  const { hasAsked } = await queue.enter(point, signal);
  const mail = enterMail && createForkMail(enterMail, names.name);
  const parting = createParting(() => mail?.member(), record.abort);
  try {
    const { end } = await handle.session.fork(toForkDirective(record.request.prompt, mail && names), {
      kind: "agent",
      turns: agentTurns,
      tools: [...handle.head().tools.map(({ name }) => name), ...unsent].filter(
        (name) => !toolsOfPeople.includes(name),
      ),
      queued: record.queued,
      ...(onPermission && { onPermission }),
      ...(mail && { notices: mail.notices }),
      onEvent(event: LoopEvent) {
        if (event.type === "response-start" || event.type === "retry-wait") hasAsked();
        record.see(event);
        parting.see(event);
      },
      signal,
    });
    return toOutcome(end, parting.reason());
  } catch (cause) {
    return failedOutcome(cause);
  } finally {
    record.stopHearing();
    hasAsked();
    await mail?.leave();
  }
}

const stops: readonly RunEnd["reason"][] = [
  "aborted",
  "max-turns",
  "token-budget",
  "dollar-budget",
  "day-budget",
  "time-budget",
];

function toOutcome(
  { reason, message, text }: Pick<RunEnd, "reason" | "message" | "text">,
  why?: string,
): AgentOutcome {
  if (reason === "done") return { state: "done", text };
  return {
    state: stops.includes(reason) ? "stopped" : "failed",
    text,
    reason: why ?? message ?? `It ended with ${reason}.`,
  };
}

function failedOutcome(cause: unknown): AgentOutcome {
  const isOurs = PalimpsestError.isInstance(cause);
  const reason = cause instanceof Error ? cause.message : String(cause);
  const fix = isOurs && cause.fix !== undefined ? ` ${cause.fix}` : "";
  const isStop = isOurs && ["aborted", "closed"].includes(cause.code);
  return { state: isStop ? "stopped" : "failed", text: "", reason: `${reason}${fix}` };
}

/** Requests that an agent may still make once it has agreed to end: to finish what it is at, and to say so. */
export const partingRequests = 3;

/** Sees to it that an agent that has agreed to end does. */
interface Parting {
  see(event: LoopEvent): void;
  /** Why it was ended here; absent: it was not. */
  reason(): string | undefined;
}

function createParting(member: () => MailMember | undefined, abort: () => void): Parting {
  let requests = 0;
  let reason: string | undefined;
  async function count(isDone: boolean): Promise<void> {
    if (!(await member()?.hasAgreedToEnd())) return;
    requests += 1;
    if (isDone || requests < partingRequests) return;
    reason = "It had agreed to end, and went on.";
    abort();
  }
  return {
    see(event) {
      if (event.type !== "response-end") return;
      const isDone = !event.content.some((block) => isBlock(block, "tool_use"));
      void count(isDone).catch(() => undefined);
    },
    reason: () => reason,
  };
}

/** Makes an agent reachable for others. */
type EnterMail = (agent: { readonly id: string; readonly name: string }) => Promise<Result<MailMember>>;

/** The mail of a fork, whose log has its id only once it has begun. */
interface ForkMail {
  readonly notices: NonNullable<ForkOptions["notices"]>;
  member(): MailMember | undefined;
  leave(): Promise<void>;
}

function createForkMail(enter: EnterMail, name: string): ForkMail {
  let entering: Promise<unknown> = Promise.resolve();
  let member: MailMember | undefined;
  return {
    notices({ id, entries, view }) {
      let source: NoticeSource | undefined;
      entering = enter({ id, name }).then((entered) => {
        if (!entered.ok) throw entered.error;
        member = entered.value;
        source = member.source({ entries, view });
      });
      entering.catch(() => undefined);
      return [
        {
          name: "mail",
          remembers: true,
          async take(moment) {
            await entering;
            return (await source?.take(moment)) ?? [];
          },
        },
      ];
    },
    member: () => member,
    async leave() {
      await entering.catch(() => undefined);
      await member?.leave();
    },
  };
}
