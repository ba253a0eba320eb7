import type {
  FileStamp,
  HookVerdict,
  Tool,
  ToolOutcome,
  ToolResultBlock,
  ToolUseBlock,
} from "@palimpsest/core/spec";
import { checkToolInput } from "../tools/check-input.ts";
import { decideCall } from "./create-judge.ts";
import { isBlank, type Run } from "./run.ts";
import { runHooks } from "./run-hooks.ts";
import { maskResult, runTool, type ToolTask } from "./run-tool.ts";

/** How many calls that may run side by side do. */
export const parallelCalls = 8;

export interface ToolRound {
  /** One for each call, in the calls' order. */
  readonly results: readonly ToolResultBlock[];
  readonly files: readonly (FileStamp & { readonly toolUseId: string })[];
  readonly contexts: readonly string[];
  readonly stop?: string;
}

/**
 * Runs the calls of a response: those that change nothing side by side, the others in their order. Once a hook has
 * ended the run, no further one begins.
 */
export async function runTools(run: Run, calls: readonly ToolUseBlock[]): Promise<ToolRound> {
  const settled = new Map<ToolUseBlock, SettledCall>();
  let stop: string | undefined;
  for (const group of groupsOf(run, calls)) {
    await inParallel(group, async (call) => {
      const one = await runWatched(run, call, stop);
      settled.set(call, one);
      stop ??= one.stop;
    });
  }
  const inOrder = calls.map((call) => ({ call, settled: settled.get(call) as SettledCall }));
  return {
    results: inOrder.map(({ call, settled: one }) => toResult(call, one)),
    files: inOrder.flatMap(({ call, settled: one }) =>
      one.files.map((stamp) => ({ ...stamp, toolUseId: call.id })),
    ),
    contexts: inOrder.flatMap(({ settled: one }) => one.contexts),
    ...(stop !== undefined && { stop }),
  };
}

async function runWatched(run: Run, call: ToolUseBlock, stop: string | undefined): Promise<SettledCall> {
  const { clock } = run.handle;
  const { id: toolUseId, name: tool, input } = call;
  const startedMs = clock.monotonic();
  run.emit({ type: "tool-start", toolUseId, tool, input });
  const given =
    stop === undefined
      ? await runCall(run, call)
      : failCall(`It was not run: a hook has ended the run: ${stop}`);
  /** A hook's answer to a call may have a key in it too. */
  const settled = { ...given, content: maskResult(run, toolUseId, given.content) };
  const { content, isError, files } = settled;
  for (const { path } of files) run.touched.push(path);
  run.emit({
    type: "tool-end",
    toolUseId,
    tool,
    content,
    isError,
    durationMs: clock.monotonic() - startedMs,
  });
  return settled;
}

/** Neighbouring calls that change nothing, or do not mind each other, make a group; every other call is one by itself. */
function groupsOf(run: Run, calls: readonly ToolUseBlock[]): readonly (readonly ToolUseBlock[])[] {
  const groups: ToolUseBlock[][] = [];
  let isOpen = false;
  for (const call of calls) {
    const isParallel = isParallelCall(run, call);
    if (isParallel && isOpen) groups.at(-1)?.push(call);
    else groups.push([call]);
    isOpen = isParallel;
  }
  return groups;
}

/** A tool that only hands calls on is what it hands them to; one that cannot say so waits its turn. */
function isParallelCall(run: Run, call: ToolUseBlock): boolean {
  try {
    const { tool } = innerCall(run, call);
    return tool?.isReadOnly === true || tool?.isConcurrent === true;
  } catch {
    return false;
  }
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(parallelCalls, items.length) }, worker));
}

function toResult({ id }: ToolUseBlock, { content, isError }: SettledCall): ToolResultBlock {
  return { type: "tool_result", tool_use_id: id, content, ...(isError && { is_error: true }) };
}

/** The outcome of a call: its result, and what else the model and the loop should know. */
interface SettledCall {
  readonly content: ToolOutcome["content"];
  readonly isError: boolean;
  readonly files: readonly FileStamp[];
  readonly contexts: readonly string[];
  /** A hook ends the run. */
  readonly stop?: string;
}

const notBegun = "Interrupted by the user before it began.";

