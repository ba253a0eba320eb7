import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  arbitraryDocuments,
  arbitraryQuery,
  memoryDocument,
  messageDocument,
  nowMs,
  segmentOf,
} from "../../../../test/support/recall-documents.ts";
import { createCollection } from "./collection.ts";
import { mergeSegments } from "./next-contents.ts";
import { createCollectionSearch, type RankingQuery } from "./search-collection.ts";
import { documentKey, encodeSegment, openSegment, type Segment } from "./segment.ts";
import { createTokenizer } from "./tokenizer.ts";

const tokenizer = createTokenizer();

function rank(segments: readonly Segment[], query: string, options: Partial<RankingQuery> = {}) {
  const collection = createCollection(segments);
  const terms = tokenizer.terms(query, "query");
  const { ranked } = createCollectionSearch(collection).rank({ terms, limit: 10, nowMs, ...options });
  return ranked.map(({ document, score }) => ({ key: documentKey(collection.head(document)), score }));
}

const ids = (segments: readonly Segment[], query: string, options?: Partial<RankingQuery>) =>
  rank(segments, query, options).map(({ key }) => key.split("\n")[2]);

describe("ranking", () => {
  it("is the same however the documents are spread over segments, merged, or read from bytes", () => {
    fc.assert(
      fc.property(arbitraryDocuments, fc.array(fc.nat(30)), arbitraryQuery, (documents, cuts, query) => {
        const edges = [0, ...new Set(cuts.map((cut) => cut % (documents.length + 1))), documents.length].sort(
          (a, b) => a - b,
        );
        const parts = edges.slice(1).map((edge, at) => segmentOf(documents.slice(edges[at], edge)));
        const whole = rank([segmentOf(documents)], query);
        expect(rank(parts, query)).toEqual(whole);
        expect(rank(parts.toReversed(), query)).toEqual(whole);
        expect(rank([mergeSegments(parts)], query)).toEqual(whole);
        const read = parts.map((part) => openSegment(encodeSegment(part)) as Segment);
        expect(rank(read, query)).toEqual(whole);
      }),
      { numRuns: 300 },
    );
  });

  it("takes a text for as long as it is to read: stop words make it no denser", () => {
    const talk = messageDocument("s1", 1, "Ana: as I said, it is what it is, so let us do it");
    const fact = messageDocument("s2", 1, "Ana: tortoise, hens, parrot");
    expect(ids([segmentOf([talk, fact])], "ana")).toEqual([fact.id, talk.id]);
  });

  it("is after leaving documents out as if they had never been there", () => {
    fc.assert(
      fc.property(arbitraryDocuments, arbitraryQuery, (documents, query) => {
        const kept = documents.filter(({ kind, session }) => kind === "memory" || session !== "s1");
        const all = segmentOf(documents);
        const rest = mergeSegments([all], (_, document) => {
          const { kind, session } = documents[document]!;
          return kind === "memory" || session !== "s1";
        });
        expect(encodeSegment(rest)).toEqual(encodeSegment(segmentOf(kept)));
        expect(rank([rest], query)).toEqual(rank([segmentOf(kept)], query));
      }),
    );
  });

  it("gives the head of the full ranking, whatever the limit", () => {
    fc.assert(
      fc.property(arbitraryDocuments, arbitraryQuery, fc.nat(8), (documents, query, limit) => {
        const segments = [segmentOf(documents)];
        const full = rank(segments, query, { limit: 1_000 });
        expect(rank(segments, query, { limit })).toEqual(full.slice(0, limit));
        for (const [at, { score }] of full.entries())
          expect(score).toBeLessThanOrEqual(full[at - 1]?.score ?? Number.POSITIVE_INFINITY);
      }),
    );
  });

  it("prefers a word in the name to one in the description, and that to one in the body", () => {
    const filler = "words of no matter here";
    const documents = [
      memoryDocument("body.md", { name: "one", description: "two", body: `deploy ${filler}` }),
      memoryDocument("name.md", { name: "deploy", description: "two", body: filler }),
      memoryDocument("description.md", { name: "one", description: "deploy", body: filler }),
    ];
    expect(ids([segmentOf(documents)], "deploying")).toEqual(["name.md", "description.md", "body.md"]);
  });

  it("prefers rare words, then what is new, then what is used", () => {
    const rare = [
      messageDocument("a", 1, "cache cache miss"),
      messageDocument("b", 1, "cache kubernetes"),
      messageDocument("c", 1, "cache hit"),
    ];
    expect(ids([segmentOf(rare)], "kubernetes cache")[0]).toBe("b-1");
    const aged = [messageDocument("old", 1, "cache", 300), messageDocument("new", 1, "cache", 1)];
    expect(ids([segmentOf(aged)], "cache")).toEqual(["new-1", "old-1"]);
    const used = [memoryDocument("a.md", { body: "cache" }), memoryDocument("b.md", { body: "cache" })];
    const usesOf = (path: string) => (path === "b.md" ? 30 : 0);
    expect(ids([segmentOf(used)], "cache")).toEqual(["a.md", "b.md"]);
    expect(ids([segmentOf(used)], "cache", { usesOf })).toEqual(["b.md", "a.md"]);
  });

  it("lets a message's neighbours count a little, across segments too", () => {
    const near = [
      messageDocument("b", 1, "where is the staging database"),
      messageDocument("b", 2, "the database is in Frankfurt"),
    ];
    const alone = messageDocument("a", 7, "the database is in Frankfurt");
    const expected = ["b-1", "b-2", "a-7"];
    expect(ids([segmentOf([alone, ...near])], "staging database")).toEqual(expected);
    expect(
      ids([segmentOf([near[1]!]), segmentOf([alone]), segmentOf([near[0]!])], "staging database"),
    ).toEqual(expected);
  });

  it("leaves out other kinds, what is too old, and a session", () => {
    const documents = [
      memoryDocument("m.md", { body: "cache" }),
      messageDocument("a", 1, "cache", 10),
      messageDocument("b", 1, "cache", 1),
    ];
    const found = (options: Partial<RankingQuery>) =>
      ids([segmentOf(documents)], "cache", options).toSorted();
    expect(found({ kinds: ["memory"] })).toEqual(["m.md"]);
    expect(found({ kinds: ["message"], sinceMs: nowMs - 5 * 86_400_000 })).toEqual(["b-1"]);
    expect(found({ exceptSession: "b" })).toEqual(["a-1", "m.md"]);
    expect(found({ kinds: [] })).toEqual([]);
  });

  it("stops when it may not go on, with the rare words looked up first", () => {
    const documents = Array.from({ length: 1_000 }, (_, at) =>
      messageDocument(`s${at}`, 1, at === 500 ? "cache kubernetes" : "cache"),
    );
    let asked = 0;
    const collection = createCollection([segmentOf(documents)]);
    const { ranked, isPartial } = createCollectionSearch(collection).rank({
      terms: tokenizer.terms("cache kubernetes", "query"),
      limit: 2_000,
      nowMs,
      hasTime: () => ++asked <= 4,
    });
    expect({ asked, isPartial, best: collection.head(ranked[0]!.document).session }).toEqual({
      asked: 5,
      isPartial: true,
      best: "s500",
    });
    expect(ranked.length).toBe(257);
  });

  it("gives each query its own answer", () => {
    const collection = createCollection([
      segmentOf([messageDocument("a", 1, "cache"), messageDocument("b", 1, "miss")]),
    ]);
    const search = createCollectionSearch(collection);
    const ask = (term: string) =>
      search.rank({ terms: [term], limit: 5, nowMs }).ranked.map(({ document }) => document);
    expect([ask("cach"), ask("miss"), ask("cach"), ask("absent")]).toEqual([[0], [1], [0], []]);
  });
});

describe("the bytes of a segment", () => {
  it("are refused when they are of something else, cut, or placed wrongly", () => {
    const bytes = encodeSegment(segmentOf([messageDocument("a", 1, "cache miss")]));
    const shifted = new Uint8Array(bytes.length + 1);
    shifted.set(bytes, 1);
    expect(openSegment(shifted.subarray(1))?.documents).toBe(1);
    expect(openSegment(new Uint8Array())).toBeUndefined();
    expect(openSegment(bytes.subarray(0, 60))).toBeUndefined();
    expect(openSegment(bytes.subarray(0, bytes.length - 8))).toBeUndefined();
    expect(openSegment(bytes.map((byte, at) => (at === 0 ? byte ^ 1 : byte)))).toBeUndefined();
  });
});
