import { isBlock, type ViewItem } from "../../../spec/index.ts";

/** Texts that are stored as one: what stands for them has one beginning, one end, one size and one id. */
export interface TextRun {
  readonly items: readonly [ViewItem, ...ViewItem[]];
  /** Of each by itself. */
  readonly tokens: readonly number[];
  /** Of all together. */
  readonly wholeTokens: number;
  /** It begins or ends a message of several texts, or all that is new: there a person says what it is about. */
  readonly isEnd: boolean;
}

type Count = (items: readonly ViewItem[]) => number;

/** Every text that no decision has replaced, by itself; and, joined, those that stand next to each other in one message. */
export interface TextRuns {
  readonly single: readonly TextRun[];
  readonly joined: readonly TextRun[];
}

export function textRunsOf(items: readonly ViewItem[], countOf: Count): TextRuns {
  const texts = items.filter(
    ({ role, block, decision }) => role === "user" && decision === undefined && isBlock(block, "text"),
  );
  const single = texts.map((item, at): TextRun => {
    const wholeTokens = countOf([item]);
    return { items: [item], tokens: [wholeTokens], wholeTokens, isEnd: isEndOf(texts, at) };
  });
  const runs: TextRun[][] = [];
  for (const run of single) {
    const [{ entry, index }] = run.items;
    const former = runs.at(-1)?.at(-1)?.items[0];
    if (former?.entry === entry && former.index === index - 1) runs.at(-1)?.push(run);
    else runs.push([run]);
  }
  return { single, joined: runs.map((parts) => joinedRun(parts, countOf)) };
}

function isEndOf(texts: readonly ViewItem[], at: number): boolean {
  const [before, own, behind] = [texts[at - 1]?.entry, texts[at]?.entry, texts[at + 1]?.entry];
  if (before === undefined || behind === undefined) return true;
  return (before === own) !== (behind === own);
}

function joinedRun(parts: readonly TextRun[], countOf: Count): TextRun {
  const items = parts.flatMap((part) => part.items) as unknown as TextRun["items"];
  return {
    items,
    tokens: parts.flatMap(({ tokens }) => tokens),
    wholeTokens: countOf(items),
    isEnd: parts.some(({ isEnd }) => isEnd),
  };
}

/** Texts as stored, and their tokens then. */
export interface StoredTexts {
  readonly stored: readonly TextRun["items"][];
  readonly left: number;
}

/**
 * Chooses the texts that are stored, until fewer tokens than the limit are left of so many: the largest first, and what
 * begins or ends a message last. Of texts that stand next to each other those in the middle go, as many as must. What need
 * not be stored after all, once a larger one had to be, stays whole.
 */
export function storeTexts(
  runs: readonly TextRun[],
  tokens: number,
  limitTokens: number,
  standInTokens: number,
): StoredTexts {
  const stored: { readonly items: TextRun["items"]; readonly frees: number }[] = [];
  let left = tokens;
  for (const run of runs.toSorted(
    (one, other) => rankOf(one) - rankOf(other) || other.wholeTokens - one.wholeTokens,
  )) {
    if (left < limitTokens) break;
    if (run.wholeTokens <= standInTokens) continue;
    const besides = left - run.wholeTokens + standInTokens;
    const { items, keptTokens } = middleOf(run, limitTokens - 1 - besides);
    const frees = run.wholeTokens - standInTokens - keptTokens;
    stored.push({ items, frees });
    left -= frees;
  }
  const needed = stored.toReversed().flatMap(({ items, frees }) => {
    if (left + frees >= limitTokens) return [items];
    left += frees;
    return [];
  });
  return { stored: needed.toReversed(), left };
}

/** Runs with a middle first, since their ends can stay; then what stands between others. */
function rankOf({ items, isEnd }: TextRun): number {
  if (items.length > 2) return 0;
  return isEnd ? 2 : 1;
}

/** The run without its ends, of which so many tokens may stay; the very end goes before the beginning. */
function middleOf({ items, tokens }: TextRun, mostTokens: number) {
  let [from, to, keptTokens] = [0, items.length, 0];
  for (let atEnd = true, refused = 0; refused < 2 && to - from > 1; atEnd = !atEnd) {
    const next = tokens[atEnd ? to - 1 : from] as number;
    refused = keptTokens + next > mostTokens ? refused + 1 : 0;
    if (refused > 0) continue;
    keptTokens += next;
    if (atEnd) to -= 1;
    else from += 1;
  }
  return { items: items.slice(from, to) as unknown as TextRun["items"], keptTokens };
}
