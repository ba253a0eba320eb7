import { isBlock, type Message, type ViewItem } from "../../spec/index.ts";
import { firstChars } from "../first-chars.ts";
import { readAttachmentText, toAttachmentText } from "../projection/attachment-text.ts";
import { resultMedia, resultText } from "../projection/result-content.ts";
import { shortId } from "../short-id.ts";
import { fitText } from "./fit-text.ts";
import type { Measure } from "./measure.ts";
import { attachment } from "./restored-attachment.ts";
import { type UnheardWords, type UnseenResult, unheardWords, unseenFrom, unseenResults } from "./unseen.ts";

/** The part of the room that pieces of what no model has seen may have. */
export const unseenShare = 0.5;

const resultSubtype = "unseen-result";
const wordsSubtype = "unheard-words";
const subtypes: ReadonlySet<string> = new Set([resultSubtype, wordsSubtype]);
const inputChars = 120;

export interface UnseenPiecesQuestion {
  readonly items: readonly ViewItem[];
  /** Whether the entry with this number stays as it is. */
  readonly isKept: (seq: number) => boolean;
  readonly maxTokens: number;
  readonly measure: Measure;
}

export interface UnseenPieces {
  readonly attachments: readonly Message[];
  readonly tokens: number;
  /** What not even the name of has room. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
}

/** What a piece is made of: a line that names it, and the words. */
interface Source {
  readonly subtype: string;
  readonly name: string;
  readonly title: string;
  readonly text: string;
}

/**
 * Results and words that no model has seen and that a boundary covers: whole where they fit, else their beginning and
 * end, each with the id by which the rest is recalled. Small ones come first, large ones share what is left.
 */
export function unseenPieces({ items, isKept, maxTokens, measure }: UnseenPiecesQuestion): UnseenPieces {
  const sources = sourcesIn(items, isKept);
  const sizes = new Map(sources.map((source) => [source, sizeOf(source, source.text, measure)]));
  const smallestFirst = sources.toSorted((one, other) => (sizes.get(one) ?? 0) - (sizes.get(other) ?? 0));
  const made = new Map<Source, Message>();
  let left = maxTokens;
  for (const [at, source] of smallestFirst.entries()) {
    const share = Math.floor(left / (sources.length - at));
    const text = fitText(source.text, share, (words) => sizeOf(source, words, measure));
    const tokens = sizeOf(source, text, measure);
    if (tokens > share) continue;
    made.set(source, attachment(source.subtype, contentOf(source, text)));
    left -= tokens;
  }
  return {
    attachments: sources.flatMap((source) => made.get(source) ?? []),
    tokens: maxTokens - left,
    skipped: sources
      .filter((source) => !made.has(source))
      .map(({ name }) => ({ path: name, reason: "there is no room for it, and no model has seen it" })),
  };
}

/** Pieces of an earlier boundary that no model has answered either are pieces of the next. */
function sourcesIn(items: readonly ViewItem[], isKept: (seq: number) => boolean): readonly Source[] {
  const former = items.slice(unseenFrom(items)).flatMap((item): readonly Source[] => {
    const { block, decision, entry, seq } = item;
    if (decision !== entry || isKept(seq) || !isBlock(block, "text")) return [];
    const read = readAttachmentText(block.text);
    if (!read || !subtypes.has(read.subtype)) return [];
    const [title = "", ...lines] = read.text.split("\n");
    return [{ subtype: read.subtype, name: title, title, text: lines.join("\n") }];
  });
  const results = unseenResults(items).filter(({ item }) => !isKept(item.seq));
  const words = unheardWords(items).filter(({ seq }) => !isKept(seq));
  return [...former, ...results.map(toSource), ...words.map(wordsSource)];
}

function wordsSource({ entry, text }: UnheardWords): Source {
  const title = `What the user has just said, to be answered now · recall ${shortId(entry)}`;
  return { subtype: wordsSubtype, name: entry, title, text };
}

function toSource({ block, call }: UnseenResult): Source {
  const id = block.tool_use_id;
  const input = call === undefined ? "" : ` ${firstChars(JSON.stringify(call.input) ?? "", inputChars)}`;
  const failed = block.is_error === true ? " failed" : "";
  const title = `The result of ${call?.name ?? "a call"}${input}${failed}, which no model has seen yet · recall ${shortId(id)}`;
  const media = resultMedia(block).map(({ type }) => `[${type}]`);
  const text = [resultText(block), ...media].filter((part) => part !== "").join("\n");
  return { subtype: resultSubtype, name: call?.name ?? id, title, text: text === "" ? "(no output)" : text };
}

function contentOf({ title }: Pick<Source, "title">, text: string): string {
  return text === "" ? title : `${title}\n${text}`;
}

function sizeOf(source: Source, text: string, measure: Measure): number {
  return measure(toAttachmentText(contentOf(source, text), source.subtype));
}
