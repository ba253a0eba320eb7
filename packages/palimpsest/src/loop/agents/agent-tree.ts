import type { SessionHandle } from "@palimpsest/core";
import { hasForkMarker, reservedAgents, rootOf, showLine, toAgentNotice } from "@palimpsest/core/internal";
import {
  type AgentDefinition,
  type AgentRequest,
  type AgentStatus,
  type Clock,
  fail,
  type Ids,
  type NoticeSource,
  ok,
  type PermissionRules,
  type Result,
  type RunOptions,
  type Session,
  type ToolContext,
  type TreeBudget,
} from "@palimpsest/core/spec";
import { createLinkedSignal } from "../../signals.ts";
import { type AgentPort, type AgentTask, findAgent } from "../../tools/agent/index.ts";
import type { TaskSource } from "../../tools/shell/index.ts";
import { mergeRules } from "../create-judge.ts";
import type { AgentMail } from "../mail/open-agent-mail.ts";
import type { AgentNames } from "./agent-prompt.ts";
import { type AgentOutcome, type AgentRecord, createAgentRecord } from "./agent-record.ts";
import { createForkQueue } from "./fork-queue.ts";
import { type Summarize, watchProgress } from "./progress-rounds.ts";
import { type AgentOpening, runForked, runFresh } from "./run-agent.ts";
import { createTreeMeter, type DaySpend } from "./tree-meter.ts";
import type { Worktree } from "./worktree.ts";

export interface AgentTreeOptions {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly budget: TreeBudget;
  readonly agents: readonly AgentDefinition[];
  /** The session they belong to; `null` before it runs for the first time. */
  readonly handle: () => SessionHandle | null;
  /** Opens the session of an agent that begins afresh. What it throws is the agent's failure. */
  readonly open: (opening: AgentOpening) => Promise<Session>;
  /** Who is asked for what no rule allows an agent; absent: nobody, and it is denied. */
  readonly onPermission?: RunOptions["onPermission"];
  /** How others write to agents; absent: they do not. */
  readonly mail?: Pick<AgentMail, "enter" | "member">;
  /** A worktree of the repository at a folder; absent: there are none. */
  readonly worktree?: (cwd: string, id: string) => Promise<Result<Worktree>>;
  readonly daySpend?: DaySpend;
  /** Names of tools that forks may use and that requests do not carry. */
  readonly unsentTools?: () => readonly string[];
  /** The spending of the session's agents before it was opened again. */
  readonly dollarsBefore?: () => number;
  /** Says in a few words what an agent does; absent: its last call of a tool says it. */
  readonly summarize?: Summarize;
}

/** All agents below one session: begun, counted, told of and ended here. */
export interface AgentTree extends AgentPort, TaskSource {
  readonly tasks: () => readonly AgentTask[];
  statuses(): readonly AgentStatus[];
  /** The agent of a name that is at work, to be told something. */
  named(name: string): AgentTask | undefined;
  /** Tells a session how the agents have ended that it did not wait for. */
  noticesFor(session: string): NoticeSource;
  /** Ends all and waits for it; none begins afterwards. */
  close(): Promise<void>;
}

/** Who wants to begin an agent, and how deep that agent would be. */
interface Caller {
  readonly session: string;
  readonly depth: number;
  readonly isFork: boolean;
}

