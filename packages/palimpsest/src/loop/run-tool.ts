import { toMessage } from "@palimpsest/core/internal";
import type { Tool, ToolContext, ToolOutcome } from "@palimpsest/core/spec";
import type { Run } from "./run.ts";

/** How long an interrupted tool may take to come to its end, before it is left behind. */
const interruptGraceMs = 3_000;

const interruptedText =
  "Interrupted by the user before it was finished. What it did so far may have had effects.";

export interface ToolTask {
  readonly toolUseId: string;
  readonly tool: Tool;
  readonly input: unknown;
  /** Real paths it may touch. */
  readonly paths: readonly string[];
}

/** Lets a tool do its work. Keys of the process in its result are masked before anybody sees it. What it throws, and what it gives back that is no result, is an outcome that says so. */
export async function runTool(run: Run, task: ToolTask): Promise<ToolOutcome> {
  const outcome = await outcomeOf(run, task);
  return { ...outcome, content: maskResult(run, task.toolUseId, outcome.content) };
}

/** The content of a result without keys of the process; the very same where it has none. */
export function maskResult<Content>({ handle }: Run, toolUseId: string, content: Content): Content {
  const { secrets, emit } = handle;
  const masked = secrets.value(content);
  if (masked !== content)
    emit({ type: "secret-mask", where: "result", names: secrets.namesIn(masked), toolUseId });
  return masked;
}

async function outcomeOf(run: Run, task: ToolTask): Promise<ToolOutcome> {
  const { tool, input } = task;
  try {
    const outcome = await orInterrupted(tool.run?.(input, contextOf(run, task)), run);
    if (isOutcome(outcome)) return outcome;
    return { content: `${tool.name} gave back something that is no result.`, isError: true };
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    return {
      content: run.signal.aborted ? interruptedText : `${tool.name} failed: ${message}`,
      isError: true,
    };
  }
}

function contextOf(run: Run, { tool, toolUseId, paths }: ToolTask): ToolContext {
  const { handle, options, signal, mode, rules } = run;
  const mayRead = run.setup.mayRead?.({ tool: tool.name, paths, mode, rules });
  const { onQuestion } = options;
  return {
    toolUseId,
    session: handle.session,
    cwd: handle.cwd,
    signal,
    clock: handle.clock,
    ids: handle.ids,
    mode,
    rules,
    view: handle.view,
    fileStamp: handle.fileStamp,
    ...(paths.length > 0 && { allowedPaths: paths }),
    ...(mayRead && { mayRead }),
    progress: (text) => run.emit({ type: "tool-progress", toolUseId, text }),
    ...(onQuestion && { ask: (questions) => onQuestion(questions, signal) }),
  };
}

async function orInterrupted(
  working: Promise<ToolOutcome> | undefined,
  { signal, handle }: Run,
): Promise<ToolOutcome | undefined> {
  const done = new AbortController();
  const aborted = new Promise<ToolOutcome>((resolve) => {
    const leave = async () => {
      await handle.clock.sleep(interruptGraceMs, done.signal);
      resolve({ content: interruptedText, isError: true });
    };
    if (signal.aborted) void leave();
    else signal.addEventListener("abort", leave, { once: true, signal: done.signal });
  });
  try {
    return await Promise.race([working, aborted]);
  } finally {
    done.abort();
  }
}

/** Whether it can stand in the log as it is. */
function isOutcome(outcome: unknown): outcome is ToolOutcome {
  if (typeof outcome !== "object" || outcome === null) return false;
  const { content, files = [] } = outcome as { readonly content?: unknown; readonly files?: unknown };
  if (!Array.isArray(files) || !files.every((file) => typeof file?.path === "string")) return false;
  if (typeof content === "string") return true;
  if (!Array.isArray(content)) return false;
  const result = { type: "tool_result", tool_use_id: "this", content };
  return toMessage({ role: "user", content: [result] }).ok;
}
