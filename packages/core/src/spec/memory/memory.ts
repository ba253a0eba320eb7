import type { Result } from "../result.ts";
import type { TreeVersion } from "../stores/file-tree.ts";
import type { UserMessageRecord } from "../view.ts";
import type { RecallKind } from "./recall.ts";
import type { Taint } from "./taint.ts";

export type MemoryType = "user" | "feedback" | "project" | "reference";

/** What a memory says of where it came from. Front matter besides name, description, type. */
export interface MemoryProvenance {
  readonly author: "user" | "agent" | "dream" | "import";
  readonly session?: string;
  /** Entries it came from. */
  readonly entries?: readonly string[];
  /** Whether untrusted content was in view when it was written. */
  readonly trust: "trusted" | "untrusted";
  /** A person has confirmed it. */
  readonly isConfirmed?: boolean;
}

export interface Memory extends MemoryProvenance {
  /** `topic.md`, `quarantine/topic.md`. */
  readonly path: string;
  readonly name: string;
  /** One line: says when it matters. */
  readonly description: string;
  readonly type: MemoryType;
  /** With **Why:** and **How to apply:** for feedback and project. */
  readonly body: string;
  /** Of the tree. */
  readonly version: number;
  /** Of that version. */
  readonly at: string;
}

/** A file of the folder that should be a memory and is none; it is kept as it is. */
export interface InvalidMemory {
  readonly path: string;
  readonly version: number;
  /** What is wrong with it, for a person. */
  readonly problem: string;
  readonly text: string;
}

/** Everything in a memory folder but daily logs. */
export interface MemorySurvey {
  /** Sorted by path. */
  readonly memories: readonly Memory[];
  /** Not indexed and not loaded until a person confirms them. */
  readonly quarantined: readonly Memory[];
  readonly invalid: readonly InvalidMemory[];
  /** `MEMORY.md` as it stands, if it is there. */
  readonly index?: string;
}

export interface MemoryFile {
  readonly text: string;
  readonly version: TreeVersion;
  /** What the text says, where it is a memory. */
  readonly memory?: Memory;
}

export interface MemoryWriteOptions extends Partial<MemoryProvenance> {
  /** For texts without front matter; else taken from the path, the first line, and `reference`. */
  readonly name?: string;
  readonly description?: string;
  readonly type?: MemoryType;
  /**
   * The version the writer has seen, 0 for "not there". Another present one is `conflict`, with the present `text` and
   * `version` in the error's facts: plan the change again on them. Without it the write goes on top.
   */
  readonly expect?: number;
  /** Goes into the version; `dream:<id>` ties the versions of one dream together. */
  readonly source?: string;
  /** What it is judged by; absent: the user has said nothing, and its own `trust` counts. */
  readonly evidence?: MemoryEvidence;
}

export interface MemoryEvidence {
  /** Of what the writer had before its eyes. */
  readonly taint: Taint;
  /** What the user said, word for word: never results, attachments or summaries. */
  readonly userMessages: readonly UserMessageRecord[];
}

export interface MemoryWritten {
  readonly memory: Memory;
  readonly version: TreeVersion;
  /** Where it was judged to wait for a person, why. */
  readonly quarantined?: string;
  /** How many secrets were masked. */
  readonly masked?: number;
}

/**
 * Says whether a memory may be used at once. It is not written yet: `version` is 0. `reason` is for the person who
 * will confirm or reject it.
 */
export type JudgeMemory = (
  /** `more`: what the front matter says besides. */
  memory: Memory & { readonly more?: string },
  evidence?: MemoryEvidence,
) => Promise<MemoryJudgement> | MemoryJudgement;

export type MemoryJudgement = (
  | { readonly verdict: "accept" }
  | { readonly verdict: "quarantine"; readonly reason: string }
) & {
  /** What the memory is labelled with; absent: what the writer said. */
  readonly trust?: MemoryProvenance["trust"];
};

/** Takes secrets out of a text before it is written. Throws where it cannot tell: then nothing is written. */
export type MaskSecrets = (text: string) => Promise<MaskedText> | MaskedText;

export interface MaskedText {
  readonly text: string;
  /** How many were masked. */
  readonly masked: number;
  /** What kinds of secrets, for a person. */
  readonly kinds?: readonly string[];
}

export interface MemoryHit {
  /** Absent: a memory. */
  readonly kind?: RecallKind;
  /** A memory's path; of notes and messages the id of the entry. */
  readonly path: string;
  /** Higher is better; comparable within one search only. */
  readonly score: number;
  /** The lines that match best. */
  readonly snippet: string;
  /** Of a memory. */
  readonly name?: string;
  /** Where notes and messages come from. */
  readonly session?: string;
  readonly entry?: string;
  readonly at?: string;
}

export interface MemorySearchOptions {
  /** Default 10. */
  readonly limit?: number;
  /** Default all that can be searched. */
  readonly kinds?: readonly RecallKind[];
}

/** Finds what is remembered, best first. */
export type SearchMemories = (
  query: string,
  options?: MemorySearchOptions,
) => Promise<Result<readonly MemoryHit[]>>;
