import type { PalimpsestError } from "../error.ts";
import type { ProcessIdentity } from "../machine.ts";
import type { Result } from "../result.ts";
import type { TreeVersion } from "../stores/file-tree.ts";
import type { UserMessageRecord } from "../view.ts";

export type MemoryType = "user" | "feedback" | "project" | "reference";

/** Where a memory comes from. Front matter besides name, description, type. */
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
  /** The problem, for a person. */
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
  /** The memory in the text, if it is one. */
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
  /** The evidence it is judged by; absent: the user has said nothing, and its own `trust` counts. */
  readonly evidence?: MemoryEvidence;
}

export interface MemoryEvidence {
  /** Of what the writer had before its eyes. */
  readonly taint: Taint;
  /** The user's messages, word for word: never results, attachments or summaries. */
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
  /** The memory's trust label; absent: the writer's. */
  readonly trust?: MemoryProvenance["trust"];
};

/** Takes secrets out of a text before it is written. Throws where it cannot tell: then nothing is written. */
export type MaskSecrets = (text: string) => Promise<MaskedText> | MaskedText;

export interface MaskedText {
  readonly text: string;
  /** How many were masked. */
  readonly masked: number;
  /** Kinds of secrets, for a person. */
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

export type Trust = "trusted" | "untrusted";

/**
 * Where untrusted words come from. `answer`: what the model said while others of these were in view. `media`: an image or
 * document. `program`: what a program put into a message of the user's. `notice`: something attached that is not known to
 * be the user's or the project's own.
 */
export type TaintKind =
  | "shell"
  | "web"
  | "mcp"
  | "agent"
  | "memory"
  | "tool"
  | "dependency"
  | "ignored-file"
  | "outside-file"
  | "media"
  | "program"
  | "notice"
  | "summary"
  | "answer";

export interface TaintSource {
  readonly kind: TaintKind;
  /** The entry by which it stands in the view. */
  readonly entry: string;
  readonly toolUseId?: string;
  /** The tool, the file or the kind of notice. */
  readonly name?: string;
}

/** Whether something written now is trusted, and what speaks against it, oldest first. */
export interface Taint {
  readonly trust: Trust;
  readonly because: readonly TaintSource[];
}

/** Documents that can be found: a memory file, a session's newest notes, a message of the user or the assistant. */
export type RecallKind = "memory" | "notes" | "message";

export interface RecallHit {
  readonly kind: RecallKind;
  /** A memory's path, else the id of the entry. */
  readonly id: string;
  /** Of a memory that has one. */
  readonly name?: string;
  readonly session?: string;
  /** The entry of the notes or the message. */
  readonly entry?: string;
  /** Higher is better; comparable within one answer only. */
  readonly score: number;
  /** The part of the text that holds most of the query's words. */
  readonly snippet: string;
  readonly at: string;
}

export interface RecallSearchOptions {
  /** How many hits at most. */
  readonly limit?: number;
  readonly kinds?: readonly RecallKind[];
  /** Nothing older, in milliseconds since the epoch. */
  readonly sinceMs?: number;
  /** Nothing of this session: what is in view need not be found. */
  readonly exceptSession?: string;
  /** Stop ranking after about this long and give what was found: rare words are looked up first. */
  readonly maxMs?: number;
  readonly signal?: AbortSignal;
}

export interface RecallAnswer {
  /** Best first. */
  readonly hits: readonly RecallHit[];
  /** The time was used up before all words were looked up. */
  readonly isPartial: boolean;
  /** Problems that stopped nothing. */
  readonly problems: readonly PalimpsestError[];
}

export interface RecallUpdate {
  /** Memories, notes and messages that came in, replaced ones among them. */
  readonly added: number;
  /** Memories and notes that went out, and sessions whose messages did. */
  readonly removed: number;
  /** Texts that got a vector. */
  readonly embedded: number;
  /** Problems that stopped nothing: a log that could not be read, a damaged part that was made anew. */
  readonly problems: readonly PalimpsestError[];
}

/** The search over everything a project remembers. Any number of processes may use one index at once. */
export interface Recall {
  /** Takes in what is new since the last update of any process. */
  update(signal?: AbortSignal): Promise<Result<RecallUpdate>>;
  search(query: string, options?: RecallSearchOptions): Promise<Result<RecallAnswer>>;
}

/** Who puts the memory folder in order, and since when. */
export interface ConsolidationHolder extends ProcessIdentity {
  readonly token: string;
  readonly sinceMs: number;
}

/**
 * At most one dream at a time, and when the last one succeeded. It spares work and promises nothing: what keeps two
 * dreams from harming each other is that they write by compare-and-swap.
 */
export interface ConsolidateLock {
  /** When memory was last put in order, in milliseconds; `null`: never. One look at one file. */
  lastConsolidatedMs(): Promise<Result<number | null>>;
  /** `held`, with the holder in the error's facts, while another one has it. Takes it from the dead at once. */
  acquire(): Promise<Result<Consolidation>>;
  /** Gives the lock back for a holder that died; leaves everything as it is for any other. */
  restore(): Promise<Result<"free" | "held" | "restored">>;
}

/** The lock, held. It ends by one of the two. */
export interface Consolidation {
  /** When memory was put in order before; `null`: never. */
  readonly previousMs: number | null;
  /** Memory is in order: the time of the last consolidation is now. `fenced` where another has taken over. */
  complete(): Promise<Result<void>>;
  /** It failed or was killed: the time of the last consolidation is as it was. */
  abandon(): Promise<Result<void>>;
}

/** A dream's state: `updating` from its first write on. */
export type DreamState = "starting" | "updating" | "completed" | "failed" | "killed";

/** Who dreams: the offline writer, or a model. */
export type DreamAuthor = "scribe" | "model";
