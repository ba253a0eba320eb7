import type { FileStamp, ToolResultBlock, ToolUseBlock } from "@palimpsest/core/spec";
import type { Run } from "./run.ts";
import { maskResult } from "./run-tool.ts";
import { failed, innerCall, type SettledCall, settleCall } from "./settle-call.ts";

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
      const one = await watched(run, call, stop);
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

async function watched(run: Run, call: ToolUseBlock, stop: string | undefined): Promise<SettledCall> {
  const { clock } = run.handle;
  const { id: toolUseId, name: tool, input } = call;
  const startedMs = clock.monotonic();
  run.emit({ type: "tool-start", toolUseId, tool, input });
  const given =
    stop === undefined
      ? await settleCall(run, call)
      : failed(`It was not run: a hook has ended the run: ${stop}`);
  /** What a hook says to a call may have a key in it too. */
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
