import {
  blockFault,
  isMaintenanceFork,
  isNativeBlock,
  windowFullStop,
  withCallIds,
} from "@palimpsest/core/internal";
import {
  type ContentBlock,
  type Entry,
  isBlock,
  type ModelResponse,
  type ToolUseBlock,
  type Usage,
} from "@palimpsest/core/spec";
import { attach, attachContexts, attachNotices, drainQueuedPrompts } from "./drain-queued-prompts.ts";
import { type Finish, isBlank, type Run, warn } from "./run.ts";
import { runHooks } from "./run-hooks.ts";
import { runTools } from "./run-tools.ts";

/** How often an answer with a broken call is asked for again. */
export const brokenCallRetries = 2;

/** How often hooks may keep a run from ending. */
export const maxStopObjections = 5;

/** Takes an answer in and does what it asks for. Says why the run is over; `null`: the model is to be asked again. */
export async function followResponse(run: Run, response: ModelResponse): Promise<Finish | null> {
  const { brokenCalls = [], stopReason } = response;
  if (brokenCalls.length > 0 && stopReason !== "refusal") return askAgain(run, response);
  run.brokenAnswers = 0;
  const taken = await takeIn(run, response);
  const calls = validBlocks(taken).filter((block) => isBlock(block, "tool_use"));
  if (stopReason === "refusal") return refuseCalls(run, response, calls);
  if (calls.length > 0) return followCalls(run, calls);
  const isPaused = stopReason === "pause_turn" && response.content.some((block) => !isBlank(block));
  if (isPaused || isPausedCompaction(response)) return null;
  if (stopReason === "max_tokens")
    return { reason: "max-output", message: "The answer was cut at the most tokens the model may write." };
  if (stopReason === windowFullStop) return null;
  const { hasHeard, finish } = await drainQueuedPrompts(run);
  if (finish || hasHeard) return finish ?? null;
  return decideEnd(run);
}

/** The API was told to stop behind its compaction: it is to go on from there. One that failed would fail for ever. */
function isPausedCompaction({ stopReason, content }: ModelResponse): boolean {
  return stopReason === "compaction" && content.some(isNativeBlock);
}

/** The blocks that are what they say: others are logged as they came, and nothing is done for them. */
const validBlocks = (content: readonly ContentBlock[]) =>
  content.filter((block) => blockFault(block) === null);

/**
 * The response goes into the log as it came, one that says nothing too. Gives its content, with other ids for calls whose
 * own are taken.
 */
async function takeIn(run: Run, response: ModelResponse): Promise<readonly ContentBlock[]> {
  const { handle, emit } = run;
  const {
    id,
    model,
    content: given,
    stopReason,
    usage,
    billed = usage,
    contextManagement,
    reportedUsage,
  } = response;
  const texts = validBlocks(given).flatMap((block) => (isBlock(block, "text") ? block.text : []));
  run.text = texts.join("");
  const dollars = handle.dollars(billed, model);
  const managed = contextManagement && { contextManagement };
  const added = await handle.session.add({
    role: "assistant",
    id,
    model,
    content: given,
    stopReason,
    usage,
    ...(reportedUsage !== undefined && { reportedUsage }),
    ...managed,
  });
  const besides = extraUsage(billed, usage);
  if (besides) await handle.note({ topic: "usage", usage: besides, dollars: handle.dollars(besides, model) });
  const content = withLogIds(given, added);
  emit({ type: "response-end", entry: added.id, id, content, stopReason, usage, dollars });
  return content;
}

function withLogIds(content: readonly ContentBlock[], entry: Entry): readonly ContentBlock[] {
  const { givenIds } = entry.kind === "message" ? entry.message : {};
  if (!givenIds) return content;
  const names = new Map(Object.entries(givenIds).map(([name, given]) => [given, name]));
  return withCallIds(content, names);
}

