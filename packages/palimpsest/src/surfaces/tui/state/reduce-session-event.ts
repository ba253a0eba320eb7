import type { Event } from "@palimpsest/core/spec";
import { formatCount, formatDollars, formatNumber, formatSeconds } from "../../terminal/format-amount.ts";
import { strategyWords } from "../../terminal/token-words.ts";
import type { ChatState, Task } from "./chat-state.ts";
import { addedUsage, addNote } from "./part.ts";

/** Shows a session's event. Those of its forks are told by what they are for. */
export function reduceSessionEvent(state: ChatState, event: Event): ChatState {
  if (state.session && event.session !== state.session.id) return state;
  const compacted = reduceCompactionEvent(state, event);
  if (compacted) return compacted;
  const tasks = reduceTaskEvent(state.tasks, event);
  const known = tasks === state.tasks ? state : { ...state, tasks };
  switch (event.type) {
    case "request-end":
      return addUsage(known, event);
    case "agent-end":
      return { ...known, cost: { ...known.cost, dollars: known.cost.dollars + event.dollars } };
    case "keep-warm":
      return addRead(known, event);
    case "cache-break":
      if (event.expected) return known;
      return addNote(
        known,
        "warning",
        `The cache was missed: ${event.why} (${formatDollars(event.dollars)})`,
      );
    case "setting-ignored":
    case "value-lost":
      return addNote(known, "warning", event.message);
    case "model-assumed":
      return event.isKnownModel ? known : addNote(known, "warning", `${event.message} ${event.fix}`);
    case "layer-failed":
    case "memory-failed":
      return isTold(known, event.message) ? known : addNote(known, "warning", event.message);
    default: {
      const line = quietLine(event);
      return line === null ? known : addNote(known, "info", line);
    }
  }
}

/** A compaction that failed has said so itself. */
function isTold({ parts }: ChatState, message: string): boolean {
  const last = parts.at(-1);
  return last?.kind === "note" && last.text.endsWith(message);
}

/** The line about a change of the context: openable in the transcript. */
function quietLine(event: Event): string | null {
  switch (event.type) {
    case "results-clear":
      return `Cleared ${formatNumber(event.results, "old result")}, ${formatCount(event.tokensSaved)} tokens; Ctrl+O has them.`;
    case "fold-commit":
      return `Folded ${formatNumber(event.folds, "span")} of finished work, ${formatCount(event.tokensSaved)} tokens; Ctrl+O has them.`;
    case "memory-extracted":
      return event.written.length === 0 ? null : `Remembered: ${event.written.join(", ")}`;
    default:
      return null;
  }
}

function addRead(
  state: ChatState,
  { dollars, isHit }: Extract<Event, { readonly type: "keep-warm" }>,
): ChatState {
  const { cost } = state;
  const paid = {
    ...state,
    cost: { ...cost, dollars: cost.dollars + dollars, keepWarm: (cost.keepWarm ?? 0) + dollars },
  };
  if (isHit) return paid;
  const text = `A keep-warm read did not find the prompt in the cache (${formatDollars(dollars)}): no more are made in this pause.`;
  return addNote(paid, "warning", text);
}

function addUsage(
  state: ChatState,
  { usage, dollars }: Extract<Event, { readonly type: "request-end" }>,
): ChatState {
  const { cost } = state;
  const prompt = usage.input + usage.cacheRead + usage.cacheCreation;
  return {
    ...state,
    cost: {
      dollars: cost.dollars + dollars,
      requests: cost.requests + (prompt > 0 ? 1 : 0),
      usage: addedUsage(cost.usage, usage),
      ...(prompt > 0
        ? { cacheShare: usage.cacheRead / prompt }
        : cost.cacheShare !== undefined && { cacheShare: cost.cacheShare }),
      ...(cost.keepWarm !== undefined && { keepWarm: cost.keepWarm }),
    },
  };
}

/** So many that have ended are still listed. */
const maxEnded = 20;

