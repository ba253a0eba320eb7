import { createHash } from "node:crypto";
import { recallKinds } from "../../../recall/recall-document.ts";
import { fieldCount } from "../../../recall/segment.ts";
import type { RecallDocumentHead } from "../../../spec/index.ts";

/** What a score needs of a document besides its words. */
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
