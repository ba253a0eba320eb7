import { expect } from "vitest";
import { createTokenizer, documentKey } from "../../../packages/core/src/recall/index.ts";
import type {
  RankedHead,
  RecallDocument,
  RecallDocumentHead,
  RecallDrop,
  RecallIndex,
  RecallRequest,
} from "../../../packages/core/src/spec/index.ts";
import { createFileRecallIndex } from "../../../packages/core/src/stores/files/recall-index/recall-index.ts";
import type { Database } from "../../../packages/core/src/stores/postgres/database.ts";
import { createPostgresRecallIndex } from "../../../packages/core/src/stores/postgres/recall-index/recall-index.ts";
import { must } from "../../../packages/testing/src/conformance/outcomes.ts";
import { createSeededRandom } from "../../../packages/testing/src/seeded-random.ts";
import { createVirtualIds } from "../../../packages/testing/src/virtual-clock.ts";
import { createVirtualDisk } from "../../../packages/testing/src/virtual-disk.ts";

const nowMs = Date.UTC(2026, 10, 15);
const dayMs = 24 * 60 * 60 * 1000;
const sessions = ["a", "b/c", "d é", "\u{1F600}"];
const paths = ["x.md", "y/z.md", "世界.md", "'; --.md"];
const odd = ["世界", "openRecall", "src/index.ts", "a\0b", "\ud800", "e\u0301te", "ﬁne", "it's", "x'\\\"{},"];
const tolerance = 1e-9;
const dimensions = 8;

export interface RecallSequence {
  readonly seed: number;
  readonly publishes: number;
  readonly documents: number;
  /** So few that words have more postings than are read at once. */
  readonly maxPostings?: number;
}

export interface RecallComparison {
  readonly compared: number;
  /** Not compared: only what was read in time could be ranked. */
  readonly partial: number;
}

/**
 * One random sequence of updates, from the handles of two processes, on files and on Postgres. After each the same
 * queries give the same documents with the same scores; of documents with equal scores either may be the last.
 */
export async function checkRecallSequence(
  database: Database,
  project: string,
  sequence: RecallSequence,
): Promise<RecallComparison> {
  const choices = createChoices(sequence);
  const disk = createVirtualDisk();
  const handles = ["a", "b"].map(createVirtualIds).map((ids) => ({
    files: createFileRecallIndex({ disk, folder: "/recall", ids }),
    rows: createPostgresRecallIndex({
      database,
      project,
      ids,
      ...(sequence.maxPostings !== undefined && { maxPostings: sequence.maxPostings }),
    }),
  }));
  let [compared, partial] = [0, 0];
  for (let update = 0; update < sequence.publishes; update += 1) {
    const { added, drop } = choices.change(sequence.documents);
    const { files, rows } = choices.pick(handles);
    await Promise.all([files, rows].map((index) => publish(index, added, drop)));
    for (let query = 0; query < 5; query += 1) {
      const request = choices.question();
      const { files, rows } = choices.pick(handles);
      const [expected, got] = await Promise.all(
        [files, rows].map(async (one) => must(await one.rank(request))),
      );
      if (expected === undefined || got === undefined) throw new Error("unreachable");
      if (got.isPartial) {
        partial += 1;
        continue;
      }
      const where = `seed ${sequence.seed}, update ${update}, query ${query}: ${JSON.stringify(request)}`;
      expectSameBest(expected.ranked, got.ranked, where);
      compared += 1;
    }
  }
  await checkVectors(choices.pick(handles), choices, `seed ${sequence.seed}, vectors`);
  return { compared, partial };
}

/** The same documents wait for a vector, and those that got one are found in the same order. */
async function checkVectors(
  indexes: { readonly files: RecallIndex; readonly rows: RecallIndex },
  choices: ReturnType<typeof createChoices>,
  where: string,
): Promise<void> {
  const [files, rows] = [indexes.files.vectors, indexes.rows.vectors];
  if (!files || !rows) throw new Error("An index without vectors.");
  const waiting = await Promise.all(
    [files, rows].map(async (one) => toSortedHeads(must(await one.missing("e", 10_000)))),
  );
  expect(waiting[1], where).toEqual(waiting[0]);
  const made = (waiting[0] ?? []).map(({ head }) => ({ head, vector: choices.vector() }));
  for (const one of [files, rows])
    expect(await one.put({ id: "e", dimensions }, made), where).toEqual({ ok: true, value: made.length });
  for (let query = 0; query < 3; query += 1) {
    const [vector, { limit, ...filter }] = [choices.vector(), choices.question()];
    const closest = await Promise.all(
      [files, rows].map(async (one) => must(await one.closest(vector, limit, filter))),
    );
    expect(closest[1], where).toEqual(closest[0]);
  }
}

