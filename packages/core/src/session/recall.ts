import {
  type ContentBlock,
  type Entry,
  fail,
  isBlock,
  ok,
  type Recalled,
  type Result,
} from "../spec/index.ts";
import { isShortId } from "../view/quote-foreign.ts";
import { betweenBlocks } from "../view/read-back.ts";
import { isIdOf } from "../view/request/request-ids.ts";
import type { SessionLog } from "./session-log.ts";

/** How many characters a page has when the caller does not say. */
export const recallPageChars = 50_000;

export interface RecallOptions {
  readonly offset?: number;
  readonly limit?: number;
}

/**
 * Anything by its id, whole: an entry, a tool use with its result, a decision, a blob. Hidden or not makes no difference,
 * nor does it whether a tool use is named as in the log or as in requests.
 * The end of an id, as summaries name it, will do where no other ends like it.
 */
export async function recall(
  log: SessionLog,
  id: string,
  options: RecallOptions = {},
): Promise<Result<Recalled>> {
  const { offset = 0, limit } = options;
  const checked = pageOf("", offset, limit);
  if (!checked.ok) return checked;
  const page = (kind: Recalled["kind"], text: string): Result<Recalled> => {
    const cut = pageOf(text, offset, limit);
    return cut.ok ? ok({ id, kind, ...cut.value }) : cut;
  };
  if (/^[0-9a-f]{64}$/.test(id)) {
    const bytes = await log.readBlob(id);
    return bytes.ok ? page("blob", Buffer.from(bytes.value).toString("utf8")) : bytes;
  }
  const parts: string[] = [];
  for await (const entry of log.readAfter(0, (one) => one.id === id || toolParts(one, id).length > 0)) {
    if (!entry.ok) return entry;
    if (entry.value.id === id) {
      return page(entry.value.kind === "decision" ? "decision" : "entry", wholeText(entry.value));
    }
    parts.push(...toolParts(entry.value, id));
  }
  if (parts.length > 0) return page("tool-use", parts.join("\n\n"));
  const ending = isShortId(id) ? await idsEndingWith(log, id) : ok([]);
  if (!ending.ok) return ending;
  const [only, ...others] = ending.value;
  if (only !== undefined && others.length === 0) return recall(log, only, options);
  if (only !== undefined)
    return fail("invalid-input", `Several ids of this session end with ${id}.`, {
      path: id,
      fix: `Give one of them: ${ending.value.join(", ")}.`,
    });
  return fail("not-found", `Nothing in this session has the id ${id}.`, {
    path: id,
    fix: "Give the id of an entry, a tool use, a decision or a blob.",
  });
}

async function idsEndingWith(log: SessionLog, end: string): Promise<Result<readonly string[]>> {
  const ids = new Set<string>();
  for await (const entry of log.readAfter(0, () => false)) {
    if (!entry.ok) return entry;
    for (const id of [entry.value.id, ...toolUseIds(entry.value)]) if (id.endsWith(end)) ids.add(id);
  }
  return ok([...ids]);
}

function toolUseIds(entry: Entry): readonly string[] {
  if (entry.kind !== "message") return [];
  const blocks: unknown = entry.message.content;
  if (!Array.isArray(blocks)) return [];
  return (blocks as readonly ContentBlock[]).flatMap((block) => (isBlock(block, "tool_use") ? block.id : []));
}

const isWhole = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;

/** A page that cuts no character in two: pages read one behind the other are the whole. */
export function pageOf(
  text: string,
  offset: number,
  limit = recallPageChars,
): Result<Pick<Recalled, "text" | "offset" | "totalChars" | "nextOffset">> {
  if (!isWhole(offset) || !isWhole(limit) || limit === 0) {
    return fail("invalid-input", `offset ${offset} and limit ${limit} do not name a page.`, {
      path: isWhole(offset) ? "limit" : "offset",
      fix: "Give whole numbers of characters, a limit over 0.",
    });
  }
  const from = atCharacter(text, offset);
  const end = atCharacter(text, Math.min(text.length, offset + limit));
  const to = end > from ? end : Math.min(text.length, from + 2);
  const next = to < text.length ? { nextOffset: to } : {};
  return ok({ text: text.slice(from, to).toWellFormed(), offset: from, totalChars: text.length, ...next });
}

/** The position, or the one before where it would stand inside a character. */
function atCharacter(text: string, position: number): number {
  const code = text.charCodeAt(position);
  const before = text.charCodeAt(position - 1);
  const isInside = code >= 0xdc00 && code <= 0xdfff && before >= 0xd800 && before <= 0xdbff;
  return isInside ? position - 1 : Math.min(position, text.length);
}

/** A call and its results as they were recorded. */
function toolParts(entry: Entry, id: string): readonly string[] {
  if (entry.kind !== "message") return [];
  /** A text that is a large value is a reference here. */
  const blocks: unknown = entry.message.content;
  if (!Array.isArray(blocks)) return [];
  return (blocks as readonly ContentBlock[]).flatMap((block) => {
    if (isBlock(block, "tool_use") && isIdOf(id, block.id))
      return `${block.name} ${JSON.stringify(block.input)}`;
    if (!isBlock(block, "tool_result") || !isIdOf(id, block.tool_use_id)) return [];
    return typeof block.content === "string" ? block.content : JSON.stringify(block.content ?? "", null, 2);
  });
}

function wholeText(entry: Entry): string {
  if (entry.kind !== "message") return JSON.stringify(entry, null, 2);
  const { content } = entry.message;
  if (typeof content === "string") return content;
  return content
    .map((block) => (isBlock(block, "text") ? block.text : JSON.stringify(block, null, 2)))
    .join(betweenBlocks);
}
