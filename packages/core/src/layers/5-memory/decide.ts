import {
  memoryChangingTools,
  memoryReadingTools,
  memoryToolName,
  memoryWritingTools,
} from "../../catalog/known-tools.ts";
import {
  type Entry,
  type ExtractionRecord,
  type Facts,
  type FailedUpdates,
  isBlock,
  type NotesAuthor,
  type TaintSource,
  type Tool,
  type ToolUseBlock,
  type UserMessageRecord,
  type Verdict,
  type View,
  type ViewItem,
} from "../../spec/index.ts";
import type { MemoryContent } from "./rules/to-memory.ts";
import { extractionNumbers } from "./settings.ts";

/** The facts for deciding on an extraction, besides view and facts. */
export interface ExtractionChoices extends MemoryLocation {
  /** Whether what the user says outright is taken where no model can be asked. */
  readonly hasScribe: boolean;
  /** Whether what a model writes now is to be trusted; absent: it is not. */
  readonly trustOf?: (view: View) => MemoryContent["trust"];
}

export type ExtractionCommand =
  /** Nothing is extracted; what was said counts as looked at. */
  | { readonly kind: "pass"; readonly coversSeq: number; readonly reason: string }
  | {
      readonly kind: "extract";
      /** Who extracts; where no model is to be had after all, the scribe does. */
      readonly by: NotesAuthor;
      /** The user's messages since the last extraction. */
      readonly messages: readonly UserMessageRecord[];
      readonly coversSeq: number;
      /** Of what a model writes. */
      readonly trust: MemoryContent["trust"];
      /** Reasons against it, where they are known. */
      readonly because?: readonly TaintSource[];
      /** Tools that a fork may use. */
      readonly tools: readonly string[];
    };

/** At the end of a turn: whether something was said that should be known next time. */
export function decideExtraction(
  view: View,
  facts: Facts,
  choices: ExtractionChoices,
): Verdict<ExtractionCommand> {
  const { flags } = facts.settings;
  if (flags?.["memory-extraction"] === false) return skip("memory extraction is off");
  if (facts.source !== "main") return skip("a fork extracts nothing");
  const newest = view.items.findLast(({ entry, decision }) => entry !== decision);
  if (!newest || !isFinalAnswer(view.items, newest)) return skip("the turn has not ended with an answer");
  const since = view.extraction?.coversSeq ?? 0;
  const messages = view.ledgers.userMessages.filter(({ seq }) => seq > since);
  if (messages.length === 0) return skip("the user has said nothing since the last extraction");
  const covers = { coversSeq: newest.seq };
  if (hasOwnWrites(view.items, since, choices)) {
    const reason = "the agent has written memory itself since the last extraction";
    return act({ kind: "pass", ...covers, reason }, "inline", reason, view);
  }
  const by = authorOf(facts, choices);
  if (by === null) return skip("nothing can extract: no model that can write, and no scribe");
  const wait = by === "model" ? waitAfterFailures(view, messages) : null;
  if (wait !== null) return skip(wait);
  const trust = choices.trustOf?.(view) ?? "untrusted";
  const because = trust === "untrusted" && view.taint?.because.length ? { because: view.taint.because } : {};
  const tools = toolsOf(facts.tools);
  const reason = `the user has said ${messages.length === 1 ? "something" : `${messages.length} things`} since the last extraction`;
  const command: ExtractionCommand = { kind: "extract", by, messages, ...covers, trust, ...because, tools };
  return act(command, by === "model" ? "background" : "inline", reason, view);
}

function authorOf({ canFork, tools }: Facts, { hasScribe }: ExtractionChoices): NotesAuthor | null {
  const canWrite = memoryWritingTools.every((name) => tools.some((tool) => tool.name === name));
  if (canFork === true && canWrite) return "model";
  return hasScribe ? "scribe" : null;
}

function toolsOf(tools: readonly Tool[]): readonly string[] {
  const known = new Set(tools.map(({ name }) => name));
  return [...memoryWritingTools, ...memoryReadingTools].filter((name) => known.has(name));
}

/** A failed extraction is tried again after one message of the user's, then after two, four and so on. */
function waitAfterFailures(
  { failedExtractions: failed }: View,
  messages: readonly UserMessageRecord[],
): string | null {
  if (!failed) return null;
  const wait = 2 ** Math.min(failed.count - 1, extractionNumbers.maxDoublings);
  const heard = messages.filter(({ seq }) => seq > failed.seq).length;
  return heard < wait ? `${heard} of ${wait} messages since the last extraction failed` : null;
}

/** The assistant has the last word, and no call waits for its result. */
function isFinalAnswer(items: readonly ViewItem[], newest: ViewItem): boolean {
  if (newest.role !== "assistant") return false;
  const open = new Set<string>();
  for (const { block } of items) {
    if (isBlock(block, "tool_use")) open.add(block.id);
    else if (isBlock(block, "tool_result")) open.delete(block.tool_use_id);
  }
  return open.size === 0;
}

function act(
  command: ExtractionCommand,
  run: "inline" | "background",
  reason: string,
  { head }: View,
): Verdict<ExtractionCommand> {
  return { verdict: "act", command, run, reason, frees: 0, basis: head };
}

const skip = (reason: string) => ({ verdict: "skip", reason }) as const;

/** The state of the extractions, from the log. */
export interface ExtractionState {
  readonly extraction?: ExtractionRecord;
  readonly failedExtractions?: FailedUpdates;
}

/** The state behind the next live entry. Forks for memory behind the newest extraction have brought nothing. Total. */
export function nextExtraction(state: ExtractionState, entry: Entry): ExtractionState {
  if (entry.kind !== "note") return state;
  const { note, seq } = entry;
  if (note.topic === "extraction") {
    const { coversSeq } = note;
    return Number.isFinite(coversSeq) ? { extraction: { seq, coversSeq } } : state;
  }
  if (note.topic !== "fork" || note.forkKind !== "memory") return state;
  return { ...state, failedExtractions: { count: (state.failedExtractions?.count ?? 0) + 1, seq } };
}

/** Where memories are, as tools name it. */
export interface MemoryLocation {
  /** Absolute. */
  readonly folder: string;
  /** Absolute: what relative paths begin at; absent: they lead nowhere. */
  readonly cwd?: string;
}

const memoryChanges: ReadonlySet<unknown> = new Set(["create", "str_replace", "insert", "delete", "rename"]);

/** Whether a call behind a sequence number has changed memory, and succeeded. */
export function hasOwnWrites(items: readonly ViewItem[], since: number, location: MemoryLocation): boolean {
  const writing = new Set<string>();
  for (const { block, seq } of items) {
    if (seq > since && isBlock(block, "tool_use") && changesMemory(block, location)) writing.add(block.id);
    if (isBlock(block, "tool_result") && block.is_error !== true && writing.has(block.tool_use_id))
      return true;
  }
  return false;
}

function changesMemory({ name, input }: ToolUseBlock, location: MemoryLocation): boolean {
  const { command, file_path: path } = (input ?? {}) as Readonly<Record<string, unknown>>;
  if (name === memoryToolName) return memoryChanges.has(command);
  return memoryChangingTools.includes(name) && typeof path === "string" && isBelow(path, location);
}

function isBelow(path: string, { folder, cwd }: MemoryLocation): boolean {
  const whole = path.startsWith("/") ? path : cwd === undefined ? null : `${cwd}/${path}`;
  return whole !== null && `${normalizePath(whole)}/`.startsWith(`${normalizePath(folder)}/`);
}

/** A path without what leads to itself or back. */
function normalizePath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}
