import {
  categories,
  estimateBlock,
  firstChars,
  type ItemShare,
  itemShare,
  type MessageTraits,
  padEstimate,
} from "@palimpsest/core/internal";
import {
  type Category,
  type ContentBlock,
  type Decision,
  type DecisionType,
  type Entry,
  isBlock,
  type MediaSource,
  type Message,
  type ToolUseBlock,
  type ViewItem,
} from "@palimpsest/core/spec";
import { escapeTerminal } from "../../terminal/escape-terminal.ts";
import type { InspectedItem, ItemState } from "../inspected.ts";

/** Where the text of an item stands in the log: a block of a message, or of what a session begins with. */
export interface ItemLocation {
  readonly seq: number;
  readonly part: "message" | "system" | "tools";
  readonly index: number;
  /** The last of the blocks that one text stands for together. */
  readonly lastIndex?: number;
}

/** An item, and what is known of it besides what the page is told. */
export interface RegisteredItem {
  item: InspectedItem;
  /** How many of its tokens are images and documents, which are a category of their own. */
  readonly mediaPart: number;
  /** Absent for what is in no log: see `text`. */
  readonly place?: ItemLocation;
  /** Of what a decision put there; what is verbatim is read from the log again. */
  readonly text?: string;
}

/** All items in all forms in which they were seen, each once, by number. */
export interface ItemRegister {
  readonly items: readonly RegisteredItem[];
  /** To be called with every entry before it is projected. */
  note(entry: Entry): void;
  numberOf(item: ViewItem): number;
  add(registered: RegisteredItem): number;
  /** Says what the fold or the summary of a decision stands for. */
  cover(decision: string, numbers: readonly number[]): void;
}

export const categoryNumbers: ReadonlyMap<Category, number> = new Map(
  categories.map((category, at) => [category, at]),
);

const stateOf: Readonly<Record<DecisionType, ItemState>> = {
  offload: "offloaded",
  clear: "cleared",
  "cache-edit": "cleared",
  snip: "folded",
  fold: "folded",
  compact: "summarised",
  repair: "repaired",
  "strip-thinking": "whole",
  restore: "restored",
  rewind: "whole",
};

export function createItemRegister(): ItemRegister {
  const items: RegisteredItem[] = [];
  const numbers = new Map<string, number>();
  const decisions = new Map<string, DecisionType>();
  const madeBy = new Map<string, number[]>();
  /** Of blocks that were stored as one the last, by the decision and the place of the first. */
  const storedUpTo = new Map<string, number>();
  /** Of messages that are not plainly the user's or the model's. */
  const traits = new Map<string, MessageTraits>();
  const callTitles = new Map<string, string>();
  const input = {
    estimate: (block: ViewItem["block"]) => padEstimate(estimateBlock(block)),
    messageOf: (entry: string) => traits.get(entry),
    thresholds: { window: 0, base: 0 },
  };

  function noteMessage(id: string, message: Message): void {
    const { type, subtype, isMeta, isCompactSummary } = message;
    if (type === "attachment" || isMeta || isCompactSummary)
      traits.set(id, {
        type,
        ...(subtype !== undefined && { subtype }),
        ...(isMeta && { isMeta }),
        ...(isCompactSummary && { isCompactSummary }),
      });
    if (!Array.isArray(message.content)) return;
    for (const block of message.content)
      if (isBlock(block, "tool_use")) callTitles.set(block.id, itemTitle(block));
  }

  function noteDecision(id: string, decision: Decision): void {
    decisions.set(id, decision.type);
    if (decision.type !== "offload") return;
    for (const { entry, block, lastBlock } of decision.blocks ?? [])
      if (lastBlock !== undefined) storedUpTo.set(`${id} ${entry} ${block}`, lastBlock);
  }

  function stateIn(viewed: ViewItem, share: ItemShare): ItemState {
    if (viewed.decision === undefined) return "whole";
    const type = decisions.get(viewed.decision);
    if (type === "compact" && share.category === "attachments") return "restored";
    return type === undefined ? "repaired" : stateOf[type];
  }

  function toRegistered(viewed: ViewItem): RegisteredItem {
    const { block, seq, index, role, decision, entry } = viewed;
    const share = itemShare(viewed, input);
    const tokens = share.tokens + share.mediaTokens;
    const call = share.call?.id ?? share.result?.id;
    const callTitle = call === undefined ? undefined : callTitles.get(call);
    const state = stateIn(viewed, share);
    const isReplaced = decision !== undefined && decision !== entry;
    const title = isBlock(block, "tool_use") ? callTitle : undefined;
    const lastIndex = storedUpTo.get(`${decision} ${entry} ${index}`);
    const location = { seq, part: "message", index, ...(lastIndex !== undefined && { lastIndex }) } as const;
    return {
      item: {
        origin: `${entry}#${index}`,
        seq,
        role,
        kind: block.type,
        category: categoryNumbers.get(share.category) ?? 0,
        tokens,
        state,
        title: title ?? itemTitle(block, callTitle),
        ...(call !== undefined && { call }),
        hasOriginal: isReplaced,
      },
      mediaPart: tokens === 0 ? 0 : share.mediaTokens / tokens,
      ...((decision === undefined || isReplaced) && { place: location }),
      ...(decision !== undefined && { text: blockText(block) }),
    };
  }

  function add(registered: RegisteredItem): number {
    items.push(registered);
    return items.length - 1;
  }

  return {
    items,
    add,
    note(entry) {
      if (entry.kind === "decision") noteDecision(entry.id, entry.decision);
      else if (entry.kind === "message") noteMessage(entry.id, entry.message);
    },
    numberOf(viewed) {
      const key = `${viewed.seq} ${viewed.index} ${viewed.decision ?? ""}`;
      const known = numbers.get(key);
      if (known !== undefined) return known;
      const number = add(toRegistered(viewed));
      numbers.set(key, number);
      if (viewed.decision !== undefined && viewed.decision === viewed.entry)
        madeBy.set(viewed.decision, [...(madeBy.get(viewed.decision) ?? []), number]);
      return number;
    },
    cover(decision, covered) {
      if (covered.length === 0) return;
      for (const number of madeBy.get(decision) ?? []) {
        const made = items[number];
        if (!made || made.item.covers || !/folded|summarised/.test(made.item.state)) continue;
        made.item = { ...made.item, covers: covered, hasOriginal: true };
      }
    },
  };
}

