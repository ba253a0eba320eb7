import type { ContentBlock, EventBody, Message, SessionStatistics } from "../../spec/index.ts";
import { blockFault } from "../../view/projection/valid-entry.ts";
import { firstChars } from "../../view/quote-foreign.ts";
import type { ResponseTimes } from "../../view/statistics.ts";
import type { CacheWatch } from "../cache/cache-watch.ts";

/** Values are walked through by recursion, by every reader of the log. */
export const maxDepth = 500;
/** The nesting around a block: the list that it is in, and the message. */
const depthAroundBlocks = 2;

/** Of what cannot be recorded, so much is shown. */
const shownChars = 2_000;
const shownDepth = 50;

/** Whether a value has more levels than that. Stops there, whatever is below: a value without end is deeper too. */
export function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1));
}

type Fields = Readonly<Record<string, unknown>>;

/** Known blocks say what they say without fields that nobody knows. */
const knownTypes: ReadonlySet<unknown> = new Set(["text", "thinking", "redacted_thinking", "tool_use"]);

/**
 * The content of an answer with texts in the place of what is nested too deeply to be recorded: of whole blocks, or
 * behind a block of fields that it can do without. The very same where all of it can be.
 */
export function recordableContent<Content>(content: Content): Content | readonly unknown[] {
  const isTooDeep = (block: unknown) => isDeeper(block, maxDepth - depthAroundBlocks);
  if (!Array.isArray(content)) return isTooDeep(content) ? [withoutRecord("An answer", content)] : content;
  return content.some(isTooDeep)
    ? content.flatMap((block) => (isTooDeep(block) ? recordableBlock(block) : [block]))
    : content;
}

function recordableBlock(block: Fields): readonly unknown[] {
  const { type } = block;
  const fits = ([, value]: readonly [string, unknown]) => !isDeeper(value, maxDepth - depthAroundBlocks - 1);
  const kept = Object.fromEntries(Object.entries(block).filter(fits));
  const isWhole = knownTypes.has(type) && blockFault(kept) === null;
  if (!isWhole)
    return [withoutRecord(typeof type === "string" ? `A block of the type “${type}”` : "A part", block)];
  const lost = Object.fromEntries(Object.entries(block).filter((field) => !fits(field)));
  return [kept, withoutRecord(`Fields of the block of the type “${type}” before`, lost)];
}

/** The other fields of an answer: those that are nested too deeply are texts that show them, or left out where they name something. */
export function recordableFields<Answer extends object>(answer: Answer): Answer {
  const entries = Object.entries(answer).flatMap(([name, value]) => {
    if (!isDeeper(value, maxDepth - 1)) return [[name, value]];
    return names.has(name) ? [] : [[name, withoutRecord(`The field “${name}”`, value).text]];
  });
  return Object.fromEntries(entries) as Answer;
}

const names: ReadonlySet<string> = new Set(["id", "model", "stopReason", "stop_reason"]);

function withoutRecord(what: string, value: unknown) {
  const json = JSON.stringify(cutBelow(value, shownDepth)) ?? String(value);
  const shown = firstChars(json, shownChars);
  const more = shown.length < json.length ? "…" : "";
  const text = `[${what} is nested more than ${maxDepth} deep and cannot be recorded. It begins:]\n${shown}${more}`;
  return { type: "text", text } satisfies ContentBlock;
}

function cutBelow(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) return "…";
  if (Array.isArray(value)) return value.map((inner) => cutBelow(inner, depth - 1));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cutBelow(inner, depth - 1)]));
}

/** Tells responses to requests that were made here from those that are only written down. */
interface AwaitedResponse {
  /** A request was made. */
  ask(nowMs: number): void;
  /**
   * When it was asked and answered, where a message answers it: just now, whatever time it was given. All entries of a
   * response do.
   */
  take(message: Message, nowMs: number): ResponseTimes | undefined;
}

export function createAwaitedResponse(): AwaitedResponse {
  let isWaiting = false;
  let askedAtMs = 0;
  let answer: string | undefined;
  return {
    ask(nowMs) {
      isWaiting = true;
      askedAtMs = nowMs;
    },
    take({ type, responseId, isAborted }, receivedAtMs) {
      if (type !== "assistant") return undefined;
      if (!isWaiting && (responseId === undefined || responseId !== answer)) return undefined;
      // A cut answer is asked for again.
      if (isWaiting && !isAborted) {
        isWaiting = false;
        answer = responseId;
      }
      return { askedAtMs, receivedAtMs };
    },
  };
}

/** The events of a response once it was taken in; none for any other message. */
export function responseEvents(
  { type, usage, responseId, stopReason = null, isAborted, contextManagement }: Message,
  before: SessionStatistics,
  after: SessionStatistics,
  watch: CacheWatch | undefined,
  nowMs: number,
): readonly EventBody[] {
  if (type !== "assistant" || !usage) return [];
  const cache = isAborted ? null : (watch?.judge(usage, contextManagement?.applied_edits) ?? null);
  const end: EventBody = {
    type: "request-end",
    ...(responseId !== undefined && { response: responseId }),
    usage,
    stopReason,
    dollars: after.dollars - before.dollars,
    ...(cache && { cache }),
  };
  if (!cache || cache.kind === "hit" || cache.reason === undefined) return [end];
  const { kind, reason, firstBlock, dollars, why } = cache;
  const expected = kind === "expected-break";
  const secondsSinceResponse = Math.max(0, Math.round((nowMs - (before.respondedAtMs ?? nowMs)) / 1000));
  return [end, { type: "cache-break", reason, expected, firstBlock, secondsSinceResponse, dollars, why }];
}
