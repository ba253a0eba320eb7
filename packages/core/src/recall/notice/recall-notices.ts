import {
  type Clock,
  isBlock,
  type Notice,
  type NoticeSource,
  type Result,
  type View,
} from "../../spec/index.ts";
import { readAttachmentText } from "../../view/projection/message-items.ts";
import { estimateBlock } from "../../view/tokens/index.ts";
import { withinTime } from "../../within-time.ts";

/** The most that is attached at once, and how long it may take. */
const recallNumbers = { maxMemories: 5, maxTokens: 2_000, maxMs: 50, maxQueryChars: 4_000 } as const;

export interface RecallNoticeOptions {
  readonly search: (
    query: string,
    options: { readonly limit: number; readonly maxMs: number },
  ) => Promise<Result<readonly MemoryHit[]>>;
  /** A memory as the model is shown it: delimited data, marked as recalled. The same for the same memory. */
  readonly render: (hit: MemoryHit) => string;
  /** The model's current view. */
  readonly view: () => View;
  readonly clock: Clock;
  /** Hears which memory is attached. */
  readonly onAttach?: (hit: MemoryHit) => void;
  /** Absent: it is on. */
  readonly isOn?: () => boolean;
}

/** Some are in view already, or too large. */
const searchedPerMemory = 3;

/**
 * Attaches memories that matter to what the user says: at the beginning of a turn, and again for the newest message once
 * a compaction has taken the earlier ones away. What is found too late, or not at all, is left out.
 */
export function createRecallNotices(options: RecallNoticeOptions): NoticeSource {
  const { view, isOn = () => true } = options;
  let boundary: number | undefined;
  /** A compaction that goes on has been given its memories. */
  let isRestored = false;
  return {
    name: "memories",
    remembers: true,
    async take({ kind, prompt, signal }) {
      const seen = view();
      const isCompacted = seen.boundarySeq !== boundary;
      boundary = seen.boundarySeq;
      const isMissing = kind === "tool-round" && isCompacted && boundary !== undefined && !isRestored;
      const isDue = kind === "turn-start" || isMissing;
      if (isCompacted || kind === "turn-start") isRestored = false;
      const query = prompt ?? seen.ledgers.userMessages.at(-1)?.text ?? "";
      if (!isDue || !isOn() || query.trim() === "") return [];
      return attach(await find(query, options, signal), seen, options);
    },
    /** Memories in view before a compaction are gone behind it. A search that fails leaves the others their place. */
    async restore(signal) {
      const query = view().ledgers.userMessages.at(-1)?.text ?? "";
      if (!isOn() || query.trim() === "") return [];
      const found = await find(query, options, signal).catch(() => []);
      isRestored = true;
      return attach(found, { items: [] }, options);
    },
  };
}

async function find(
  query: string,
  { search, clock }: RecallNoticeOptions,
  signal: AbortSignal,
): Promise<readonly MemoryHit[]> {
  const { maxMemories, maxMs, maxQueryChars } = recallNumbers;
  const limit = maxMemories * searchedPerMemory;
  const asked = search(query.slice(0, maxQueryChars), { limit, maxMs });
  const found = await withinTime(asked, maxMs, clock, signal);
  if (found === undefined) return [];
  if (!found.ok) throw found.error;
  return found.value;
}

function attach(
  hits: readonly MemoryHit[],
  view: Pick<View, "items">,
  { render, onAttach }: Pick<RecallNoticeOptions, "render" | "onAttach">,
): readonly Notice[] {
  const { maxMemories, maxTokens } = recallNumbers;
  const chosen = chooseMemories(hits, view, {
    render,
    maxMemories,
    maxTokens,
    ...(onAttach && { onChosen: onAttach }),
  });
  return chosen.length === 0 ? [] : [{ subtype: recalledSubtype, text: chosen.join("\n") }];
}

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

/** The subtype of attached memories. */
export const recalledSubtype = "memory";

/**
 * The memories that are worth a place, best first, as they are shown: none that the model has before its eyes, as many
 * as there is room for. One that is too large is replaced by the next.
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
  const best = hits.filter(({ kind, score }) => kind === "memory" && score > 0).sort(compareScores);
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

function compareScores(one: MemoryHit, other: MemoryHit): number {
  return other.score - one.score || (one.path < other.path ? -1 : 1);
}

function attachedMemories({ items }: Pick<View, "items">): readonly string[] {
  return items.flatMap(({ block }) => {
    const attached = isBlock(block, "text") ? readAttachmentText(block.text) : undefined;
    return attached?.subtype === recalledSubtype ? [attached.text] : [];
  });
}
