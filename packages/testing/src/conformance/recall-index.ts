import assert from "node:assert/strict";
import type {
  RecallBase,
  RecallDocument,
  RecallDrop,
  RecallIndex,
  RecallProgress,
  RecallRequest,
} from "@palimpsest/core/spec";
import { type ConformanceCase, must, refused } from "./outcomes.ts";

const nowMs = Date.parse("2026-11-15T12:00:00.000Z");

/** Words have a digit, so that no stemmer touches them. */
const message = (session: string, number: number, body: string): RecallDocument => ({
  kind: "message",
  id: `${session}-m${number}`,
  session,
  atMs: nowMs - 1_000_000 + number,
  place: number * 100,
  number,
  fields: { body },
});

const notes = (session: string, body: string): RecallDocument => ({
  ...message(session, 9, body),
  kind: "notes",
  id: `${session}-notes`,
});

const memory = (path: string, version: number, fields: RecallDocument["fields"]): RecallDocument => ({
  kind: "memory",
  id: path,
  session: "",
  atMs: nowMs - 2_000_000,
  place: 0,
  number: version,
  fields,
});

const readTo = (
  messages: number,
): RecallProgress["sessions"] extends ReadonlyMap<string, infer One> ? One : never => ({
  end: messages * 100 + 100,
  lastSeq: messages,
  epoch: 1,
  lastPlace: messages * 100,
  lastId: `m${messages}`,
  messages,
  bytes: messages * 100 + 100,
  modifiedAt: new Date(nowMs).toISOString(),
});

interface Change extends Partial<RecallDrop> {
  readonly added?: readonly RecallDocument[];
}

async function draftOf(index: RecallIndex, base: RecallBase, change: Change) {
  const { added = [], ...drop } = change;
  const draft = await index.draft(base);
  for (const document of added) draft.add(document);
  assert.equal(draft.documents, added.length);
  const none = new Set<string>();
  return () =>
    draft.publish({
      droppedMemories: none,
      droppedNotes: none,
      droppedSessions: none,
      progress: base.progress,
      ...drop,
    });
}

async function publish(index: RecallIndex, change: Change): Promise<void> {
  must(await (await draftOf(index, must(await index.base()), change))());
}

async function found(
  index: RecallIndex,
  terms: string,
  more: Partial<RecallRequest> = {},
): Promise<readonly string[]> {
  const input = { terms: terms.split(" "), limit: 10, nowMs, ...more };
  return must(await index.rank(input)).ranked.map(({ head }) => head.id);
}

