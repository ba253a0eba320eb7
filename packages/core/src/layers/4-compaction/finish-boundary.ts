import {
  type CompactDecision,
  type CompactedPart,
  type CompactionAttempt,
  type CompactRequest,
  type EntryDraft,
  type Facts,
  fail,
  isBlock,
  type KeptSegment,
  type LayerIo,
  type Ledgers,
  type Message,
  ok,
  type Result,
  type Tool,
  type View,
  type ViewItem,
} from "../../spec/index.ts";
import { isInSegment } from "../../view/projection/item-list.ts";
import { leastAppendixTokens } from "../../view/scribe/index.ts";
import { workingFilesOf } from "../../view/working-set/working-set.ts";
import { askPrefix } from "./ask-plain.ts";
import { type CompactionCommand, isNobody } from "./ports.ts";
import { roomBeside } from "./rules/budget.ts";
import {
  appendixTitle,
  besideSummary,
  buildBoundary,
  fitText,
  frameTokens,
  type SummaryFrame,
  summaryText,
} from "./rules/build-boundary.ts";
import { compactionChoicesOf } from "./rules/compaction-plan.ts";
import { staysBehind } from "./rules/kept-tail.ts";
import {
  type FileRead,
  lastingTokens,
  messageTokens,
  planRestoration,
  type RestorationReport,
} from "./rules/plan-restoration.ts";
import { summaryPrompt } from "./rules/summary-prompt.ts";
import type { CompactionRun, RungResult } from "./run.ts";
import { compactionNumbersOf } from "./settings.ts";

export interface FinishedBoundary extends RestorationReport {
  readonly decision: CompactDecision;
  readonly summary: string;
}

/** Everything that stands behind a boundary, each part in what those before it left of the budget. */
export async function finishBoundary(run: CompactionRun, written: RungResult): Promise<FinishedBoundary> {
  const { view, facts, plan, measure, numbers } = run;
  const { budget, trigger } = plan;
  const frame = frameOf(run);
  const room = roomOf(run, written);
  let left = Math.max(0, room - frameTokens(frame, measure));
  const { native, summaryTokens = budget.summaryTokens } = written;
  const summary = native ? written.summary : fitText(written.summary, Math.min(left, summaryTokens), measure);
  left = Math.max(0, left - measure(native ? [native.block] : summary));
  const carried = lastingTokens(view.ledgers, measure);
  /**
   * To-dos and plan are brought back whole: where there is room for them, the appendix need not have them as well. The
   * scribe has left them their room; beside others they may have half.
   */
  const isCarried = carried <= (written.strategy === "scribe" ? left : left / 2);
  if (isCarried) left -= carried;
  const ledgers = isCarried ? { ...view.ledgers, todos: [], plan: undefined } : view.ledgers;
  const appendix = appendixOf(run, written, ledgers, summary, Math.min(left, budget.appendixTokens));
  left -= measure(appendix);
  if (isCarried) left += carried;
  /** Long texts are counted by samples: the whole may be more than its parts. */
  if (!native) left = Math.min(left, room - measure(summaryText(summary, appendix, frame)));
  const { others, contexts } = await run.background();
  const { todos, todosRequest, plan: steps, planRequest, intents } = view.ledgers;
  const restoration = planRestoration({
    files: await readFiles(run, written),
    todos,
    plan: steps,
    intents,
    ...(todosRequest !== undefined && { todosRequest }),
    ...(planRequest !== undefined && { planRequest }),
    others,
    maxTokens: Math.max(0, left),
    numbers,
    measure,
  });
  left -= restoration.tokens;
  const said = hookAttachments(contexts, left, run);
  const part = partOf(plan.request);
  const decision = buildBoundary({
    view,
    basis: written.basis,
    trigger,
    strategy: written.strategy,
    cause: plan.cause,
    reason: plan.reason,
    summary,
    appendix,
    ...(native && { native }),
    ...(part && { part }),
    ...(written.kept && { kept: written.kept }),
    attachments: [...(native ? appendixMessages(appendix) : []), ...restoration.attachments, ...said],
    discoveredTools: discoveredTools(view.items, facts.tools),
    headTokens: facts.headTokens ?? 0,
    frame,
    measure,
    measureKept: run.countOf,
  });
  const { restored, skipped } = restoration;
  return { decision, summary, restored, skipped };
}

function partOf({ from, upTo }: CompactRequest = {}): CompactedPart | undefined {
  if (from !== undefined) return { range: "from", entry: from };
  return upTo === undefined ? undefined : { range: "up-to", entry: upTo };
}

/** The frame around the summary of this run. */
export function frameOf({ plan, facts }: CompactionRun): SummaryFrame {
  return { isAutomatic: plan.trigger !== "manual", logAddress: facts.logAddress };
}

/** Tokens left beside what stays as it is. */
export function roomOf(
  { plan, facts, sparedTokens = 0 }: CompactionRun,
  { roomTokens, keptTokens }: Pick<RungResult, "keptTokens" | "roomTokens">,
): number {
  const { totalTokens } = plan.budget;
  const { headTokens = 0, thresholds } = facts;
  const room = roomTokens ?? roomBeside({ totalTokens, keptTokens, headTokens, thresholds });
  return Math.max(0, room - sparedTokens);
}

function appendixOf(
  run: CompactionRun,
  { kept, basis }: RungResult,
  ledgers: Ledgers,
  summary: string,
  maxTokens: number,
): string {
  const { facts, ports, numbers, measure } = run;
  const stays = staysBehind(basis, kept);
  const beside = besideSummary(run.view.items, stays);
  const { logAddress } = facts;
  /** What must never be lost is there, however little room is left: whether the whole is worth it is judged at the end. */
  const least = leastAppendixTokens(summary, ledgers, { beside, estimate: measure, logAddress });
  const most = Math.max(maxTokens, least);
  const appendix = ports.missingFromSummary({
    summary,
    ledgers,
    isKept: stays,
    beside,
    maxTokens: most,
    maxUserTokens: Math.floor((facts.thresholds.window * numbers.userMessagesPercent) / 100),
    measure,
    logAddress,
  });
  return fitText(appendix, most, measure);
}

