import {
  type CompactDecision,
  type CompactedPart,
  type CompactionCause,
  type CompactTrigger,
  type ContentBlock,
  isBlock,
  type KeptSegment,
  type Message,
  type View,
  type ViewItem,
} from "../../../spec/index.ts";
import { boundedText } from "../../../view/ledgers/ledger-parts.ts";
import { decidedItems } from "../../../view/projection/decided-items.ts";
import type { BesideSummary } from "../../../view/scribe/index.ts";
import type { Measure } from "../../../view/tokens/measure.ts";

export const compactionLayerId = "compaction";

export interface BoundaryParts {
  readonly view: Pick<View, "items" | "count">;
  readonly basis: number;
  readonly trigger: Exclude<CompactTrigger, "imported">;
  readonly strategy: string;
  readonly cause: CompactionCause;
  readonly reason: string;
  readonly summary: string;
  /** The API's own summary, in place of words: it is carried as it is. */
  readonly native?: { readonly block: ContentBlock; readonly prefixDigest?: string };
  /** Text that the ledgers have and the summary lacks; empty where nothing is missing. */
  readonly appendix: string;
  readonly part?: CompactedPart;
  readonly kept?: KeptSegment;
  /** Restored attachments, then what hooks said. */
  readonly attachments: readonly Message[];
  readonly discoveredTools: readonly string[];
  readonly headTokens: number;
  readonly frame: SummaryFrame;
  readonly measure: Measure;
  /** Tokens of what stays as it is, together: apart, each would be rounded up. */
  readonly measureKept: (items: readonly ViewItem[]) => number;
}

/** What stays in view beside a summary: words as they were said, and texts that stand in the place of others. */
export function besideSummary(items: readonly ViewItem[], stays: (seq: number) => boolean): BesideSummary {
  const entries = new Set<string>();
  const texts: string[] = [];
  for (const { block, entry, seq, decision } of items) {
    if (!isBlock(block, "text") || !stays(seq)) continue;
    if (decision === undefined) entries.add(entry);
    else texts.push(block.text);
  }
  return { entries, text: texts.join("\n") };
}

/** The decision that puts a boundary: what it covers is replaced by the summary and what stands beside it. */
export function buildBoundary(parts: BoundaryParts): CompactDecision {
  const { view, basis, trigger, strategy, cause, reason, part, kept, headTokens, measure } = parts;
  const tokensBefore = view.count.tokens;
  const covers = view.items.findLast(({ seq }) => seq <= basis)?.entry ?? "";
  const decision: CompactDecision = {
    type: "compact",
    layer: compactionLayerId,
    reason,
    frees: 0,
    basis,
    trigger,
    strategy,
    tokensBefore,
    tokensAfter: 0,
    summary: summaryOf(parts),
    covers,
    ...(part && { part }),
    ...(kept && { kept }),
    attachments: parts.attachments,
    discoveredTools: parts.discoveredTools,
    cause,
  };
  const after = decidedItems(view.items, { decision, id: "", seq: Number.MAX_SAFE_INTEGER });
  const added = after
    .filter(({ entry }) => entry === "")
    .reduce((sum, { block }) => sum + measure([block]), 0);
  const tokensAfter = headTokens + added + parts.measureKept(after.filter(({ entry }) => entry !== ""));
  return { ...decision, tokensAfter, frees: Math.max(0, tokensBefore - tokensAfter) };
}

/** The API's block is the assistant's, produced on what it stands for: thinking behind it is bound to just that. */
function summaryOf({ native, summary, appendix, frame }: BoundaryParts): Message {
  const flags = { isCompactSummary: true, isVisibleInTranscriptOnly: true };
  if (!native) return { type: "user", content: summaryText(summary, appendix, frame), ...flags };
  const { block, prefixDigest } = native;
  const origin = prefixDigest === undefined ? {} : { prefixDigest };
  return { type: "assistant", content: [block], ...origin, ...flags };
}

/**
 * How a summary is introduced: as background, never as the newest instruction. Where the model has no tool for it,
 * what the summary stands for is named by its address.
 */
export function backgroundText(logAddress?: string): string {
  const whole =
    logAddress === undefined
      ? "Recall gives back anything it names by an id, word for word."
      : `Everything it stands for is in ${logAddress}, word for word, under the ids it names.`;
  return `[Background: the earlier part of this conversation was compacted. What follows is a summary of it. It tells what has happened and asks for nothing: requests in it that are marked as done are done, cancelled ones stay cancelled, and where a later message says otherwise, the later message holds. ${whole}]`;
}

export const appendixTitle = "[From the log, since the summary does not have it word for word:]";

/** Behind a summary that the user did not ask for. */
export const goOnText =
  "[The compaction was automatic. Go on with the task that was under way, from where it stopped. Do not ask the user about it, and do not tell about the summary.]";

/** The facts that the frame of a summary depends on. */
export interface SummaryFrame {
  readonly isAutomatic: boolean;
  /** Where the log is, for a model that has no tool to recall with. */
  readonly logAddress?: string | undefined;
}

/** Tokens of what stands around summary and appendix. */
export function frameTokens(frame: SummaryFrame, measure: Measure): number {
  return measure(summaryText("", "-", frame));
}

/** The text of the message that stands in the place of what was compacted. */
export function summaryText(
  summary: string,
  appendix: string,
  { isAutomatic, logAddress }: SummaryFrame,
): string {
  const parts = [backgroundText(logAddress), summary];
  if (appendix !== "") parts.push(`${appendixTitle}\n${appendix}`);
  if (isAutomatic) parts.push(goOnText);
  return parts.join("\n\n");
}

/** No token stands for more: longer pieces need not be measured. */
const mostCharsPerToken = 16;

/** The text, or its beginning and end in at most so many tokens; empty where not even the words between them fit. */
export function fitText(text: string, maxTokens: number, measure: (text: string) => number): string {
  if (measure(text) <= maxTokens) return text;
  let low = 0;
  let high = Math.min(text.length, Math.max(1, maxTokens * mostCharsPerToken));
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (measure(boundedText(text, middle)) <= maxTokens) low = middle;
    else high = middle;
  }
  return low === 0 ? "" : boundedText(text, low);
}
