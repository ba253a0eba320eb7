import type { Clock, Notice, NoticeSource, Result, View } from "../../spec/index.ts";
import { chooseMemories, type MemoryHit, recalledSubtype } from "./choose-memories.ts";

/** What at most is attached at once, and how long it may take. */
export const recallNumbers = { maxMemories: 5, maxTokens: 2_000, maxMs: 50, maxQueryChars: 4_000 } as const;

export interface RecallNoticeOptions {
  readonly search: (
    query: string,
    options: { readonly limit: number; readonly maxMs: number },
  ) => Promise<Result<readonly MemoryHit[]>>;
  /** A memory as the model is shown it: delimited data, marked as recalled. The same for the same memory. */
  readonly render: (hit: MemoryHit) => string;
  /** What the model has before its eyes. */
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
    /** What was in view before a compaction is gone behind it. A search that fails leaves the others their place. */
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
  const waited = new AbortController();
  const limit = maxMemories * searchedPerMemory;
  const late = clock
    .sleep(maxMs, AbortSignal.any([waited.signal, signal]))
    .then((): Result<readonly MemoryHit[]> => ({ ok: true, value: [] }));
  const found = await Promise.race([search(query.slice(0, maxQueryChars), { limit, maxMs }), late]);
  waited.abort();
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