/** What layers do beside the conversation, by the events that tell of it. Agents are told of by those who know them. */
function reduceTaskEvent(tasks: readonly Task[], event: Event): readonly Task[] {
  switch (event.type) {
    case "task-start":
      return addTask(tasks, {
        id: `layer ${event.layer}`,
        name: event.layer,
        detail: event.reason,
        layer: event.layer,
      });
    case "task-end":
      return endTask(tasks, `layer ${event.layer}`, event.outcome);
    case "agent-start":
      if (event.kind === "agent") return tasks;
      return addTask(tasks, { id: event.agent, name: `${event.kind} agent`, detail: event.agent });
    case "agent-end":
      return endTask(tasks, event.agent, outcomeOf(event.reason));
    case "dream-start":
      return addTask(tasks, { id: event.dream, name: "dream", detail: `by ${event.by}` });
    case "dream-update":
      return tasks.map((task) =>
        task.id === event.dream ? { ...task, detail: `turn ${event.turns}, ${event.state}` } : task,
      );
    case "dream-end":
      return endTask(tasks, event.dream, dreamOutcomes[event.outcome]);
    default:
      return tasks;
  }
}

const dreamOutcomes = { completed: "done", failed: "failed", killed: "stopped" } as const;

function outcomeOf(reason: string): Task["state"] {
  if (reason === "done" || reason === "max-turns") return "done";
  return reason === "aborted" ? "stopped" : "failed";
}

function addTask(tasks: readonly Task[], task: Omit<Task, "state">): readonly Task[] {
  const others = tasks.filter(({ id }) => id !== task.id);
  const running = others.filter(({ state }) => state === "running");
  const over = others.filter(({ state }) => state !== "running").slice(-maxEnded);
  return [...over, ...running, { ...task, state: "running" }];
}

function endTask(tasks: readonly Task[], id: string, state: Task["state"]): readonly Task[] {
  return tasks.map((task) => (task.id === id ? { ...task, state } : task));
}

const written = /^writing the summary/;

/** A compaction, step by step; `null` for an event of something else. */
function reduceCompactionEvent(state: ChatState, event: Event): ChatState | null {
  switch (event.type) {
    case "compaction-start": {
      const steps = [`${formatCount(event.tokens)} tokens are there (${event.trigger})`];
      return { ...state, compaction: { name: "Compacting", steps, canStop: true } };
    }
    case "hooks-start":
      return withStep(state, `hooks: ${event.hook}`);
    case "compaction-delta":
      return withStep(state, `writing the summary: ${formatNumber(event.chars, "character")}`);
    case "compaction-retry":
      return withStep(
        state,
        `too long: trying again without the oldest ${formatNumber(event.droppedRounds, "round")}`,
      );
    case "rung-skip":
      return withStep(state, `${event.rung}: ${event.message}`);
    case "file-restored":
      return withStep(state, `restored ${event.path}`);
    case "compaction-end": {
      const sizes = sizesOf(event);
      const text = `Compacted: ${sizes}, ${strategyWords[event.strategy] ?? event.strategy}, in ${formatSeconds(event.durationMs)}. /undo reverts it; Ctrl+O shows the original.`;
      return addNote({ ...state, compaction: null }, "info", text);
    }
    case "compaction-failed": {
      const over = { ...state, compaction: null };
      if (event.reason === "aborted")
        return addNote(over, "info", "Compaction stopped; nothing was changed.");
      return addNote(over, "warning", `Not compacted: ${event.message}`);
    }
    case "breaker-open":
      return addNote(
        state,
        "warning",
        `The model has failed to compact ${formatNumber(event.failures, "time")} and is not asked again, but by /compact.`,
      );
    default:
      return null;
  }
}

/** What is left is an estimate: where it is no smaller than what was counted before, it says nothing. */
function sizesOf({ tokensBefore, tokensAfter }: Extract<Event, { readonly type: "compaction-end" }>): string {
  return tokensAfter < tokensBefore
    ? `${formatCount(tokensBefore)} → ${formatCount(tokensAfter)} tokens`
    : `${formatCount(tokensBefore)} tokens before; the next answer tells how many are left`;
}

/** How far a summary has come takes the place of how far it had. */
function withStep(state: ChatState, step: string): ChatState {
  const { compaction } = state;
  if (!compaction) return state;
  const isFurther = written.test(step) && written.test(compaction.steps.at(-1) ?? "");
  const steps = [...(isFurther ? compaction.steps.slice(0, -1) : compaction.steps), step];
  return { ...state, compaction: { ...compaction, steps } };
}
