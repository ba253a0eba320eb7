import type { Taint } from "./memory/memory.ts";
import type { ContentBlock, Usage } from "./message.ts";

export type Role = "user" | "assistant";

/**
 * One block as the model sees it: verbatim from its entry, or what a decision put in its place. Neighbouring items of
 * one role make a message. An unchanged item is the very same object, so that the prefix two requests share is known
 * without comparing their bytes.
 */
export interface ViewItem {
  readonly role: Role;
  /** The entry it stands for; for what a decision inserted, the decision's own. */
  readonly entry: string;
  readonly seq: number;
  /** Position of the block in its entry. */
  readonly index: number;
  /** The response an assistant's block belongs to, where it has an id. */
  readonly response?: string;
  readonly block: ContentBlock;
  /** The block's bytes as they are sent, written when they are asked for; a call has the id that its server gave it. */
  readonly json: string;
  /** The decision that replaced or inserted it; absent when it is verbatim. */
  readonly decision?: string;
}

export type TokenSource = "usage" | "calibrated" | "plain";

export interface TokenCount {
  readonly tokens: number;
  /** The source of the number. */
  readonly source: TokenSource;
}

/** A message of the user, word for word. */
export interface UserMessageRecord {
  readonly entry: string;
  readonly seq: number;
  readonly text: string;
}

/**
 * `open`: not settled, or nobody can tell. `done`: answered. `superseded`: another request took its place.
 * `cancelled`: the user called it off, and nothing took its place.
 */
export type IntentState = "open" | "done" | "superseded" | "cancelled";

/** The state of a request: of every message in which the user spoke. */
export interface IntentRecord {
  /** The entry of the user's message. */
  readonly entry: string;
  readonly seq: number;
  readonly state: IntentState;
  /** The entry that settled it: an answer, or later words of the user; absent while it is open. */
  readonly by?: string;
  /** Nothing is asked but what binds from now on (`Ledgers.orders`): it is never done, and stays open here. */
  readonly isStanding?: true;
}

/** A sentence of the user's that binds from when it was said on, until they revoke that very sentence. */
export interface OrderRecord {
  /** The entry of the user's message. */
  readonly entry: string;
  readonly seq: number;
  /** Word for word. */
  readonly text: string;
  /** The entry of the message that revoked it; absent while it is in force. */
  readonly revokedBy?: string;
}

/** The text of a response that called nothing: it ended a turn. */
export interface AnswerRecord {
  readonly entry: string;
  readonly seq: number;
  /** Cut in the middle where it is very long. */
  readonly text: string;
}

/** A line that the agent said while it worked, or the user's short reply to a question. */
export interface FindingRecord {
  readonly entry: string;
  readonly seq: number;
  /** Word for word. */
  readonly text: string;
  /** The question that the user replied to, word for word; absent where the agent speaks. */
  readonly question?: string;
}

export type FileAction = "read" | "written" | "edited";

/** The part of a file that a read asked for, as the call gave it: lines from `offset` on, `limit` of them. */
export interface FileRange {
  readonly offset?: number;
  readonly limit?: number;
}

/** A file's history; `at`, `seq` and `toolUseId` are those of the last action, and of its result. */
export interface FileRecord {
  readonly path: string;
  readonly lastAction: FileAction;
  readonly at: string;
  readonly seq: number;
  readonly toolUseId: string;
  /** The range of the newest read; absent where it was the whole file, or the whole was written since. */
  readonly range?: FileRange;
  /** The newest read; absent where there was none. */
  readonly readSeq?: number;
  /** The newest write of the whole file; absent where there was none. */
  readonly writtenSeq?: number;
  /** The newest edit of a part of it; absent where there was none. */
  readonly editedSeq?: number;
  /** Written or edited after it was last read; never true of a file that was not read. */
  readonly changedSinceRead: boolean;
}

/** A file that calls or their results name, opened or not. */
export interface NamedFile {
  /** How many of them do. */
  readonly count: number;
  /** The newest that does, counted from the first of the session. */
  readonly newest: number;
}

export interface CommandRecord {
  readonly toolUseId: string;
  /** Of the result. */
  readonly seq: number;
  /** Cut in the middle where it is long; the whole is recalled by the tool use's id. */
  readonly command: string;
  readonly failed: boolean;
}

export type TodoStatus = "pending" | "in_progress" | "completed" | "cancelled";

export interface TodoRecord {
  readonly content: string;
  readonly status: TodoStatus;
  /** Where to-dos are created and updated one by one. */
  readonly id?: string;
}

export interface PlanRecord {
  readonly text: string;
  readonly path?: string;
}