/** Nothing can be put into the API's block: what it lacks stands behind it. */
function appendixMessages(appendix: string): readonly Message[] {
  if (appendix === "") return [];
  return [{ type: "attachment", subtype: "summary", content: `${appendixTitle}\n${appendix}` }];
}

async function readFiles(
  { view, ports, numbers, signal }: CompactionRun,
  { kept }: RungResult,
): Promise<readonly FileRead[]> {
  const { restore } = ports;
  if (!restore) return [];
  const paths = chooseFiles({
    ledgers: view.ledgers,
    ...(kept && { kept }),
    isExcluded: (path) => restore.isExcluded?.(path) ?? false,
    maxFiles: numbers.restoredFiles,
  });
  return Promise.all(
    paths.map(async (path): Promise<FileRead> => {
      const read = await restore.readFile(path, signal);
      if (!read.ok) return { path, skipped: read.error.message };
      const { text, stamp } = read.value;
      return { path, text, ...(stamp && { files: [{ ...stamp, toolUseId: "" }] }) };
    }),
  );
}

function hookAttachments(
  contexts: readonly string[],
  maxTokens: number,
  { measure }: CompactionRun,
): readonly Message[] {
  let left = maxTokens;
  return contexts.flatMap((context) => {
    const wrapper = messageTokens({ type: "attachment", subtype: "hook", content: "" }, measure);
    const content = fitText(context, left - wrapper, measure);
    const message: Message = { type: "attachment", subtype: "hook", content };
    const tokens = messageTokens(message, measure);
    if (content === "" || tokens > left) return [];
    left -= tokens;
    return [message];
  });
}

/** Names of the tools that are not sent and were called all the same, through the one that hands calls on. */
function discoveredTools(items: readonly ViewItem[], tools: readonly Tool[]): readonly string[] {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const found = items.flatMap(({ block }) => {
    if (!isBlock(block, "tool_use")) return [];
    const tool = byName.get(block.name);
    const meant = tool?.standsFor?.(block.input)?.tool ?? tool;
    return meant && (meant !== tool || meant.isDeferred === true) ? [meant.name] : [];
  });
  return [...new Set(found)];
}

interface FileChoice {
  readonly ledgers: Pick<Ledgers, "files" | "plan" | "userMessages">;
  /** The kept messages need not be restored. */
  readonly kept?: KeptSegment;
  /** Plans, to-dos, notes, memory, agent files, and what may not be read. */
  readonly isExcluded: (path: string) => boolean;
  readonly maxFiles: number;
}

/** The files that are brought back, those of the working set first: chosen before any of them is read. */
export function chooseFiles({ ledgers, kept, isExcluded, maxFiles }: FileChoice): readonly string[] {
  const isKept = (seq: number) => isInSegment(kept, seq);
  const working = new Set(workingFilesOf(ledgers));
  const files = [...ledgers.files.values()].toReversed();
  return [...files.filter(({ path }) => working.has(path)), ...files.filter(({ path }) => !working.has(path))]
    .filter(({ path, seq }) => path !== ledgers.plan?.path && !isKept(seq) && !isExcluded(path))
    .slice(0, maxFiles)
    .map(({ path }) => path);
}

/** Writes a summary in the background and notes it: it is swapped in once the threshold is reached. */
export async function prepareSummary(
  { view, facts, records }: Extract<CompactionCommand, { readonly act: "prepare" }>,
  io: Pick<LayerIo, "fork" | "emit">,
  signal: AbortSignal,
): Promise<Result<readonly EntryDraft[]>> {
  const { head: basis, items, count } = view;
  const covers = items.at(-1)?.entry ?? "";
  const { prompt: words } = compactionChoicesOf(facts);
  const numbers = compactionNumbersOf(facts);
  const maxOutputTokens = Math.min(facts.capabilities.maxOutput, numbers.maxSummaryTokens);
  const prompt = summaryPrompt(words === undefined ? {} : { words });
  const asked = await askPrefix(prompt, maxOutputTokens, io, signal);
  const noted = (
    attempt: Pick<CompactionAttempt, "outcome" | "reason" | "rung" | "prepared">,
  ): EntryDraft => ({
    kind: "note",
    note: { topic: "compaction", ...attempt, trigger: "auto", tokens: count.tokens },
  });
  if (asked.ok)
    return ok([
      noted({ outcome: "prepared", rung: "prepared", prepared: { summary: asked.summary, basis, covers } }),
    ]);
  const { reason, message } = asked;
  if (signal.aborted || reason === "aborted") return fail("aborted", message);
  if (isNobody(asked)) return ok([noted({ outcome: "failed", rung: "prepared", reason })]);
  const failures = records.modelFailures + 1;
  if (failures === numbers.maxFailures) io.emit({ type: "breaker-open", failures });
  io.emit({ type: "compaction-failed", trigger: "auto", reason, message });
  return ok([noted({ outcome: "failed", rung: "full", reason })]);
}

/** A summary that is prepared ahead and is not there by then counts no longer: one is written on the spot. */
export const summaryWaitMs = 180_000;

/** A request that needs the room waits for the summary that is being prepared for it. */
export function waitForSummary({ count }: View, { thresholds }: Facts): number {
  return count.tokens < thresholds.auto ? 0 : summaryWaitMs;
}
