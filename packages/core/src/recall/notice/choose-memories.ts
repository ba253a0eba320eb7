import { isBlock, type View } from "../../spec/index.ts";
import { readAttachmentText } from "../../view/projection/attachment-text.ts";
import { estimateBlock } from "../../view/tokens/index.ts";

/** A memory that a search has found. */
export interface MemoryHit {
  readonly kind: string;
  readonly score: number;
  /** Below the memory folder. */
  readonly path: string;
  readonly text: string;
}

export interface MemoryChoice {
  /** A memory as the model is shown it: delimited data, marked as recalled. The same for the same memory. */
  readonly render: (hit: MemoryHit) => string;
  readonly maxMemories: number;
  readonly maxTokens: number;
  /** Hears what was chosen. */
  readonly onChosen?: (hit: MemoryHit) => void;
}

/** What memories are attached as. */
export const recalledSubtype = "memory";

/**
 * The memories that are worth a place, best first, as they are shown: none that the model has before its eyes, as many
 * as there is room for. One that is too large gives way to the next.
 */
export function chooseMemories(
  hits: readonly MemoryHit[],
  view: Pick<View, "items">,
  { render, maxMemories, maxTokens, onChosen }: MemoryChoice,
): readonly string[] {
  const shown = attachedMemories(view);
  const chosen: string[] = [];
  const paths = new Set<string>();
  let left = maxTokens;
  const best = hits.filter(({ kind, score }) => kind === "memory" && score > 0).sort(byScore);
  for (const hit of best) {
    if (chosen.length === maxMemories) break;
    const text = render(hit);
    const tokens = estimateBlock({ type: "text", text });
    if (tokens > left || paths.has(hit.path) || shown.some((one) => one.includes(text))) continue;
    paths.add(hit.path);
    chosen.push(text);
    onChosen?.(hit);
    left -= tokens;
  }
  return chosen;
}

function byScore(one: MemoryHit, other: MemoryHit): number {
  return other.score - one.score || (one.path < other.path ? -1 : 1);
}

function attachedMemories({ items }: Pick<View, "items">): readonly string[] {
  return items.flatMap(({ block }) => {
    const attached = isBlock(block, "text") ? readAttachmentText(block.text) : undefined;
    return attached?.subtype === recalledSubtype ? [attached.text] : [];
  });
}
