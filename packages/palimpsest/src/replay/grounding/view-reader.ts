import { quoteCode, shortId } from "@palimpsest/core/internal";
import { type ContentBlock, isBlock, type ToolUseBlock, type ViewItem } from "@palimpsest/core/spec";
import { blockText, itemKey } from "./recorded-blocks.ts";
import { createTextFinder, hasEnded, hasId, hasWords } from "./text-finder.ts";

/** The content of a view for those who look for something. */
export interface ViewContent {
  /** The block stands there as it was recorded, or as a fetched copy. */
  holds(key: string): boolean;
  /** Something that was put there has these very words. */
  quotes(words: string): boolean;
  /** The same, whatever its lines are indented with. */
  says(text: string): boolean;
  /** Something that was put there shows the id, whole or by its end. */
  shows(id: string): boolean;
  /** Something that ever stood there did. */
  hasShown(id: string): boolean;
  /** These words of the user's stand there as no longer wanted. */
  ends(words: string): boolean;
  /** Something stands in the place of the block and shows no id of it. */
  isUnnamed(key: string): boolean;
  callOf(toolUseId: string): ToolUseBlock | undefined;
}

/** Reads the views of one run, one after the other. */
export interface ViewReader {
  /** Reads a view; an earlier answer is good until the next call. */
  read(items: readonly ViewItem[]): ViewContent;
}

/** The facts of the items that were read. */
interface ItemFacts {
  readonly verbatim: Set<string>;
  /** The texts in place of something. */
  readonly texts: Set<string>;
  /** Blocks in whose place something stands that shows no id. */
  readonly unnamed: Set<string>;
  readonly uses: Map<string, ToolUseBlock>;
}

export interface ViewReaderParts {
  /** For entries that hold fetched copies, the blocks they are copies of; an entry has them before it is read. */
  readonly copies: ReadonlyMap<string, readonly string[]>;
  /** Whether an entry is one of the recording; anything else was put there. */
  readonly isRecorded: (entry: string) => boolean;
}

/** A view that begins with the one before it is read from there on. */
export function createViewReader({ copies, isRecorded }: ViewReaderParts): ViewReader {
  const words = createTextFinder(hasWords);
  const lines = createTextFinder(hasLines);
  const ids = createTextFinder(hasId);
  const ended = createTextFinder(hasEnded);
  let known: ViewItem[] = [];
  let facts = noFacts();

  function addItem(item: ViewItem): void {
    const { entry, index, decision, block } = item;
    const key = itemKey(entry, index);
    const copied = decision === undefined ? copies.get(entry) : undefined;
    for (const one of copied ?? []) facts.verbatim.add(one);
    if (decision === undefined || decision === entry) facts.verbatim.add(key);
    else if (!isHandle(item)) facts.unnamed.add(key);
    if (decision !== undefined || (!copied && !isRecorded(entry))) addText(replacementText(block));
    if (isBlock(block, "tool_use")) facts.uses.set(block.id, block);
  }

  function addText(text: string): void {
    facts.texts.add(text);
    for (const finder of [words, lines, ids, ended]) finder.add(text);
  }

  const content: ViewContent = {
    holds: (key) => facts.verbatim.has(key),
    quotes: (wanted) => words.isIn(facts.texts, wanted),
    says: (wanted) => lines.isIn(facts.texts, wanted),
    shows: (id) => ids.isIn(facts.texts, shortId(id)),
    hasShown: (id) => ids.wasIn(shortId(id)),
    ends: (wanted) => ended.isIn(facts.texts, wanted),
    isUnnamed: (key) => facts.unnamed.has(key),
    callOf: (toolUseId) => facts.uses.get(toolUseId),
  };

  return {
    read(items) {
      if (known.length > items.length || known.some((item, at) => item !== items[at])) {
        known = [];
        facts = noFacts();
      }
      for (const item of items.slice(known.length)) {
        addItem(item);
        known.push(item);
      }
      return content;
    },
  };
}

function noFacts(): ItemFacts {
  return { verbatim: new Set(), texts: new Set(), unnamed: new Set(), uses: new Map() };
}

const knownTexts = new WeakMap<ContentBlock, string>();

function replacementText(block: ContentBlock): string {
  const known = knownTexts.get(block) ?? blockText(block);
  knownTexts.set(block, known);
  return known;
}

/** As it is, or line by line, as it is or as quotes of ours show it. */
function hasLines(text: string, wanted: string): boolean {
  if (hasWords(text, wanted)) return true;
  const lines = wanted.split("\n").map((line) => line.trim());
  return lines.every((line) => text.includes(line) || text.includes(insideQuote(line)));
}

function insideQuote(line: string): string {
  return quoteCode(line, line.length * 2).slice(1, -1);
}

/** A label that shows how to get the content back: by the id of the call. */
function isHandle({ block }: ViewItem): boolean {
  if (isBlock(block, "tool_result"))
    return typeof block.content === "string" && block.content.includes(block.tool_use_id);
  if (!isBlock(block, "tool_use")) return false;
  const { cleared } = (block.input ?? {}) as { readonly cleared?: unknown };
  return typeof cleared === "string" && cleared.includes(block.id);
}
