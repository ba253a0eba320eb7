import type {
  CompactDecision,
  CompactedPart,
  CompactionCause,
  CompactTrigger,
  ContentBlock,
  KeptSegment,
  Message,
  View,
  ViewItem,
} from "../../../spec/index.ts";
import { decidedItems } from "../../../view/projection/decided-items.ts";
import type { Measure } from "../../../view/tokens/measure.ts";
import { type SummaryFrame, summaryText } from "./boundary-texts.ts";

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
  /** What the ledgers know and the summary lacks; empty where nothing is missing. */
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

/** The decision that puts a boundary: what it covers gives way to the summary and what stands beside it. */
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
