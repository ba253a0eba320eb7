import { inlineLimitBytes } from "../../log/large-values.ts";
import { type Entry, isBlock, type Message, type SessionHead, type ViewItem } from "../../spec/index.ts";
import { deletedResults, isCacheEdit } from "../../view/cache-edits.ts";
import { roleOf } from "../../view/projection/message-items.ts";
import { itemBytes, itemFeatures } from "../../view/projection/repaired-items.ts";
import { isNativeBlock } from "../../view/request/native-block.ts";
import {
  addFeatures,
  type CountedPrompt,
  type Features,
  noFeatures,
  promptTokens,
} from "../../view/tokens/index.ts";

/** A counted prompt and the response that told of it. */
export interface ResponsePrompt extends CountedPrompt {
  readonly seq: number;
}

/**
 * Keeps the shortest prompt that the provider has counted with the system prompt, tools and model in force: it has the
 * fewest messages, so that it says most exactly what stands before them. Derived from the log alone. What was read once
 * is kept whatever becomes of its branch; from the first undo or rewind on, a resumed session can only know responses
 * that are live, and a running one keeps to the same.
 */
export interface ShortestPrompt {
  readonly prompt: CountedPrompt | undefined;
  /** The shortest since the first undo or rewind, to go back to. */
  readonly later: ResponsePrompt | undefined;
  /**
   * Takes the next entry: the view with it and how many items it had before, `null` where it must be read again.
   * `isPart`: the view lacks items, so that no prompt can be told by it.
   */
  add(entry: Entry, items: readonly ViewItem[] | null, before: number, isPart?: boolean): void;
  /** Goes back to a boundary; the live entries behind it follow by `addAgain`. */
  goBackTo(later: ResponsePrompt | undefined): void;
  /** `isDead`: the entry is a decision that was undone; up to its undo the view was another one. */
  addAgain(entry: Entry, items: readonly ViewItem[], before: number, isDead: boolean, isPart?: boolean): void;
  /** A second one that goes on from here by itself. */
  copy(): ShortestPrompt;
}

interface PromptStart {
  readonly head: SessionHead;
  /** Sequence number of the entry that brought the head. */
  readonly headSeq: number;
  readonly first?: ResponsePrompt;
  readonly later?: ResponsePrompt;
  /** There was an undo or a rewind. */
  readonly hasGoneBack: boolean;
  /** Entries with values that a log is read without at first: views that hold one are passed over. */
  readonly large: ReadonlySet<number>;
}

export function createShortestPrompt(): ShortestPrompt {
  return resumeFrom({ head: {}, headSeq: 0, hasGoneBack: false, large: new Set() });
}

function resumeFrom(start: PromptStart): ShortestPrompt {
  let { head, headSeq, first, later, hasGoneBack } = start;
  const large = new Set(start.large);
  const undone = new Set<string>();

  function seeHead(entry: Entry): void {
    const said = headIn(entry);
    if (!said || isWithin(said, head)) return;
    head = { ...head, ...said };
    headSeq = entry.seq;
    first = undefined;
    later = undefined;
  }

  function seeLarge(entry: Entry, items: readonly ViewItem[], before: number): void {
    if (entry.blobs || ownItems(entry, items, before).some(isLarge)) large.add(entry.seq);
  }

  function shorter(
    known: ResponsePrompt | undefined,
    entry: Entry,
    items: readonly ViewItem[],
    before: number,
  ): ResponsePrompt | undefined {
    if (entry.kind !== "message" || before === 0 || entry.seq < headSeq) return known;
    const tokens = countedTokens(entry.message);
    if (tokens === undefined || (known && tokens >= known.tokens)) return known;
    const sent = items.slice(0, before);
    const { responseId } = entry.message;
    const isContinued = responseId !== undefined && sent.some(({ response }) => response === responseId);
    if (isContinued || sent.some(({ seq }) => large.has(seq))) return known;
    return { seq: entry.seq, tokens, messages: sentFeatures(sent) };
  }

  return {
    get prompt() {
      return later && (!first || later.tokens < first.tokens) ? later : first;
    },
    get later() {
      return later;
    },
    add(entry, items, before, isPart = false) {
      seeHead(entry);
      hasGoneBack ||= items === null;
      if (items === null) return;
      seeLarge(entry, items, before);
      if (isPart) return;
      if (hasGoneBack) later = shorter(later, entry, items, before);
      else first = shorter(first, entry, items, before);
    },
    goBackTo(former) {
      later = former && former.seq > headSeq ? former : undefined;
    },
    addAgain(entry, items, before, isDead, isPart = false) {
      seeLarge(entry, items, before);
      if (entry.kind === "decision") {
        if (entry.decision.type === "restore") undone.delete(entry.decision.decision);
        if (isDead) undone.add(entry.id);
      } else if (undone.size === 0 && !isPart) later = shorter(later, entry, items, before);
    },
    copy: () => resumeFrom({ head, headSeq, first, later, hasGoneBack, large }),
  };
}

/** The head that an entry sets for requests from now on. */
function headIn(entry: Entry): Pick<SessionHead, "model" | "system" | "tools"> | null {
  const said =
    entry.kind === "session"
      ? entry.session
      : entry.kind === "note" && entry.note.topic === "head"
        ? entry.note
        : null;
  if (!said) return null;
  const { model, system, tools } = said;
  return { ...(model !== undefined && { model }), ...(system && { system }), ...(tools && { tools }) };
}

function isWithin({ model, system, tools }: SessionHead, head: SessionHead): boolean {
  return (
    (model === undefined || model === head.model) &&
    (system === undefined || system.blob === head.system?.blob) &&
    (tools === undefined || tools.blob === head.tools?.blob)
  );
}

/** Tokens of the prompt that was answered; absent where it was another one than the view, or was not counted. */
export function countedTokens(message: Message): number | undefined {
  const { usage, content, contextManagement } = message;
  if (roleOf(message) !== "assistant" || !usage || !(promptTokens(usage) > 0)) return undefined;
  const isChanged =
    (contextManagement?.applied_edits ?? []).length > 0 ||
    (typeof content !== "string" && content.some(isNativeBlock));
  return isChanged ? undefined : promptTokens(usage);
}

/** Neither cache edits nor what they deleted count. */
function sentFeatures(items: readonly ViewItem[]): Features {
  const deleted = deletedResults(items);
  return items.reduce((sum, item) => {
    const { block } = item;
    const isGone = isBlock(block, "tool_result") ? deleted.has(block.tool_use_id) : isCacheEdit(item);
    return isGone ? sum : addFeatures(sum, itemFeatures(item));
  }, noFeatures);
}

/** The items that an entry brought, of those that may bring large values. */
function ownItems(entry: Entry, items: readonly ViewItem[], before: number): readonly ViewItem[] {
  if (entry.kind === "message") return items.slice(before);
  const isBoundary = entry.kind === "decision" && entry.decision.type === "compact";
  return isBoundary ? items.filter(({ seq }) => seq === entry.seq) : [];
}

function isLarge(item: ViewItem): boolean {
  return itemBytes(item) > inlineLimitBytes;
}
