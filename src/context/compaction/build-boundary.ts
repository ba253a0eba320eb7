import type {
  CompactDecision,
  CompactionCause,
  CompactTrigger,
  KeptSegment,
  Message,
  View,
} from "../../spec/index.ts";
import { decidedItems } from "../projection/decided-items.ts";
import { summaryText } from "./boundary-texts.ts";
import { type Measure, measureItems } from "./measure.ts";

export const compactionLayerId = "compaction";

export interface BoundaryParts {
  readonly view: Pick<View, "items" | "count">;
  readonly basis: number;
  readonly trigger: Exclude<CompactTrigger, "imported">;
  readonly strategy: string;
  readonly cause: CompactionCause;
  readonly reason: string;
  readonly summary: string;
  /** What the ledgers know and the summary lacks; empty where nothing is missing. */
  readonly appendix: string;
  readonly kept?: KeptSegment;
  /** Restored attachments, then what hooks said. */
  readonly attachments: readonly Message[];
  readonly discoveredTools: readonly string[];
  readonly headTokens: number;
  readonly measure: Measure;
}

/** The decision that puts a boundary: what it covers gives way to the summary and what stands beside it. */
export function buildBoundary(parts: BoundaryParts): CompactDecision {
  const { view, basis, trigger, strategy, cause, reason, kept, headTokens, measure } = parts;
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
    summary: {
      type: "user",
      content: summaryText(parts.summary, parts.appendix, trigger !== "manual"),
      isCompactSummary: true,
      isVisibleInTranscriptOnly: true,
    },
    covers,
    ...(kept && { kept }),
    attachments: parts.attachments,
    discoveredTools: parts.discoveredTools,
    cause,
  };
  const after = decidedItems(view.items, { decision, id: "", seq: Number.MAX_SAFE_INTEGER });
  const tokensAfter = headTokens + measureItems(after, measure);
  return { ...decision, tokensAfter, frees: Math.max(0, tokensBefore - tokensAfter) };
}
