import fc from "fast-check";
import { createTokenizer, type RecallDocument, type Segment } from "../../packages/core/src/recall/index.ts";
import { createSegmentBuilder } from "../../packages/core/src/recall/segment-builder.ts";

const words = [
  "alpha",
  "beta",
  "gamma",
  "delta",
  "openRecall",
  "src/a.ts",
  "東京",
  "running",
  "cache",
  "miss",
];
const day = 86_400_000;
export const nowMs = 1_767_225_600_000;
const text = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 8 }).map((all) => all.join(" "));

export function messageDocument(session: string, number: number, body: string, ageDays = 0): RecallDocument {
  const atMs = nowMs - ageDays * day;
  return {
    kind: "message",
    id: `${session}-${number}`,
    session,
    atMs,
    place: number,
    number,
    fields: { body },
  };
}

export function memoryDocument(
  id: string,
  fields: RecallDocument["fields"],
  number = 1,
  ageDays = 0,
): RecallDocument {
  return { kind: "memory", id, session: "", atMs: nowMs - ageDays * day, place: 0, number, fields };
}

/** Memories by path, and sessions whose messages are numbered from 1. */
export const arbitraryDocuments: fc.Arbitrary<readonly RecallDocument[]> = fc
  .record({
    memories: fc.uniqueArray(fc.tuple(fc.nat(20), text, text, fc.nat(100)), {
      selector: ([id]) => id,
      maxLength: 6,
    }),
    sessions: fc.array(fc.array(fc.tuple(text, fc.nat(100)), { maxLength: 8 }), { maxLength: 4 }),
  })
  .map(({ memories, sessions }) => [
    ...memories.map(([id, name, body, age]) => memoryDocument(`m${id}.md`, { name, body }, 1, age)),
    ...sessions.flatMap((messages, at) =>
      messages.map(([body, age], index) => messageDocument(`s${at}`, index + 1, body, age)),
    ),
  ]);

export const arbitraryQuery = fc
  .array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 })
  .map((all) => all.join(" "));

export function segmentOf(documents: readonly RecallDocument[]): Segment {
  const builder = createSegmentBuilder(createTokenizer());
  for (const document of documents) builder.add(document);
  return builder.toSegment();
}
