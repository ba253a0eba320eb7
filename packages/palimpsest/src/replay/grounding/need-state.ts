import { fileTools, lookingTools, pathFields, quoteCode, shortId } from "@palimpsest/core/internal";
import { type ContentBlock, isBlock, type ToolUseBlock, type ViewItem } from "@palimpsest/core/spec";
import type { Need } from "./find-needs.ts";
import { blockText, itemKey, type RecordedBlock } from "./recorded-blocks.ts";

/** Where what a call needs is, under a policy. */
export type NeedState = "in-view" | "recall" | "refetch" | "lost";

/** The content of a view for those who look for something. */
export interface ViewContent {
  /** The block stands there as it was recorded, or as a fetched copy. */
  holds(key: string): boolean;
  /** Something that a policy put there has the text word for word, whatever its lines are indented with. */
  says(text: string): boolean;
  /** A visible id brings the block back. */
  offers(source: RecordedBlock): boolean;
  stateOf(need: Need): NeedState;
  /** Why it is neither in view nor one recall away, of something that is not. */
  lossOf(need: Need): LossCause;
  /** The newest source of what is not in view, the one to fetch again. */
  sourceToFetch(need: Need): RecordedBlock;
}

/** Reads the views of one run, one after the other. */
interface ViewReader {
  /** Reads a view; an earlier answer is good until the next call. */
  read(items: readonly ViewItem[], writtenSince: (path: string, request: number) => boolean): ViewContent;
}

/** The facts of the items that were read. */
interface ItemFacts {
  readonly verbatim: Set<string>;
  /** The texts in place of something. */
  readonly texts: string[];
  readonly handles: Set<string>;
  /** Blocks in whose place something stands that names no id. */
  readonly unnamed: Set<string>;
  readonly uses: Map<string, ToolUseBlock>;
}

/**
 * A view that begins with the one before it is read from there on. `aliases` names, for entries that hold a fetched
 * copy, the block they are a copy of; an entry has its alias before it is read.
 */
export function createViewReader(aliases: ReadonlyMap<string, string>): ViewReader {
  /** All that ever stood in the place of something. */
  const replacements = new Set<ContentBlock>();
  let known: ViewItem[] = [];
  let facts = noFacts();
  return {
    read(items, writtenSince) {
      if (known.length > items.length || known.some((item, at) => item !== items[at])) {
        known = [];
        facts = noFacts();
      }
      for (let at = known.length; at < items.length; at += 1) {
        const item = items[at] as ViewItem;
        addItem(item, aliases.get(item.entry), facts);
        if (item.decision !== undefined) replacements.add(item.block);
        known.push(item);
      }
      return viewContent(facts, replacements, writtenSince);
    },
  };
}

function noFacts(): ItemFacts {
  return { verbatim: new Set(), texts: [], handles: new Set(), unnamed: new Set(), uses: new Map() };
}

function addItem(item: ViewItem, copied: string | undefined, facts: ItemFacts): void {
  const { entry, index, decision, block } = item;
  const key = itemKey(entry, index);
  if (copied !== undefined && decision === undefined) facts.verbatim.add(copied);
  if (decision === undefined || decision === entry) facts.verbatim.add(key);
  else if (isHandle(item)) facts.handles.add(key);
  else facts.unnamed.add(key);
  if (decision !== undefined) facts.texts.push(replacementText(block));
  if (isBlock(block, "tool_use")) facts.uses.set(block.id, block);
}

