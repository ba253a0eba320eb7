import { withinTime } from "@palimpsest/core/internal";
import type { Tool, ToolContext, ToolOutcome } from "@palimpsest/core/spec";
import type { BackgroundTask, TaskSource } from "./shell-tasks.ts";

/** How long TaskOutput waits for the end of a task, where it is asked to wait. */
export const defaultWaitMs = 30_000;
export const maxWaitMs = 600_000;

interface TaskInput {
  readonly task_id: string;
  readonly block?: boolean;
  readonly timeout?: number;
}

const taskId = { type: "string", description: "The id that starting the task gave." } as const;

/** TaskOutput and TaskStop, for the tasks of all these. */
export function createTaskTools(sources: readonly TaskSource[]): readonly Tool[] {
  const all = () => sources.flatMap((source) => source.tasks());

  function find(input: unknown): BackgroundTask | ToolOutcome {
    const { task_id: id } = input as TaskInput;
    return all().find((task) => task.id === id) ?? unknownTaskOutcome(id, all());
  }

  return [
    {
      name: "TaskOutput",
      description:
        "Gives what a background task has put out since it was asked last, and whether it still runs. With block it waits until the task has ended or the timeout has passed. You are told when a task ends: do not poll.",
      input_schema: {
        type: "object",
        properties: {
          task_id: taskId,
          block: { type: "boolean", description: "Wait for the end of the task." },
          timeout: {
            type: "integer",
            minimum: 0,
            maximum: maxWaitMs,
            description: `Milliseconds to wait at most; ${defaultWaitMs} unless given.`,
          },
        },
        required: ["task_id"],
        additionalProperties: false,
      },
      isReadOnly: true,
      async run(input, context) {
        const task = find(input);
        if (!isTask(task)) return task;
        if ((input as TaskInput).block) await waitFor(task, (input as TaskInput).timeout, context);
        return report(task);
      },
    },
    {
      name: "TaskStop",
      description: "Ends a background task with everything it started, and gives the rest of its output.",
      input_schema: {
        type: "object",
        properties: { task_id: taskId },
        required: ["task_id"],
        additionalProperties: false,
      },
      async run(input) {
        const task = find(input);
        if (!isTask(task)) return task;
        await task.stop();
        return report(task);
      },
    },
  ];
}

const isTask = (found: BackgroundTask | ToolOutcome): found is BackgroundTask => "takeOutput" in found;

async function waitFor(task: BackgroundTask, timeoutMs = defaultWaitMs, context: ToolContext): Promise<void> {
  await withinTime(task.ended, Math.min(timeoutMs, maxWaitMs), context.clock, context.signal);
}

function report(task: BackgroundTask): ToolOutcome {
  const output = task.takeOutput();
  const state = task.isRunning ? "still runs" : `has ended: ${task.outcome}`;
  if (!task.isRunning) task.markTold();
  const head = `[Task ${task.id} (${task.title}) ${state}.]`;
  return { content: output === "" ? `${head}\n[No new output.]` : `${head}\n${output}` };
}

function unknownTaskOutcome(id: string, tasks: readonly BackgroundTask[]): ToolOutcome {
  const known = tasks.map((task) => `${task.id} (${task.title}; ${task.outcome ?? "running"})`);
  const there = known.length === 0 ? "There are no tasks." : `There are: ${known.join(", ")}.`;
  return { content: `There is no task ${id}. ${there}`, isError: true };
}
