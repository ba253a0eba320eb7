import type { Event } from "@palimpsest/core/spec";
import type { Task } from "./chat-state.ts";

/** So many that have ended are still listed. */
const maxEnded = 20;

/** What layers do beside the conversation, by the events that tell of it. Agents are told of by those who know them. */
export function reduceTaskEvent(tasks: readonly Task[], event: Event): readonly Task[] {
  switch (event.type) {
    case "task-start":
      return begun(tasks, {
        id: `layer ${event.layer}`,
        name: event.layer,
        detail: event.reason,
        layer: event.layer,
      });
    case "task-end":
      return ended(tasks, `layer ${event.layer}`, event.outcome);
    case "agent-start":
      if (event.kind === "agent") return tasks;
      return begun(tasks, { id: event.agent, name: `${event.kind} agent`, detail: event.agent });
    case "agent-end":
      return ended(tasks, event.agent, outcomeOf(event.reason));
    case "dream-start":
      return begun(tasks, { id: event.dream, name: "dream", detail: `by ${event.by}` });
    case "dream-update":
      return tasks.map((task) =>
        task.id === event.dream ? { ...task, detail: `turn ${event.turns}, ${event.state}` } : task,
      );
    case "dream-end":
      return ended(tasks, event.dream, dreamOutcomes[event.outcome]);
    default:
      return tasks;
  }
}

const dreamOutcomes = { completed: "done", failed: "failed", killed: "stopped" } as const;

function outcomeOf(reason: string): Task["state"] {
  if (reason === "done" || reason === "max-turns") return "done";
  return reason === "aborted" ? "stopped" : "failed";
}

function begun(tasks: readonly Task[], task: Omit<Task, "state">): readonly Task[] {
  const others = tasks.filter(({ id }) => id !== task.id);
  const running = others.filter(({ state }) => state === "running");
  const over = others.filter(({ state }) => state !== "running").slice(-maxEnded);
  return [...over, ...running, { ...task, state: "running" }];
}

function ended(tasks: readonly Task[], id: string, state: Task["state"]): readonly Task[] {
  return tasks.map((task) => (task.id === id ? { ...task, state } : task));
}