const failCall = (content: string, { contexts = [], stop }: Partial<HookVerdict> = {}): SettledCall => ({
  content,
  isError: true,
  files: [],
  contexts,
  ...(stop !== undefined && { stop }),
});

/** Runs one call to its result. Every way it can go has one: never throws. */
async function runCall(run: Run, call: ToolUseBlock): Promise<SettledCall> {
  if (run.signal.aborted) return failCall(notBegun);
  try {
    const found = toolOf(run, call);
    if (typeof found === "string") return failCall(found);
    const checked = await checkToolInput(found.tool, found.input);
    if (!checked.ok) return failCall(`${checked.error.message} ${checked.error.fix ?? ""}`.trim());
    return await runWithHooks(run, { toolUseId: call.id, tool: found.tool, input: checked.value });
  } catch (cause) {
    if (run.signal.aborted) return failCall(notBegun);
    return failCall(`${call.name} failed: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

/** Hooks before it, permission, the work, hooks behind it. Hooks that an interrupt has cut off have not agreed. */
async function runWithHooks(run: Run, task: Omit<ToolTask, "paths">): Promise<SettledCall> {
  const { toolUseId, tool } = task;
  const before = await runHooks(run, "PreToolUse", { toolUseId, tool: tool.name, input: task.input });
  if (before.block !== undefined) return failCall(`A hook has refused this call: ${before.block}`, before);
  if (before.stop !== undefined) return failCall(`A hook has ended the run: ${before.stop}`, before);
  const changed = await checkToolInput(tool, before.input ?? task.input);
  if (!changed.ok)
    return failCall(`A hook has changed the input to a wrong one: ${changed.error.message}`, before);
  const input = changed.value;
  const decided = await decideCall(run, { toolUseId, tool, input, hook: before });
  if (run.signal.aborted) return failCall(notBegun);
  if (!decided.isAllowed) return failCall(decided.reason, before);
  const outcome = await runTool(run, { toolUseId, tool, input, paths: decided.paths });
  if (outcome.mode !== undefined) await changeMode(run, outcome.mode);
  return withHooksBehind(run, { toolUseId, tool, input }, outcome, before.contexts);
}

async function withHooksBehind(
  run: Run,
  { toolUseId, tool, input }: Omit<ToolTask, "paths">,
  { content, isError = false, files = [] }: ToolOutcome,
  contexts: readonly string[],
): Promise<SettledCall> {
  const told = { toolUseId, tool: tool.name, input, output: content, isError };
  const after = await runHooks(run, "PostToolUse", told);
  const objection =
    after.block === undefined ? [] : [`A hook objects to what ${tool.name} did: ${after.block}`];
  return {
    content: hasContent(content) ? content : "(The tool gave no output.)",
    isError,
    files,
    contexts: [...contexts, ...after.contexts, ...objection],
    ...(after.stop !== undefined && { stop: after.stop }),
  };
}

/** The tool that does the work, with its input. */
function innerCall(run: Run, call: ToolUseBlock): { readonly tool?: Tool; readonly input: unknown } {
  const tool = run.setup.tools(call.name);
  return tool?.standsFor?.(call.input) ?? { ...(tool && { tool }), input: call.input };
}

/** The tool that does the work, or what to tell the model. */
function toolOf(run: Run, call: ToolUseBlock): { readonly tool: Tool; readonly input: unknown } | string {
  const { allowedTools, handle } = run;
  const { tool, input } = innerCall(run, call);
  if (!tool?.run) {
    const names = handle.head().tools.map(({ name }) => name);
    return `There is no tool “${call.name}”. There are: ${names.join(", ") || "none"}.`;
  }
  if (allowedTools && !allowedTools.has(tool.name))
    return `${tool.name} may not be used here. Use: ${[...allowedTools].join(", ") || "no tools; answer with text"}.`;
  return { tool, input };
}

async function changeMode(run: Run, mode: Run["mode"]): Promise<void> {
  run.mode = mode;
  await run.handle.note({ topic: "mode", mode });
}

function hasContent(content: ToolOutcome["content"]): boolean {
  if (typeof content === "string") return content.trim() !== "";
  return content.some((block) => !isBlank(block));
}