function toSortedHeads(heads: readonly RecallDocumentHead[]) {
  return heads.map((head) => ({ key: documentKey(head), head })).sort((a, b) => (a.key < b.key ? -1 : 1));
}

async function publish(
  index: RecallIndex,
  added: readonly RecallDocument[],
  drop: Omit<RecallDrop, "progress">,
): Promise<void> {
  const base = must(await index.base());
  const draft = await index.draft(base);
  for (const document of added) draft.add(document);
  must(await draft.publish({ ...drop, progress: base.progress }));
}

function expectSameBest(expected: readonly RankedHead[], got: readonly RankedHead[], where: string): void {
  expect(got.length, where).toBe(expected.length);
  for (const [at, { score }] of expected.entries())
    expect(Math.abs((got[at]?.score ?? 0) - score) <= tolerance * score, `${where}, rank ${at}`).toBe(true);
  const last = expected.at(-1)?.score ?? 0;
  const sure = (ranked: readonly RankedHead[]) =>
    toSortedHeads(ranked.filter(({ score }) => score > last * (1 + 2 * tolerance)).map(({ head }) => head));
  expect(sure(got), where).toEqual(sure(expected));
}

function createChoices({ seed, maxPostings }: RecallSequence) {
  const random = createSeededRandom(seed);
  const next = (below: number) => random.below(below);
  const pick = <T>(from: readonly T[]): T => from[next(from.length)] as T;
  const tokenizer = createTokenizer();
  const numbers = new Map<string, number>();
  const versions = new Map<string, number>();

  /** A few words are in most texts, most words in few. */
  const skew = maxPostings === undefined ? 3 : 8;
  const word = () => (next(12) === 0 ? pick(odd) : `w${Math.floor(60 * random.next() ** skew)}x`);
  const words = (most: number) => Array.from({ length: next(most + 1) }, word).join(" ");
  const atMs = () => nowMs - next(90) * dayMs - next(3);
  const some = <T>(from: readonly T[]) => new Set(from.filter(() => next(5) === 0));

  function message(session: string): RecallDocument {
    const number = (numbers.get(session) ?? 0) + 1;
    numbers.set(session, number);
    const id = `m${number}`;
    return {
      kind: "message",
      id,
      session,
      atMs: atMs(),
      place: number * 10,
      number,
      fields: { body: words(25) },
    };
  }

  function memory(path: string): RecallDocument {
    const number = (versions.get(path) ?? 0) + 1;
    versions.set(path, number);
    const fields = { name: words(3), description: words(8), tags: words(3), body: words(40) };
    return { kind: "memory", id: path, session: "", atMs: atMs(), place: 0, number, fields };
  }

  return {
    pick,
    vector: () => Float32Array.from({ length: dimensions }, () => random.next() - 0.5),
    change(documents: number) {
      const droppedSessions = some(sessions);
      for (const session of droppedSessions) numbers.delete(session);
      const droppedMemories = some(paths);
      const droppedNotes = some(sessions);
      const notes = [...droppedNotes].map((session) => ({
        ...message(session),
        kind: "notes" as const,
        id: "notes",
      }));
      const messages = Array.from({ length: next(documents) }, () => message(pick(sessions)));
      const added = [...messages, ...notes, ...[...droppedMemories].map(memory)];
      return { added, drop: { droppedSessions, droppedMemories, droppedNotes } };
    },
    question(): RecallRequest {
      const text = Array.from({ length: 1 + next(6) }, word).join(" ");
      return {
        terms: tokenizer.terms(text, "query"),
        limit: pick(maxPostings === undefined ? [10, 10, 10, 3, 1] : [10, 3, 1, 1]),
        nowMs,
        ...(next(3) === 0 && { kinds: pick([["memory"], ["message"], ["notes", "memory"], []] as const) }),
        ...(next(4) === 0 && { sinceMs: atMs() }),
        ...(next(4) === 0 && { exceptSession: pick(sessions) }),
        ...(next(3) === 0 && { usesOf: (path: string) => path.length }),
      };
    },
  };
}
