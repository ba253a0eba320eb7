import { isObject, type JsonObject } from "./json-value.ts";
import type { RecordReader } from "./record-reader.ts";

/** What stands for a signature that a published transcript has lost. */
export const lostSignature = "lost";

/** The same reader, to which thinking without a signature has one: such thinking is kept, and can never be sent. */
export function withSignedThinking(reader: RecordReader): RecordReader {
  return { ...reader, read: (record, place) => reader.read(signed(record), place) };
}

function signed(record: JsonObject): JsonObject {
  if (isObject(record.message)) return { ...record, message: signed(record.message) };
  if (!Array.isArray(record.content)) return record;
  return { ...record, content: record.content.map(signedBlock) };
}

function signedBlock(block: unknown): unknown {
  if (!isObject(block) || block.type !== "thinking" || typeof block.thinking !== "string") return block;
  return block.signature ? block : { ...block, signature: lostSignature };
}