/** An answer with a call that is not whole is not sent back: the model is told, and asked again. */
async function askAgain(run: Run, response: ModelResponse): Promise<Finish | null> {
  const { content, brokenCalls = [], stopReason, model, usage, id } = response;
  const names = brokenCalls.map(({ name }) => name).join(", ");
  const isFull = stopReason === windowFullStop;
  const isCut = stopReason === "max_tokens" || isFull;
  const cut = isFull ? "was cut when the window was full" : "was cut at the most tokens the model may write";
  const why = isCut ? cut : "had an input that is no JSON object";
  if (content.some((block) => !isBlank(block)))
    await run.handle.session.add({
      role: "assistant",
      id,
      content,
      isAborted: true,
      model,
      stopReason,
      usage,
    });
  else await run.handle.note({ topic: "usage", usage, dollars: run.handle.dollars(usage, model) });
  run.emit({ type: "response-cut", code: "malformed-response", message: `A call of ${names} ${why}.` });
  run.brokenAnswers += 1;
  if (run.brokenAnswers > brokenCallRetries)
    return {
      reason: isCut ? "max-output" : "error",
      message: `A call of ${names} ${why}, ${run.brokenAnswers} times in a row.`,
    };
  const advice = isCut ? "Make it smaller, or split it into several calls." : "Make the call once more.";
  await attach(run, {
    subtype: "notice",
    text: `Your last call of ${names} ${why}, and was not run. ${advice}`,
  });
  return null;
}

async function refuseCalls(
  run: Run,
  response: ModelResponse,
  calls: readonly ToolUseBlock[],
): Promise<Finish> {
  if (calls.length > 0) await answerUnrun(run, calls);
  const { stopDetails } = response;
  return { reason: "refusal", message: stopDetails ?? (run.text || "The model has refused to answer.") };
}

/** Calls that will not be run still need a result. */
async function answerUnrun(run: Run, calls: readonly ToolUseBlock[]): Promise<void> {
  await run.handle.session.add({
    role: "user",
    content: calls.map(({ id }) => ({
      type: "tool_result",
      tool_use_id: id,
      content: "It was not run: the answer was refused.",
      is_error: true,
    })),
  });
}

async function followCalls(run: Run, calls: readonly ToolUseBlock[]): Promise<Finish | null> {
  const { results, files, contexts, stop } = await runTools(run, calls);
  await run.handle.session.add({ role: "user", content: results, ...(files.length > 0 && { files }) });
  await attachContexts(run, contexts);
  if (stop !== undefined) return { reason: "hook", message: stop };
  if (run.signal.aborted) return null;
  await attachNotices(run, "tool-round");
  return (await drainQueuedPrompts(run)).finish ?? null;
}

/** Hooks have the last word: what they object to goes back to the model, a few times. */
async function decideEnd(run: Run): Promise<Finish | null> {
  const { text, isFork, isAgent } = run;
  if (isFork && isMaintenanceFork(run.handle.source)) return { reason: "done" };
  const verdict =
    isFork || isAgent
      ? await runHooks(run, "SubagentStop", { agent: run.handle.session.id, text })
      : await runHooks(run, "Stop", { text, isAgain: run.stopObjections > 0 });
  if (run.signal.aborted) return null;
  await attachContexts(run, verdict.contexts);
  if (verdict.stop !== undefined) return { reason: "hook", message: verdict.stop };
  if (verdict.block !== undefined && run.stopObjections < maxStopObjections) {
    run.stopObjections += 1;
    await run.handle.session.add({ role: "user", content: verdict.block, isMeta: true });
    return null;
  }
  if (verdict.block !== undefined) warn(run, `The run ends though a hook objects again: ${verdict.block}`);
  const { hasHeard, finish } = await drainQueuedPrompts(run);
  return finish ?? (hasHeard ? null : { reason: "done" });
}

const parts = ["input", "output", "cacheRead", "cacheCreation"] as const;

/** The usage paid besides the answer itself, such as a compaction on the way to it; `null` where nothing was. */
function extraUsage(billed: Usage, usage: Usage): Usage | null {
  const rest = (part: keyof Usage) => Math.max(0, (billed[part] ?? 0) - (usage[part] ?? 0));
  if (!parts.some((part) => rest(part) > 0)) return null;
  const split = (part: "cacheCreation5m" | "cacheCreation1h") =>
    billed[part] === undefined ? {} : { [part]: rest(part) };
  return {
    input: rest("input"),
    output: rest("output"),
    cacheRead: rest("cacheRead"),
    cacheCreation: rest("cacheCreation"),
    ...split("cacheCreation5m"),
    ...split("cacheCreation1h"),
  };
}