function viewContent(
  { verbatim, texts, handles, unnamed, uses }: ItemFacts,
  replacements: ReadonlySet<ContentBlock>,
  writtenSince: (path: string, request: number) => boolean,
): ViewContent {
  const callOf = ({ block }: RecordedBlock) =>
    isBlock(block, "tool_result") ? uses.get(block.tool_use_id) : undefined;
  const isWrittenSince = (source: RecordedBlock, call: ToolUseBlock): boolean | undefined => {
    const path = fileTools.get(call.name) === "read" ? pathOf(call.input) : undefined;
    return path === undefined ? undefined : writtenSince(path, source.request);
  };
  const canRefetch = (source: RecordedBlock): boolean => {
    const call = callOf(source);
    return call !== undefined && (lookingTools.has(call.name) || isWrittenSince(source, call) === false);
  };
  const isChangedSince = (source: RecordedBlock): boolean => {
    const call = callOf(source);
    return call !== undefined && isWrittenSince(source, call) === true;
  };

  /** Something in the place of a block names an id by which it is recalled. */
  const isNamed = (source: RecordedBlock): boolean => {
    const id = namedId(source);
    return texts.some((text) => text.includes(id));
  };
  const wasNamed = (source: RecordedBlock): boolean => {
    const id = namedId(source);
    return [...replacements].some((block) => replacementText(block).includes(id));
  };
  const isOneRecallAway = (source: RecordedBlock) => handles.has(source.key) || isNamed(source);

  return {
    holds: (key) => verbatim.has(key),
    says: (text) => texts.some((one) => hasLines(one, text)),
    offers: isOneRecallAway,
    stateOf({ atom, sources }) {
      if (sources.some(({ key }) => verbatim.has(key))) return "in-view";
      if (texts.some((text) => text.includes(atom.text))) return "in-view";
      if (sources.some(isOneRecallAway)) return "recall";
      return sources.some(canRefetch) ? "refetch" : "lost";
    },
    lossOf({ sources }) {
      if (sources.some(canRefetch)) return "read-again";
      if (sources.some(wasNamed)) return "squeezed-out";
      if (sources.some(isChangedSince)) return "changed-since";
      return sources.some(({ key }) => unnamed.has(key)) ? "cleared-unnamed" : "never-named";
    },
    sourceToFetch({ sources }) {
      const newest = sources.at(-1) as RecordedBlock;
      return sources.findLast(isOneRecallAway) ?? sources.findLast(canRefetch) ?? newest;
    },
  };
}

/** The id that texts name a block by. */
function namedId({ block, key }: RecordedBlock): string {
  return shortId(recallId(block) ?? key.replace(/:\d+$/, ""));
}

function recallId(block: ContentBlock): string | undefined {
  if (isBlock(block, "tool_result")) return block.tool_use_id;
  return isBlock(block, "tool_use") ? block.id : undefined;
}

const knownTexts = new WeakMap<ContentBlock, string>();

function replacementText(block: ContentBlock): string {
  const known = knownTexts.get(block) ?? blockText(block);
  knownTexts.set(block, known);
  return known;
}

/** As it is, or line by line, as it is or as quotes of ours show it. */
function hasLines(text: string, wanted: string): boolean {
  if (text.includes(wanted)) return true;
  const lines = wanted.split("\n").map((line) => line.trim());
  return lines.every((line) => text.includes(line) || text.includes(insideQuote(line)));
}

function insideQuote(line: string): string {
  return quoteCode(line, line.length * 2).slice(1, -1);
}

/** A label that shows how to get the content back: by the id of the call, with the name of its tool. */
function isHandle({ block }: ViewItem): boolean {
  if (isBlock(block, "tool_result"))
    return typeof block.content === "string" && block.content.includes(block.tool_use_id);
  if (!isBlock(block, "tool_use")) return false;
  const { cleared } = (block.input ?? {}) as { readonly cleared?: unknown };
  return typeof cleared === "string" && cleared.includes(block.id);
}

export function pathOf(input: unknown): string | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  const fields = input as Readonly<Record<string, unknown>>;
  return pathFields.map((field) => fields[field]).find((path): path is string => typeof path === "string");
}

/**
 * Why something that a call needs is neither in view nor one recall away. `squeezed-out`: an id of it was named once, and
 * no longer is. `never-named`: it left the view, and nothing ever named an id of it. `cleared-unnamed`: something stands
 * in its place that names no id. `changed-since`: its file could be read again, but was written since. `read-again`: no
 * id is named, but calling again gives the same.
 */
export type LossCause = (typeof lossCauses)[number];

export const lossCauses = [
  "squeezed-out",
  "never-named",
  "cleared-unnamed",
  "changed-since",
  "read-again",
] as const;

/** How many were lost, by cause; causes that did not happen are absent. */
export type Losses = Readonly<Partial<Record<LossCause, number>>>;

export function addLosses(one: Losses, other: Losses): Losses {
  const sums = lossCauses.map((cause) => [cause, (one[cause] ?? 0) + (other[cause] ?? 0)] as const);
  return Object.fromEntries(sums.filter(([, count]) => count > 0));
}