export function createAgentTree(options: AgentTreeOptions): AgentTree {
  const { clock, ids, budget, agents, handle, open, daySpend, summarize } = options;
  const records: AgentRecord[] = [];
  const forkQueue = createForkQueue();
  /** Why agents were stopped that the budget has stopped. */
  const stopReasons = new Map<AgentRecord, string>();
  /** Rules that agents were begun with: those that they begin have them too. */
  const rulesOf = new Map<string, PermissionRules>();
  let isClosed = false;
  const running = () => records.filter(({ isRunning }) => isRunning);
  const meter = createTreeMeter({
    clock,
    budget,
    ...(daySpend && { daySpend }),
    ...(options.dollarsBefore && { dollarsBefore: options.dollarsBefore }),
    onStop(reason) {
      for (const record of running()) {
        stopReasons.set(record, reason);
        void record.stop();
      }
    },
  });

  function callerOf({ session: { id }, view }: ToolContext): Caller | null {
    const isFork = hasForkMarker(view?.().items ?? []);
    if (id === handle()?.session.id) return { session: id, depth: 0, isFork };
    const record = records.find((one) => one.status().session === id);
    return record ? { session: id, depth: record.depth, isFork: isFork || isForked(record) } : null;
  }

  /** Why it may not begin, with what to do instead; the definition where it has one. */
  function admit(
    request: AgentRequest,
    caller: Caller | null,
    mode: ToolContext["mode"],
  ): Result<AgentDefinition | undefined> {
    const { agent, name, isBackground, isIsolated } = request;
    if (isClosed) return fail("closed", "No agent can begin: the session is ending.");
    if (!caller) return refuse("No agent can begin in this conversation.", "Do the work yourself.");
    if (agent === "fork" && (caller.isFork || caller.depth > 0))
      return refuse("This conversation is an agent's, and cannot be forked.", "Do the work yourself.");
    if (caller.isFork && isBackground)
      return refuse("A fork ends before such an agent would.", "Leave background out.");
    if (agent === "fork" && isIsolated)
      return refuse("A fork works where this conversation does.", "Use a general agent for a worktree.");
    if (isIsolated && mode === "plan")
      return refuse(
        "Plan mode: nothing is changed before the plan is agreed, and a worktree is a change of the repository.",
        "Leave isolation out: the agent then reads in this folder.",
      );
    if (name !== undefined && running().some((one) => one.status().name === name))
      return refuse(`An agent called ${name} is at work already.`, "Give it another name.");
    const definition = reservedAgents.includes(agent) ? ok(undefined) : findAgent(agents, agent);
    if (!definition.ok) return definition;
    const refusal = meter.refusal(caller.depth + 1);
    return refusal === null
      ? definition
      : refuse(refusal, "Do the work yourself, or end with what there is.");
  }

  function begin(
    request: AgentRequest,
    definition: AgentDefinition | undefined,
    caller: Caller,
    context: ToolContext,
  ): AgentRecord {
    const id = ids.next("agent");
    const { signal, abort, unlink } = createLinkedSignal([context.signal]);
    const record: AgentRecord = createAgentRecord({
      id,
      request,
      parent: caller.session,
      depth: caller.depth + 1,
      abort,
      clock,
      onSpend: meter.spend,
    });
    records.push(record);
    meter.begin();
    const done = new AbortController();
    if (request.isBackground && handle()?.config().flags.values["agent-summaries"])
      void watchProgress({ record, clock, summarize, emit: tell, signal: done.signal });
    void work(record, definition, context, signal).then(async (outcome) => {
      unlink();
      done.abort();
      await stopChildren(record);
      meter.end();
      const reason = stopReasons.get(record);
      record.finish(outcome.state === "stopped" && reason ? { ...outcome, reason } : outcome);
    });
    return record;
  }

  function work(
    record: AgentRecord,
    definition: AgentDefinition | undefined,
    context: ToolContext,
    signal: AbortSignal,
  ): Promise<AgentOutcome> {
    const root = handle() as SessionHandle;
    if (!isForked(record)) return fresh(root, record, definition, context, signal);
    const point = `${root.view().head}`;
    const unsent = options.unsentTools?.() ?? [];
    const enterMail = options.mail?.enter;
    const names = namesOf(record);
    return runForked({
      record,
      handle: root,
      names,
      point,
      queue: forkQueue,
      unsent,
      ...(enterMail && { enterMail }),
      ...askingFor(record),
      signal,
    });
  }

  /** The person is told which agent wants it. */
  function askingFor(record: AgentRecord): Pick<RunOptions, "onPermission"> {
    const { onPermission } = options;
    if (!onPermission) return {};
    return {
      onPermission: (question, signal) => onPermission({ ...question, agent: record.status().name }, signal),
    };
  }

  function namesOf(record: AgentRecord): AgentNames {
    const { name, parent } = record.status();
    return { name, parent: records.find((one) => one.status().session === parent)?.status().name ?? parent };
  }

  async function fresh(
    root: SessionHandle,
    record: AgentRecord,
    definition: AgentDefinition | undefined,
    { cwd, mode, view, rules = {} }: ToolContext,
    signal: AbortSignal,
  ): Promise<AgentOutcome> {
    const id = `${rootOf(root.session.id)}/${record.id}`;
    const location = record.request.isIsolated ? await isolate(cwd, record.id) : ok(undefined);
    if (!location.ok) {
      const { message, fix } = location.error;
      return { state: "failed", text: "", reason: [message, fix].filter(Boolean).join(" ") };
    }
    const worktree = location.value;
    root.emit({ type: "agent-start", agent: id, kind: "agent" });
    const opening: AgentOpening = {
      id,
      ...namesOf(record),
      ...(definition && { definition }),
      cwd: worktree?.cwd ?? cwd,
      mode,
      rules: mergeRules(rulesOf.get(record.status().parent) ?? {}, rules),
      isTrusted: view?.().taint?.trust === "trusted",
    };
    rulesOf.set(id, opening.rules);
    const mailOf = (agent: string) => options.mail?.member(agent);
    const outcome = await runFresh({ record, opening, open, mailOf, ...askingFor(record), signal });
    rulesOf.delete(id);
    const { usage, dollars } = record.status().spend;
    const reason =
      outcome.state === "done" ? "done" : outcome.state === "stopped" ? "aborted" : ("error" as const);
    root.emit({ type: "agent-end", agent: id, kind: "agent", reason, usage, dollars });
    await root.note({ topic: "fork", fork: id, forkKind: "agent", usage, dollars });
    const kept = await worktree?.leave();
    return kept === undefined ? outcome : { ...outcome, worktree: kept };
  }

  async function isolate(cwd: string, id: string): Promise<Result<Worktree>> {
    if (options.worktree) return options.worktree(cwd, id);
    return fail("invalid-input", "There are no worktrees here.", { fix: "Leave isolation out." });
  }

  /** Nobody is left whom they could tell. */
  async function stopChildren(record: AgentRecord): Promise<void> {
    const { session } = record.status();
    const children = running().filter((one) => one.status().parent === session);
    await Promise.all(children.map((one) => one.stop()));
  }

  function tell(record: AgentRecord, text: string): void {
    const { session = record.id } = record.status();
    handle()?.emit({ type: "agent-update", agent: session, text });
  }

  const dueFor = (session: string) =>
    records.filter((one) => one.request.isBackground && one.status().parent === session && !one.isTold);

  function take(session: string): readonly AgentRecord[] {
    const due = dueFor(session).filter(({ isRunning }) => !isRunning);
    for (const record of due) record.markTold();
    return due;
  }

  return {
    tasks: () => records,
    statuses: () => records.map((one) => one.status()),
    named: (name) => running().find((one) => one.status().name === name),
    async start(request, context) {
      await daySpend?.load();
      const caller = callerOf(context);
      const admitted = admit(request, caller, context.mode);
      if (!admitted.ok) return admitted;
      const record = begin(request, admitted.value, caller as Caller, context);
      if (!isForked(record)) await record.begun;
      return ok(record);
    },
    noticesFor: (session) => ({
      name: "agents",
      take: async () => take(session).map(toNotice),
      restore: async () => [
        ...dueFor(session)
          .filter(({ isRunning }) => isRunning)
          .map(toRunningNotice),
        ...take(session).map(toNotice),
      ],
    }),
    async close() {
      isClosed = true;
      await Promise.all(running().map((one) => one.stop()));
      await daySpend?.settle();
    },
  };
}

const isForked = ({ request }: AgentRecord) => request.agent === "fork";

function refuse(message: string, fix: string): Result<never> {
  return fail("denied", message, { fix });
}

function toNotice(record: AgentRecord) {
  return { subtype: "agent", text: toAgentNotice(record.status(), record.text()) };
}

function toRunningNotice({ id, title }: AgentRecord) {
  return {
    subtype: "agent",
    text: `The background agent ${id} (${showLine(title)}) is at work. TaskOutput says how far it is, TaskStop ends it.`,
  };
}