/** The contract of every recall index. `create` gives two over one new storage, as two processes have them. */
export function recallIndexConformance(
  create: () => Promise<{ readonly first: RecallIndex; readonly second: RecallIndex }>,
): readonly ConformanceCase[] {
  return [
    {
      name: "holds nothing before the first update",
      async run() {
        const { first } = await create();
        const { progress, isDamaged, problems } = must(await first.base());
        assert.deepEqual(
          { sessions: [...progress.sessions], memories: [...progress.memories], isDamaged, problems },
          { sessions: [], memories: [], isDamaged: false, problems: [] },
        );
        assert.deepEqual(await found(first, "tide7"), []);
      },
    },
    {
      name: "finds what was published, by another process too, with the whole head and the progress",
      async run() {
        const { first, second } = await create();
        const one = message("a", 1, "the tide7 comes in");
        const progress = {
          sessions: new Map([["a", readTo(1)]]),
          memories: new Map([["x.md", 3]]),
        };
        await publish(first, { added: [one, memory("x.md", 3, { name: "tide7", body: "sand7" })], progress });
        const base = must(await second.base());
        assert.deepEqual([...base.progress.sessions], [["a", readTo(1)]]);
        assert.deepEqual([...base.progress.memories], [["x.md", 3]]);
        const { ranked, isPartial, problems } = must(
          await second.rank({ terms: ["tide7"], limit: 10, nowMs, kinds: ["message"] }),
        );
        const { fields: _fields, ...head } = one;
        assert.deepEqual(
          ranked.map((hit) => hit.head),
          [head],
        );
        assert.deepEqual([isPartial, problems], [false, []]);
        assert.deepEqual([...(await found(first, "tide7"))].sort(), ["a-m1", "x.md"]);
      },
    },
    {
      name: "shows nothing of a draft that is not published",
      async run() {
        const { first, second } = await create();
        await draftOf(first, must(await first.base()), { added: [message("a", 1, "tide7")] });
        assert.deepEqual(await found(first, "tide7"), []);
        assert.deepEqual(await found(second, "tide7"), []);
      },
    },
    {
      name: "refuses a draft whose base is no longer the newest, and changes nothing",
      async run() {
        const { first, second } = await create();
        const late = await draftOf(first, must(await first.base()), { added: [message("a", 1, "tide7")] });
        await publish(second, { added: [message("b", 1, "sand7")] });
        assert.equal(refused(await late()), "conflict");
        assert.deepEqual(await found(first, "tide7 sand7"), ["b-m1"]);
        await publish(first, { added: [message("a", 1, "tide7")] });
        assert.deepEqual(await found(second, "tide7"), ["a-m1"]);
      },
    },
    {
      name: "drops memories, notes and sessions before it adds, and leaves the rest",
      async run() {
        const { first, second } = await create();
        await publish(first, {
          added: [
            memory("x.md", 1, { body: "old7" }),
            memory("y.md", 1, { body: "old7" }),
            notes("a", "old7"),
            message("a", 1, "old7"),
            notes("b", "old7"),
            message("b", 1, "old7"),
          ],
        });
        await publish(second, {
          added: [memory("x.md", 2, { body: "new7" }), notes("a", "new7"), message("b", 1, "new7")],
          droppedMemories: new Set(["x.md"]),
          droppedNotes: new Set(["a"]),
          droppedSessions: new Set(["b"]),
        });
        assert.deepEqual([...(await found(first, "old7"))].sort(), ["a-m1", "y.md"]);
        assert.deepEqual([...(await found(first, "new7"))].sort(), ["a-notes", "b-m1", "x.md"]);
      },
    },
    {
      name: "ranks rare words over common ones, and a shorter text over a longer",
      async run() {
        const { first } = await create();
        const filler = Array.from({ length: 30 }, (_, at) => `filler${at}x7`).join(" ");
        await publish(first, {
          added: [
            message("a", 1, "common7 common7"),
            message("b", 1, `rare7 ${filler}`),
            message("c", 1, "common7"),
            message("d", 1, "rare7"),
            message("e", 1, "common7 other7"),
          ],
        });
        assert.deepEqual(await found(first, "rare7"), ["d-m1", "b-m1"]);
        const ids = await found(first, "common7 rare7");
        assert.deepEqual([ids[0], ids.length], ["d-m1", 5]);
      },
    },
    {
      name: "keeps to the kinds, the time, the session and the limit that are asked for",
      async run() {
        const { first } = await create();
        await publish(first, {
          added: [message("a", 1, "tide7"), message("b", 2, "tide7"), memory("x.md", 1, { body: "tide7" })],
        });
        assert.deepEqual(await found(first, "tide7", { kinds: ["memory"] }), ["x.md"]);
        assert.deepEqual(await found(first, "tide7", { sinceMs: nowMs - 1_000_000 + 2 }), ["b-m2"]);
        assert.deepEqual(await found(first, "tide7", { exceptSession: "b", kinds: ["message"] }), ["a-m1"]);
        assert.equal((await found(first, "tide7", { limit: 2 })).length, 2);
        assert.deepEqual(await found(first, "tide7", { limit: 0 }), []);
      },
    },
    {
      name: "says that it is partial once it may not go on",
      async run() {
        const { first } = await create();
        await publish(first, { added: [message("a", 1, "tide7 sand7")] });
        assert.equal(
          must(await first.rank({ terms: ["tide7", "sand7"], limit: 5, nowMs, hasTime: () => false }))
            .isPartial,
          true,
        );
      },
    },
    {
      name: "keeps vectors of one embeddings, and finds the closest",
      async run() {
        const { first, second } = await create();
        if (!first.vectors || !second.vectors) return;
        const [one, other] = [message("a", 1, "tide7"), message("b", 2, "sand7")];
        await publish(first, { added: [one, other] });
        const embeddings = { id: "e1", dimensions: 2 };
        assert.equal(must(await first.vectors.has("e1")), false);
        const missing = must(await first.vectors.missing("e1", 1));
        assert.deepEqual(
          missing.map(({ id }) => id),
          ["b-m2"],
        );
        const put = [
          { head: one, vector: Float32Array.of(1, 0) },
          { head: other, vector: Float32Array.of(0, 1) },
        ];
        assert.equal(must(await first.vectors.put(embeddings, put)), 2);
        assert.equal(must(await second.vectors.has("e1")), true);
        assert.deepEqual(must(await second.vectors.missing("e1", 9)), []);
        const closest = must(await second.vectors.closest(Float32Array.of(0.1, 1), 2, {}));
        assert.deepEqual(
          closest.map(({ id }) => id),
          ["b-m2", "a-m1"],
        );
        const kept = must(await second.vectors.closest(Float32Array.of(0, 1), 2, { exceptSession: "b" }));
        assert.deepEqual(
          kept.map(({ id }) => id),
          ["a-m1"],
        );
        assert.equal(must(await second.vectors.put({ id: "e2", dimensions: 2 }, put.slice(0, 1))), 1);
        assert.deepEqual(
          [must(await first.vectors.has("e1")), must(await first.vectors.has("e2"))],
          [false, true],
        );
      },
    },
  ];
}
