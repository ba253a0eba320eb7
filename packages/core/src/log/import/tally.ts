import type { JsonObject } from "../../json/json-values.ts";
import type { Message, Usage } from "../../spec/index.ts";
import {
  type ImportedFormat,
  type ImportProblem,
  type ImportReport,
  type LineLocation,
  maxListedProblems,
  type ProblemKind,
} from "./import-report.ts";
import { addUsage, noUsage } from "./message-content.ts";

/** Keeps the counts of one import. Each line goes to exactly one of `blank`, `message`, `attachment`, `other`, `unknown`, `setAside`. */
export interface Tally {
  blank(): void;
  /** Also counts its tool results, and the response it belongs to. */
  message(message: Message): void;
  attachment(): void;
  other(type: string): void;
  unknown(type: string): void;
  setAside(kind: "corrupt" | "torn" | "skipped" | "duplicate", location: LineLocation, reason: string): void;
  /** About a line that is counted elsewhere. */
  problem(problem: ImportProblem): void;
  add(counter: "boundaries" | "clearings" | "unsignedThinking" | "sidechainLines", count: number): void;
  report(format: ImportedFormat, entries: number, gzip: ImportReport["gzip"]): ImportReport;
}

/** Longer names of unknown types are cut, so that damage cannot fill the report. */
const maxTypeChars = 80;

export function createTally(): Tally {
  const setAsideCounts = { corrupt: 0, torn: 0, skipped: 0, duplicate: 0 };
  const counters = { boundaries: 0, clearings: 0, unsignedThinking: 0, sidechainLines: 0 };
  const types = { user: 0, assistant: 0, attachment: 0 };
  const otherTypes = new Map<string, number>();
  const unknownTypes = new Map<string, number>();
  const usageByResponse = new Map<string, Usage>();
  const problems: ImportProblem[] = [];
  const listed = new Map<ProblemKind, number>();
  let lines = 0;
  let blank = 0;
  let toolResults = 0;
  let namelessResponses = 0;
  let namelessUsage: Usage = noUsage;

  function response(message: Message): void {
    if (message.responseId === undefined) {
      namelessResponses += 1;
      namelessUsage = addUsage(namelessUsage, message.usage ?? noUsage);
      return;
    }
    const usage = message.usage ?? usageByResponse.get(message.responseId) ?? noUsage;
    usageByResponse.set(message.responseId, usage);
  }

  function problem(found: ImportProblem): void {
    const count = (listed.get(found.kind) ?? 0) + 1;
    listed.set(found.kind, count);
    if (count <= maxListedProblems) problems.push(found);
  }

  return {
    blank: () => {
      blank += 1;
    },
    message: (message) => {
      lines += 1;
      types[message.type === "assistant" ? "assistant" : "user"] += 1;
      toolResults += countToolResults(message.content);
      if (message.type === "assistant") response(message);
    },
    attachment: () => {
      lines += 1;
      types.attachment += 1;
    },
    other: (type) => {
      lines += 1;
      increment(otherTypes, type);
    },
    unknown: (type) => {
      lines += 1;
      increment(unknownTypes, type.slice(0, maxTypeChars));
    },
    setAside: (kind, location, reason) => {
      lines += 1;
      setAsideCounts[kind] += 1;
      problem({ kind, ...location, reason });
    },
    problem,
    add: (counter, count) => {
      counters[counter] += count;
    },
    report: (format, entries, gzip) => ({
      format,
      lines,
      blank,
      entries,
      messages: types.user + types.assistant,
      userMessages: types.user,
      assistantMessages: types.assistant,
      attachments: types.attachment,
      toolResults,
      boundaries: counters.boundaries,
      clearings: counters.clearings,
      torn: setAsideCounts.torn,
      corrupt: setAsideCounts.corrupt,
      skipped: setAsideCounts.skipped,
      duplicates: setAsideCounts.duplicate,
      unknownTypes: Object.fromEntries(unknownTypes),
      otherTypes: Object.fromEntries(otherTypes),
      responses: usageByResponse.size + namelessResponses,
      usage: [...usageByResponse.values()].reduce(addUsage, namelessUsage),
      unsignedThinking: counters.unsignedThinking,
      sidechainLines: counters.sidechainLines,
      gzip,
      problems,
    }),
  };
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function countToolResults(content: Message["content"]): number {
  return typeof content === "string" ? 0 : content.filter((block) => block.type === "tool_result").length;
}

/** Times of lines, from what they say alone. */
export interface LineTimes {
  /** The time a line states, else that of the line before it. */
  of(record: JsonObject): string;
}

export const epochTime = "1970-01-01T00:00:00.000Z";

export function createLineTimes(first: string): LineTimes {
  let last = first;
  return {
    of(record) {
      last = statedTime(record) ?? last;
      return last;
    },
  };
}

const isoWithZone = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;

/** `timestamp` or `at` in ISO 8601 with a zone, or `created` in seconds; anything else would depend on the machine. */
export function statedTime(record: JsonObject): string | undefined {
  const { timestamp, at, created } = record;
  for (const text of [timestamp, at]) {
    if (typeof text === "string" && isoWithZone.test(text)) return toIso(Date.parse(text));
  }
  return typeof created === "number" ? toIso(created * 1000) : undefined;
}

/** The largest moment a `Date` can hold. */
const maxTimeMs = 8.64e15;

function toIso(timeMs: number): string | undefined {
  return Math.abs(timeMs) <= maxTimeMs ? new Date(timeMs).toISOString() : undefined;
}

/** Bytes that can be looked at before they are read. Never throws: see `failure`. */
export interface Lookahead {
  /** The first bytes, fewer only where the source is shorter; what is looked at can still be read. */
  peek(bytes: number): Promise<Uint8Array>;
  /** Everything from the start. May be called once, after the last `peek`. */
  chunks(): AsyncGenerator<Uint8Array, void, undefined>;
  /** The source's error; it then counts as ended where it did. */
  readonly failure: { readonly cause: unknown } | undefined;
  /** Lets the source go, read to its end or not. */
  close(): Promise<void>;
}

export function createLookahead(source: AsyncIterable<Uint8Array>): Lookahead {
  const iterator = source[Symbol.asyncIterator]();
  let seen: Uint8Array = new Uint8Array(0);
  let failure: { readonly cause: unknown } | undefined;
  let ended = false;

  async function next(): Promise<Uint8Array | undefined> {
    if (ended) return undefined;
    try {
      const step = await iterator.next();
      if (!step.done) return step.value;
    } catch (cause) {
      failure = { cause };
    }
    ended = true;
    return undefined;
  }

  return {
    async peek(bytes) {
      const parts: Uint8Array[] = [seen];
      let length = seen.length;
      while (length < bytes) {
        const chunk = await next();
        if (chunk === undefined) break;
        parts.push(Buffer.from(chunk));
        length += chunk.length;
      }
      if (parts.length > 1) seen = Buffer.concat(parts);
      return seen.subarray(0, bytes);
    },
    async *chunks() {
      if (seen.length > 0) yield seen;
      seen = new Uint8Array(0);
      for (let chunk = await next(); chunk !== undefined; chunk = await next()) yield chunk;
    },
    get failure() {
      return failure;
    },
    async close() {
      if (ended) return;
      ended = true;
      try {
        await iterator.return?.();
      } catch (cause) {
        failure ??= { cause };
      }
    },
  };
}
