import type { CompactDecision, Entry } from "../../spec/index.ts";
import { soundEntry } from "../../view/projection/sound-entry.ts";
import { countedTokens } from "./shortest-prompt.ts";

/**
 * Finds behind which entry the view at the end of a log begins, by decisions and usages alone: what stands before it
 * need not be held while the log is read.
 */
export interface ViewHorizon {
  see(entry: Entry): void;
  /** Nothing up to this entry is in the view at the end; 0 where that is not known. */
  readonly seq: number;
  /** The compaction that hides what stands before it. */
  readonly boundary: number;
  /** Whether no response behind this entry, up to the boundary, has a prompt under so many tokens, or another head. */
  isShortest(seq: number, tokens: number): boolean;
}

/** Decisions that leave every item where it is, or that end with a compaction. */
const leavesOrder: ReadonlySet<string> = new Set(["offload", "clear", "strip-thinking", "cache-edit"]);

export function createViewHorizon(): ViewHorizon {
  const responses: { readonly seqs: number[]; readonly tokens: number[] } = { seqs: [], tokens: [] };
  let horizon = 0;
  /** The compaction that made it so: up to there the view is not whole. */
  let boundary = 0;
  let newestHead = 0;
  let newestMove = 0;
  /** A log with an undo or a rewind is read as it is: what is live there is not known before its end. */
  let hasGoneBack = false;
  /** By response, the fewest tokens from it on, up to the boundary. */
  let fewest: readonly number[] | null = null;

  function seeCompaction(decision: CompactDecision, seq: number): void {
    const behind = firstKept(decision) - 1;
    if (newestMove <= behind) {
      horizon = behind;
      boundary = seq;
    }
    newestMove = seq;
  }

  function fewestFrom(): readonly number[] {
    let least = Number.POSITIVE_INFINITY;
    const from: number[] = [];
    for (let at = responses.seqs.length - 1; at >= 0; at -= 1) {
      if ((responses.seqs[at] as number) <= boundary) least = Math.min(least, responses.tokens[at] as number);
      from.push(least);
    }
    return from.reverse();
  }

  return {
    get boundary() {
      return boundary;
    },
    get seq() {
      return hasGoneBack ? 0 : horizon;
    },
    see(given) {
      const entry = soundEntry(given);
      const { seq } = entry;
      if (entry.kind === "session" || (entry.kind === "note" && entry.note.topic === "head"))
        newestHead = seq;
      if (entry.kind === "message") {
        const tokens = countedTokens(entry.message);
        if (tokens === undefined) return;
        responses.seqs.push(seq);
        responses.tokens.push(tokens);
      }
      if (entry.kind !== "decision") return;
      const { decision } = entry;
      hasGoneBack ||= decision.type === "restore" || decision.type === "rewind";
      if (decision.type === "compact") seeCompaction(decision, seq);
      else if (!leavesOrder.has(decision.type)) newestMove = seq;
    },
    isShortest(seq, tokens) {
      if (newestHead > seq) return false;
      fewest ??= fewestFrom();
      return (fewest[firstBehind(responses.seqs, seq)] ?? Number.POSITIVE_INFINITY) >= tokens;
    },
  };
}

/** The position of the first number over `seq`, of numbers that grow. */
function firstBehind(seqs: readonly number[], seq: number): number {
  let low = 0;
  let high = seqs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((seqs[middle] as number) > seq) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The first entry that a boundary can leave in the view; none is kept before the first where that is not sure. */
function firstKept({ basis, kept }: CompactDecision): number {
  if (!kept) return basis + 1;
  const isSure = kept.from === undefined || kept.from.entry === kept.head;
  return isSure ? Math.min(basis + 1, kept.headSeq) : 0;
}
