import { appendixTitle, frameTokens, summaryText } from "../../context/compaction/boundary-texts.ts";
import { buildBoundary } from "../../context/compaction/build-boundary.ts";
import { chooseFiles } from "../../context/compaction/choose-files.ts";
import { discoveredTools } from "../../context/compaction/discovered-tools.ts";
import { fitText } from "../../context/compaction/fit-text.ts";
import { staysBehind } from "../../context/compaction/kept-tail.ts";
import {
  type FileRead,
  planRestoration,
  type RestorationReport,
} from "../../context/compaction/plan-restoration.ts";
import { lastingTokens, messageTokens } from "../../context/compaction/restored-attachment.ts";
import { type UnseenPieces, unseenPieces, unseenShare } from "../../context/compaction/unseen-pieces.ts";
import type { CompactDecision, Ledgers, Message } from "../../spec/index.ts";
import type { CompactionRun, Written } from "./run.ts";

export interface FinishedBoundary extends RestorationReport {
  readonly decision: CompactDecision;
  readonly summary: string;
}

/** Everything that stands behind a boundary, each part in what those before it left of the budget. */
export async function finishBoundary(run: CompactionRun, written: Written): Promise<FinishedBoundary> {
  const { view, facts, plan, measure, numbers } = run;
  const { budget, trigger } = plan;
  const isAutomatic = trigger !== "manual";
  const unseen = piecesBeside(run, written);
  const room = roomOf(run, written) - unseen.tokens;
  let left = Math.max(0, room - frameTokens(isAutomatic, measure));
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
  if (!native) left = Math.min(left, room - measure(summaryText(summary, appendix, isAutomatic)));
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
    ...(written.kept && { kept: written.kept }),
    attachments: [
      ...(native ? behindBlock(appendix) : []),
      ...restoration.attachments,
      ...said,
      ...unseen.attachments,
    ],
    discoveredTools: discoveredTools(view.items, facts.tools),
    headTokens: facts.headTokens ?? 0,
    measure,
  });
  const { restored, skipped } = restoration;
  return { decision, summary, restored, skipped: [...skipped, ...unseen.skipped] };
}

type Standing = Pick<Written, "basis" | "kept" | "keptTokens" | "roomTokens">;

/** What no model has seen and what does not stay as it is: it has a part of the room before all others. */
export function piecesBeside(run: CompactionRun, standing: Standing): UnseenPieces {
  const { view, measure } = run;
  return unseenPieces({
    items: view.items,
    isKept: staysBehind(standing.basis, standing.kept),
    maxTokens: Math.floor(Math.max(0, roomOf(run, standing)) * unseenShare),
    measure,
  });
}

function roomOf({ plan }: CompactionRun, { roomTokens, keptTokens }: Standing): number {
  return roomTokens ?? plan.budget.totalTokens - keptTokens;
}

function appendixOf(
  run: CompactionRun,
  { kept, basis }: Written,
  ledgers: Ledgers,
  summary: string,
  maxTokens: number,
): string {
  const { facts, records, ports, numbers, measure } = run;
  const appendix = ports.missingFromSummary({
    summary,
    ledgers,
    sinceSeq: records.boundarySeq,
    isKept: staysBehind(basis, kept),
    maxTokens,
    maxUserTokens: Math.floor((facts.thresholds.window * numbers.userMessagesPercent) / 100),
    measure,
  });
  return fitText(appendix, maxTokens, measure);
}

/** Nothing can be put into the API's block: what it lacks stands behind it. */
function behindBlock(appendix: string): readonly Message[] {
  if (appendix === "") return [];
  return [{ type: "attachment", subtype: "summary", content: `${appendixTitle}\n${appendix}` }];
}

async function readFiles(
  { view, ports, numbers, signal }: CompactionRun,
  { kept }: Written,
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