/** A block as a person reads it. Images and documents are named, not shown. */
export function blockText(block: ContentBlock): string {
  if (isBlock(block, "text")) return String(block.text);
  if (isBlock(block, "thinking")) return String(block.thinking);
  if (isBlock(block, "redacted_thinking")) return "[thinking that only the provider can read]";
  if (isBlock(block, "tool_use")) return `${block.name} ${json(block.input)}`;
  if (isBlock(block, "tool_result")) return resultText(block.content ?? "");
  if (isBlock(block, "image") || isBlock(block, "document")) return mediaText(block.type, block.source);
  return json(block);
}

function resultText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return json(content);
  return (content as readonly ContentBlock[]).map(blockText).join("\n");
}

function mediaText(kind: string, source: MediaSource | undefined): string {
  if (source?.type === "base64")
    return `[${kind}, ${source.media_type}, ${source.data.length} characters of base64]`;
  if (source?.type === "url") return `[${kind} at ${source.url}]`;
  return source?.type === "text" ? source.data : `[${kind}]`;
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? "";
}

const maxTitleChars = 120;
/** The main arguments of a call, most telling first. */
const mainArguments = [
  "file_path",
  "path",
  "notebook_path",
  "command",
  "pattern",
  "url",
  "query",
  "description",
  "prompt",
] as const;

/** One line for a block: a tool and its main argument, or the first words. `callTitle` is that of a result's call. */
function itemTitle(block: ContentBlock, callTitle?: string): string {
  if (isBlock(block, "tool_use")) return callLine(block);
  if (isBlock(block, "tool_result") && callTitle !== undefined) return callTitle;
  return firstWords(blockText(block));
}

export function firstWords(text: string): string {
  const line = escapeTerminal(text.slice(0, 4 * maxTitleChars)).trim();
  return line.length <= maxTitleChars ? line : `${firstChars(line, maxTitleChars - 1)}…`;
}

function callLine({ name, input }: ToolUseBlock): string {
  const given = (typeof input === "object" && input !== null ? input : {}) as Record<string, unknown>;
  const main = mainArguments.map((argument) => given[argument]).find((value) => typeof value === "string");
  return firstWords(main === undefined ? name : `${name} ${main}`);
}