/** A failed result after which the same tool has not yet succeeded on the same target. */
export interface ErrorRecord {
  readonly toolUseId: string;
  /** Of the result. */
  readonly seq: number;
  readonly tool: string;
  /** The command or the file, cut where it is long; absent for other tools. */
  readonly target?: string;
  /** Cut in the middle where it is long; the whole is recalled by the tool use's id. */
  readonly text: string;
}

/** Deterministic records that carry intent through every compaction. Valid until the next entry is added. */
export interface Ledgers {
  /** All of them, oldest first. */
  readonly userMessages: readonly UserMessageRecord[];
  /** The state of each of them, in the same order. */
  readonly intents: readonly IntentRecord[];
  /** The user's standing orders, oldest first, those revoked by now included. */
  readonly orders: readonly OrderRecord[];
  /** What the agent told the user when its turns ended, oldest first. */
  readonly answers: readonly AnswerRecord[];
  /** What was found out and decided on the way, oldest first; the newest ones. */
  readonly findings: readonly FindingRecord[];
  /** By path, the last touched last. */
  readonly files: ReadonlyMap<string, FileRecord>;
  /** By path as it was named, the last named last; the newest ones. */
  readonly namedFiles: ReadonlyMap<string, NamedFile>;
  /** The newest ones, newest last. */
  readonly commands: readonly CommandRecord[];
  /** How many older commands are left out. */
  readonly olderCommands: number;
  readonly todos: readonly TodoRecord[];
  /** The entry of the request under which the to-dos were last changed: where that is cancelled, so are they. */
  readonly todosRequest?: string;
  readonly plan?: PlanRecord;
  /** The entry of the request under which the plan was made. */
  readonly planRequest?: string;
  /** The newest ones, newest last. */
  readonly unresolvedErrors: readonly ErrorRecord[];
  /** How many older errors were left out, resolved since or not. */
  readonly olderErrors: number;
}

/** The session notes on the live chain. */
export interface NotesRecord {
  /** Id and sequence number of the note that has them. */
  readonly entry: string;
  readonly seq: number;
  readonly text: string;
  /** The last message that is in them; absent once a compaction has taken it out of the view. */
  readonly covers?: string;
  readonly coversSeq: number;
  /** Tokens the conversation had then, less what decisions have freed since. */
  readonly tokensAt: number;
}

/** Updates of the notes that brought none, since the newest that did. */
export interface FailedUpdates {
  readonly count: number;
  /** Where the newest of them ended. */
  readonly seq: number;
}

/** The entries from one to another, both included. */
export interface EntrySpan {
  readonly from: string;
  readonly to: string;
}

/** A fold that was prepared and not committed yet. */
export interface PreparedFold extends EntrySpan {
  /** Id and sequence number of the note that has it. */
  readonly entry: string;
  readonly seq: number;
  readonly summary: string;
  readonly tokens: number;
}

/** The newest extraction of memories on the live chain. */
export interface ExtractionRecord {
  readonly seq: number;
  /** The last message that was looked at. */
  readonly coversSeq: number;
}

/** The model's next input, as a pure function of the log. Valid until the next entry is added. */
export interface View {
  readonly items: readonly ViewItem[];
  readonly count: TokenCount;
  /** Tokens of items as the session counts what no usage covers; absent: by the plain rule, padded. */
  readonly countOf?: (items: readonly ViewItem[]) => number;
  readonly ledgers: Ledgers;
  /** Sequence number of the newest live entry. */
  readonly head: number;
  readonly lastUsage?: Usage;
  /** Tool uses whose result was looked at by an `offload` decision: whole or replaced, the choice stands. */
  readonly settledResults: ReadonlySet<string>;
  /** Tool uses whose result a cache edit deleted that was undone: it is not deleted again. */
  readonly sparedResults: ReadonlySet<string>;
  /** Items before this position were part of a request that a response has answered. */
  readonly sentItems: number;
  /** Sequence number of the newest live compaction; absent where there is none. */
  readonly boundarySeq?: number;
  /** Absent before the first update. */
  readonly notes?: NotesRecord;
  readonly failedUpdates?: FailedUpdates;
  /** Folds that wait to be committed, as they were prepared; since the newest boundary. */
  readonly folds?: readonly PreparedFold[];
  /** Spans whose fold was undone: they are not folded again before they must be. */
  readonly sparedFolds?: readonly EntrySpan[];
  /** Attempts to prepare folds that brought none, since the newest that did. */
  readonly failedFolds?: FailedUpdates;
  /** Absent before the first extraction of memories. */
  readonly extraction?: ExtractionRecord;
  /** Extractions that brought nothing, since the newest that did. */
  readonly failedExtractions?: FailedUpdates;
  /** Whether what is written now is trusted; absent: nobody knows, so it is not. */
  readonly taint?: Taint;
}
