import type { Message, Usage } from "../../spec/index.ts";
import {
  type ImportedFormat,
  type ImportProblem,
  type ImportReport,
  type LineLocation,
  maxListedProblems,
  type ProblemKind,
} from "./import-report.ts";
import { addUsage, noUsage } from "./read-usage.ts";

/** Keeps the counts of one import. Each line goes to exactly one of `blank`, `message`, `attachment`, `other`, `unknown`, `setAside`. */
export interface Tally {
  blank(): void;
  /** Also counts its tool results, and the response it belongs to. */
  message(message: Message): void;
  attachment(): void;
  other(type: string): void;
  unknown(type: string): void;
  setAside(kind: "corrupt" | "torn" | "skipped" | "duplicate", place: LineLocation, reason: string): void;
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
    setAside: (kind, place, reason) => {
      lines += 1;
      setAsideCounts[kind] += 1;
      problem({ kind, ...place, reason });
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
