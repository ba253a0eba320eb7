import { createHash } from "node:crypto";
import { noProgress, type RecallProgress, type SessionProgress } from "../../../recall/index.ts";
import { recallKinds } from "../../../recall/recall-document.ts";
import { fieldCount } from "../../../recall/segment.ts";
import { fail, ok, type RecallDocumentHead, type RecallFilter, type Result } from "../../../spec/index.ts";
import type { Database, Run } from "../database.ts";

/** Counted up when the same rows mean something else: an index of another format is made anew. */
export const recallFormat = 1;

/** The index of one project. */
export interface RecallRows {
  readonly database: Database;
  readonly project: string;
}

/** An index as one update left it. */
export interface RecallRevision {
  /** 0 before the first. */
  readonly revision: number;
  readonly progress: RecallProgress;
  /** Nothing of what is there can be used: the next update begins with none of it. */
  readonly isUseless: boolean;
}

export interface RevisionRow {
  readonly format: number;
  readonly revision: number;
  readonly progress: Buffer;
}

export function encodeProgress({ sessions, memories }: RecallProgress): Buffer {
  return Buffer.from(JSON.stringify({ sessions: [...sessions], memories: [...memories] }));
}

/** `corrupt` where the progress is not one; an index of another format holds nothing. */
export function toRevision(row: RevisionRow | undefined, address: string): Result<RecallRevision> {
  if (row === undefined) return ok({ revision: 0, progress: noProgress, isUseless: false });
  const { format, revision } = row;
  if (format !== recallFormat) return ok({ revision, progress: noProgress, isUseless: true });
  try {
    const { sessions, memories } = JSON.parse(row.progress.toString("utf8")) as {
      readonly sessions: readonly (readonly [string, SessionProgress])[];
      readonly memories: readonly (readonly [string, number])[];
    };
    const progress = { sessions: new Map(sessions), memories: new Map(memories) };
    return ok({ revision, progress, isUseless: false });
  } catch (cause) {
    const fix = "Nothing needs to be done: the next update makes it anew.";
    return fail("corrupt", `The search index on ${address} is damaged.`, { path: address, fix, cause });
  }
}

export interface HeadRow {
  readonly kind: number;
  readonly session: Buffer;
  readonly name: Buffer;
  readonly at_ms: number;
  readonly place: number;
  readonly number: number;
}

/** Of `recall_document as d`. */
export const headColumns = "d.kind, d.session, d.name, d.at_ms, d.place, d.number";

export function toHead({ kind, session, name, at_ms, place, number }: HeadRow): RecallDocumentHead {
  return {
    kind: recallKinds[kind] ?? "message",
    id: name.toString("utf8"),
    session: session.toString("utf8"),
    atMs: at_ms,
    place,
    number,
  };
}

export const messageKind = recallKinds.indexOf("message");
export const memoryKind = recallKinds.indexOf("memory");

/** The part of a filter that chooses rows, as two values for `isChosen`. */
export function filterValues({ kinds, exceptSession }: RecallFilter): readonly unknown[] {
  return [
    kinds === undefined ? null : kinds.map((kind) => recallKinds.indexOf(kind)),
    exceptSession === undefined ? null : Buffer.from(exceptSession),
  ];
}

/** Of `recall_document as d`; the values begin at this number. */
export function isChosen(first: number): string {
  return `($${first}::smallint[] is null or d.kind = any($${first}::smallint[]))
    and ($${first + 1}::bytea is null or d.session <> $${first + 1}::bytea)`;
}

/** All that the work reads is of one revision. */
export function withOneRevision<T>(
  { database }: RecallRows,
  work: (run: Run) => Promise<T>,
): Promise<Result<T>> {
  return database.transaction(
    async (run) => {
      await run("set transaction isolation level repeatable read, read only");
      return ok(await work(run));
    },
    { isRepeatable: true },
  );
}

/** Facts about a document that a score needs besides its words. */
export interface DocumentFacts {
  readonly kind: number;
  readonly lengths: readonly number[];
  readonly number: number;
  readonly atMs: number;
  /** Equal for the documents of one session: 64 bits of its name's hash. */
  readonly session: bigint;
}

const lengthsAt = 1;
const numberAt = lengthsAt + 2 * fieldCount;
const timeAt = numberAt + 4;
const sessionAt = timeAt + 8;
export const factsBytes = sessionAt + 8;

/** Of one length for every document, big-endian. */
export function encodeFacts(head: RecallDocumentHead, lengths: readonly number[]): Buffer {
  const bytes = Buffer.alloc(factsBytes);
  bytes.writeUInt8(recallKinds.indexOf(head.kind), 0);
  for (const [field, length] of lengths.entries()) bytes.writeUInt16BE(length, lengthsAt + 2 * field);
  bytes.writeUInt32BE(head.number >>> 0, numberAt);
  bytes.writeDoubleBE(head.atMs, timeAt);
  createHash("sha256").update(head.session).digest().copy(bytes, sessionAt, 0, 8);
  return bytes;
}

export function decodeFacts(bytes: Buffer, from: number): DocumentFacts {
  const lengths = new Array<number>(fieldCount);
  for (let field = 0; field < fieldCount; field += 1)
    lengths[field] = bytes.readUInt16BE(from + lengthsAt + 2 * field);
  return {
    kind: bytes.readUInt8(from),
    lengths,
    number: bytes.readUInt32BE(from + numberAt),
    atMs: bytes.readDoubleBE(from + timeAt),
    session: bytes.readBigUInt64BE(from + sessionAt),
  };
}
