import {
  type Collection,
  type CollectionSearch,
  createCollection,
  createCollectionSearch,
  fuseRanks,
  snippetOf,
} from "../../context/recall/index.ts";
import {
  ok,
  type PalimpsestError,
  type RecallAnswer,
  type RecallHit,
  type RecallSearchOptions,
  type Result,
} from "../../spec/index.ts";
import type { RecallState } from "../../stores/files/recall-index/index.ts";
import { createBudget } from "./budget.ts";
import { embedQuery } from "./embed-query.ts";
import { readRecallText } from "./read-recall-text.ts";
import type { RecallParts } from "./recall-parts.ts";
import type { VectorSearch } from "./vector-search.ts";

/** How many hits are given when the caller does not say. */
export const recallHits = 10;
/** How deep both rankings go before they are fused. */
const fusedDepth = 100;
const maxQueryChars = 4_000;

interface Candidate {
  readonly document: number;
  readonly score: number;
}

/** Everything that is made of a state once and used by every query. */
interface Ready {
  readonly state: RecallState;
  readonly collection: Collection;
  readonly lexical: CollectionSearch;
  vectors?: VectorSearch;
}

export function createRecallSearch(parts: RecallParts): {
  search(query: string, options?: RecallSearchOptions): Promise<Result<RecallAnswer>>;
} {
  const { store, files, clock, tokenizer, embeddings, usesOf } = parts;
  let ready: Ready | undefined;

  async function prepare(): Promise<Result<Ready>> {
    const loaded = await files.load();
    if (!loaded.ok) return loaded;
    if (ready?.state !== loaded.value) {
      const collection = createCollection(loaded.value.contents.segments.map(({ segment }) => segment));
      ready = { state: loaded.value, collection, lexical: createCollectionSearch(collection) };
    }
    return ok(ready);
  }

  /** Closest by meaning; none where nothing has a vector of these embeddings. */
  async function rankVectors(at: Ready, vector: Float32Array, depth: number, options: RecallSearchOptions) {
    const { createVectorSearch } = await import("./vector-search.ts");
    at.vectors ??= createVectorSearch(at.collection, at.state.contents.vectors);
    return at.vectors.rank(vector, depth, options);
  }

  /** Reads the candidates in order until there are enough: what is gone or changed since is left out. */
  async function toHits(
    { collection }: Ready,
    candidates: readonly Candidate[],
    limit: number,
    terms: readonly string[],
  ): Promise<readonly RecallHit[]> {
    const hits: RecallHit[] = [];
    for (let from = 0; from < candidates.length && hits.length < limit; from += limit) {
      const read = candidates.slice(from, from + limit).map(async ({ document, score }) => {
        const head = collection.head(document);
        const read = await readRecallText(store, head);
        if (read === undefined) return [];
        const { text, ...named } = read;
        const { kind, id, session } = head;
        const source = kind === "memory" ? {} : { session, entry: id };
        const at = new Date(head.atMs).toISOString();
        return [{ kind, id, ...named, ...source, score, snippet: snippetOf(text, terms, tokenizer), at }];
      });
      hits.push(...(await Promise.all(read)).flat());
    }
    return hits.slice(0, limit);
  }

  return {
    async search(query, options = {}) {
      const limit = Math.max(0, Math.floor(options.limit ?? recallHits));
      const prepared = await prepare();
      if (!prepared.ok) return prepared;
      const at = prepared.value;
      const problems: PalimpsestError[] = [...at.state.problems];
      const text = query.slice(0, maxQueryChars);
      const terms = tokenizer.terms(text, "query");
      const hasVectors = embeddings !== undefined && at.state.contents.embeddings === embeddings.id;
      const goOn = createBudget(clock, options.maxMs);
      const depth = Math.max(hasVectors ? fusedDepth : 0, 2 * limit + 10);
      const rank = (deep: number) =>
        at.lexical.rank({ ...options, terms, limit: deep, nowMs: clock.now(), goOn, usesOf });
      let { ranked, isPartial } = rank(depth);
      let candidates: readonly Candidate[] = ranked;
      if (hasVectors && limit > 0) {
        const vector = await embedQuery(embeddings, clock, text, options);
        if (!vector.ok) problems.push(vector.error);
        else {
          const close = await rankVectors(at, vector.value, depth, options);
          candidates = fuseRanks([ranked.map(({ document }) => document), close]);
        }
      }
      let hits = await toHits(at, candidates, limit, terms);
      for (let deep = depth * 4; hits.length < limit && ranked.length * 4 >= deep; deep *= 4) {
        ({ ranked, isPartial } = rank(deep));
        hits = await toHits(at, ranked, limit, terms);
      }
      return ok({ hits, isPartial, problems });
    },
  };
}
