import type { Usage } from "../../spec/index.ts";

export type TranscriptFormat =
  | "palimpsest"
  | "claude-code"
  | "anthropic-messages"
  | "openai-messages"
  | "pi"
  | "codex"
  | "unknown";

/** The formats that `importTranscript` reads. */
export type ImportedFormat = Exclude<TranscriptFormat, "palimpsest" | "unknown">;

export type ProblemKind = "corrupt" | "torn" | "skipped" | "duplicate" | "boundary" | "gzip";

/** Where a line stands in the uncompressed bytes. In a JSON document the messages count as lines. */
export interface LineLocation {
  /** Counts from 1, blank lines included. */
  readonly line: number;
  readonly offset?: number;
  readonly bytes?: number;
}

export interface ImportProblem extends Partial<LineLocation> {
  readonly kind: ProblemKind;
  readonly reason: string;
}

/**
 * What an import found. Every line that is not blank is in exactly one of these counts:
 * `lines = messages + attachments + otherTypes + unknownTypes + skipped + duplicates + corrupt + torn`.
 */
export interface ImportReport {
  readonly format: ImportedFormat;
  readonly lines: number;
  /** Lines of white space only; not in `lines`. */
  readonly blank: number;
  /** Entries made of the lines; the `session` entry before them is not one. */
  readonly entries: number;
  /** User and assistant lines, those of side-chains and summaries among them. */
  readonly messages: number;
  readonly userMessages: number;
  readonly assistantMessages: number;
  readonly attachments: number;
  /** `tool_result` blocks. */
  readonly toolResults: number;
  /** Compactions. Those of a side-chain are not among them. */
  readonly boundaries: number;
  /** Recorded clearings of tool results. */
  readonly clearings: number;
  /** An unterminated last line that is not JSON: 0 or 1. */
  readonly torn: number;
  /** Lines that are not JSON. */
  readonly corrupt: number;
  /** Lines that are JSON but cannot be what they say they are, and lines over the limit. */
  readonly skipped: number;
  /** Lines with the uuid of an earlier one. */
  readonly duplicates: number;
  /** Lines of types this version has no name for, by type. Kept as notes. */
  readonly unknownTypes: Readonly<Record<string, number>>;
  /** Lines of known types that are neither messages nor attachments, by type. */
  readonly otherTypes: Readonly<Record<string, number>>;
  /** Distinct ids of assistant messages; a message without one is a response of its own. */
  readonly responses: number;
  /** Over all responses, each counted once: the last line of a response that has usage wins. */
  readonly usage: Usage;
  /** Thinking blocks without a signature: left out of the entries, for no API takes them. */
  readonly unsignedThinking: number;
  /** Lines that say they belong to a sub-agent. */
  readonly sidechainLines: number;
  /** `damaged`: cut or broken; everything before the damage was read. */
  readonly gzip: "none" | "whole" | "damaged";
  /** The first of each kind in order of discovery, at most `maxListedProblems` of a kind. */
  readonly problems: readonly ImportProblem[];
}

export const maxListedProblems = 20;

export interface ImportOptions {
  /** Where the bytes come from, for the session entry and for errors. Nothing is opened. */
  readonly file?: string;
  /** The time of entries before the first one that has a time, ISO 8601; the epoch when absent. */
  readonly at?: string;
  /** Lines longer than this are skipped, documents refused; `maxLineBytes` when absent. */
  readonly maxLineBytes?: number;
  readonly signal?: AbortSignal;
  /** Thinking without a signature is kept, for what is never sent: it was part of what the session took. */
  readonly keepsUnsignedThinking?: boolean;
}

/** Half of the longest string that V8 can build. */
export const maxLineBytes = 256 * 1024 * 1024;
