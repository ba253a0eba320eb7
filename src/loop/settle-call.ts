import type { FileStamp, Tool, ToolContext, ToolOutcome, ToolUseBlock } from "../spec/index.ts";
import { checkToolInput } from "../tools/check-input.ts";
import { decideCall } from "./decide-call.ts";
import type { Run } from "./run.ts";
import { runHooks } from "./run-hooks.ts";

/** What a call came to: its result, and what else the model and the loop should know. */
export interface SettledCall {
  readonly content: ToolOutcome["content"];
  readonly isError: boolean;
  readonly files: readonly FileStamp[];
  readonly contexts: readonly string[];
  /** A hook ends the run. */
  readonly stop?: string;
}

export const interruptedText =
  "Interrupted by the user before it was finished. What it did so far may have had effects.";

const failed = (content: string, contexts: readonly string[] = [], stop?: string): SettledCall => ({
  content,
  isError: true,
  files: [],
  contexts,
  ...(stop !== undefined && { stop }),
});

/** Runs one call to its result. Every way it can go has one. */
export async function settleCall(run: Run, call: ToolUseBlock): Promise<SettledCall> {
  if (run.signal.aborted) return failed("Interrupted by the user before it began.");
  const found = toolOf(run, call);
  if (typeof found === "string") return failed(found);
  const checked = await checkToolInput(found.tool, found.input);
  if (!checked.ok) return failed(`${checked.error.message} ${checked.error.fix ?? ""}`.trim());
  const { toolUseId, tool: name } = { toolUseId: call.id, tool: found.tool.name };
  const before = await runHooks(run, "PreToolUse", { toolUseId, tool: name, input: checked.value });
  if (before.block !== undefined)
    return failed(`A hook has refused this call: ${before.block}`, before.contexts, before.stop);
  if (before.stop !== undefined)
    return failed(`A hook has ended the run: ${before.stop}`, before.contexts, before.stop);
  const changed = before.input === undefined ? checked : await checkToolInput(found.tool, before.input);
  if (!changed.ok) return failed(`A hook has changed the input to a wrong one: ${changed.error.message}`);
  const decided = await decideCall(run, { toolUseId, tool: found.tool, input: changed.value, hook: before });
  if (!decided.isAllowed) return failed(decided.reason, before.contexts);
  const outcome = await runTool(run, found.tool, changed.value, toolUseId, decided.paths);
  if (outcome.mode !== undefined) await changeMode(run, outcome.mode);
  const isError = outcome.isError === true;
  const { content } = outcome;
  const after = run.signal.aborted
    ? { contexts: [], messages: [], warnings: [] }
    : await runHooks(run, "PostToolUse", {
        toolUseId,
        tool: name,
        input: changed.value,
        output: content,
        isError,
      });
  const objection = after.block === undefined ? [] : [`A hook objects to what ${name} did: ${after.block}`];
  return {
    content: hasContent(content) ? content : "(The tool gave no output.)",
    isError,
    files: outcome.files ?? [],
    contexts: [...before.contexts, ...after.contexts, ...objection],
    ...(after.stop !== undefined && { stop: after.stop }),
  };
}

/** The tool that does the work, or what to tell the model. */
function toolOf(run: Run, call: ToolUseBlock): { readonly tool: Tool; readonly input: unknown } | string {
  const { setup, allowedTools, handle } = run;
  const outer = setup.tools(call.name);
  const inner = outer?.standsFor?.(call.input);
  const { tool, input } = inner ?? { tool: outer, input: call.input };
  if (!tool?.run) {
    const names = handle.head().tools.map(({ name }) => name);
    return `There is no tool “${call.name}”. There are: ${names.join(", ") || "none"}.`;
  }
  if (allowedTools && !allowedTools.has(tool.name))
    return `${tool.name} may not be used here. Use: ${[...allowedTools].join(", ") || "no tools; answer with text"}.`;
  return { tool, input };
}

async function runTool(
  run: Run,
  tool: Tool,
  input: unknown,
  toolUseId: string,
  allowedPaths: readonly string[] | undefined,
): Promise<ToolOutcome> {
  const { handle, options, signal } = run;
  const { onQuestion } = options;
  const context: ToolContext = {
    toolUseId,
    session: handle.session,
    cwd: handle.cwd,
    signal,
    clock: handle.clock,
    ids: handle.ids,
    mode: run.mode,
    fileStamp: handle.fileStamp,
    ...(allowedPaths && { allowedPaths }),
    progress: (text) => run.emit({ type: "tool-progress", toolUseId, text }),
    ...(onQuestion && { ask: (questions) => onQuestion(questions, signal) }),
  };
  try {
    const outcome = await orInterrupted(tool.run?.(input, context), run);
    if (outcome !== null && typeof outcome === "object" && isContent(outcome.content)) return outcome;
    return { content: `${tool.name} gave back something that is no result.`, isError: true };
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    return { content: signal.aborted ? interruptedText : `${tool.name} failed: ${message}`, isError: true };
  }
}

/** How long an interrupted tool may take to come to its end, before it is left behind. */
export const interruptGraceMs = 3_000;

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

async function changeMode(run: Run, mode: Run["mode"]): Promise<void> {
  run.mode = mode;
  await run.handle.note({ topic: "mode", mode });
}

function isContent(content: unknown): content is ToolOutcome["content"] {
  return typeof content === "string" || Array.isArray(content);
}

function hasContent(content: ToolOutcome["content"]): boolean {
  return typeof content === "string" ? content.trim() !== "" : content.length > 0;
}
