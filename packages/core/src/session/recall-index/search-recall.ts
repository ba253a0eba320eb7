import { documentKey, fuseRanks, snippetOf } from "../../recall/index.ts";
import {
  type Clock,
  type Embeddings,
  fail,
  ok,
  type PalimpsestError,
  type RankedHead,
  type RecallAnswer,
  type RecallHit,
  type RecallRanking,
  type RecallSearchOptions,
  type Result,
} from "../../spec/index.ts";
import { readRecallText } from "./read-changes.ts";
import type { RecallParts } from "./recall-parts.ts";

/** How many hits are given when the caller does not say. */
export const recallHits = 10;
/** How deep both rankings go before they are fused. */
const fusedDepth = 100;
const maxQueryChars = 4_000;

export function createRecallSearch(parts: RecallParts): {
  search(query: string, options?: RecallSearchOptions): Promise<Result<RecallAnswer>>;
} {
  const { store, index, clock, tokenizer, embeddings, usesOf } = parts;

  /** Both rankings as one, where documents have vectors of these embeddings; what fails leaves the one by words. */
  async function fuse(
    ranked: readonly RankedHead[],
    text: string,
    depth: number,
    options: RecallSearchOptions,
  ): Promise<Result<readonly RankedHead[]>> {
    if (!embeddings || !index.vectors) return ok(ranked);
    const vector = await embedQuery(embeddings, clock, text, options);
    if (!vector.ok) return vector;
    const close = await index.vectors.closest(vector.value, depth, options);
    if (!close.ok) return close;
    const heads = new Map(
      [...close.value, ...ranked.map(({ head }) => head)].map((one) => [documentKey(one), one]),
    );
    const rankings = [ranked.map(({ head }) => head), close.value].map((ranking) => ranking.map(documentKey));
    return ok(
      fuseRanks(rankings).flatMap(({ document, score }) => {
        const head = heads.get(document);
        return head ? [{ head, score }] : [];
      }),
    );
  }

  /** Reads the candidates in order until there are enough: what is gone or changed since is left out. */
  async function toHits(
    candidates: readonly RankedHead[],
    limit: number,
    terms: readonly string[],
  ): Promise<readonly RecallHit[]> {
    const hits: RecallHit[] = [];
    for (let from = 0; from < candidates.length && hits.length < limit; from += limit) {
      const read = candidates.slice(from, from + limit).map(async ({ head, score }) => {
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
      const text = query.slice(0, maxQueryChars);
      const terms = tokenizer.terms(text, "query");
      const known = embeddings && index.vectors ? await index.vectors.has(embeddings.id) : ok(false);
      if (!known.ok) return known;
      const hasTime = createBudget(clock, options.maxMs);
      const depth = Math.max(known.value ? fusedDepth : 0, 2 * limit + 10);
      const rank = (deep: number): Promise<Result<RecallRanking>> =>
        index.rank({ ...options, terms, limit: deep, nowMs: clock.now(), hasTime, usesOf });
      let ranking = await rank(depth);
      if (!ranking.ok) return ranking;
      const problems: PalimpsestError[] = [...ranking.value.problems];
      let candidates = ranking.value.ranked;
      if (known.value && limit > 0) {
        const fused = await fuse(candidates, text, depth, options);
        if (fused.ok) candidates = fused.value;
        else problems.push(fused.error);
      }
      let hits = await toHits(candidates, limit, terms);
      for (let deep = depth * 4; hits.length < limit && ranking.value.ranked.length * 4 >= deep; deep *= 4) {
        ranking = await rank(deep);
        if (!ranking.ok) return ranking;
        hits = await toHits(ranking.value.ranked, limit, terms);
      }
      return ok({ hits, isPartial: ranking.value.isPartial, problems });
    },
  };
}

/** Blocks of postings between two looks at the clock: about a tenth of a millisecond of work. */
export const blocksPerLook = 64;

/** Says whether to go on. Counts what it is asked, and looks at the clock now and then; without a limit, always. */
function createBudget(clock: Clock, maxMs: number | undefined): () => boolean {
  if (maxMs === undefined) return () => true;
  const endMs = clock.monotonic() + maxMs;
  let asked = 0;
  let isOver = false;
  return () => {
    asked += 1;
    if (!isOver && asked % blocksPerLook === 0) isOver = clock.monotonic() >= endMs;
    return !isOver;
  };
}

/** The query's vector; a failure, and so a search by words alone, where it takes longer than the search may. */
async function embedQuery(
  embeddings: Embeddings,
  clock: Clock,
  text: string,
  { maxMs, signal }: { readonly maxMs?: number; readonly signal?: AbortSignal },
): Promise<Result<Float32Array>> {
  const ended = new AbortController();
  const stop = () => ended.abort();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    const embedded = embeddings.embed([text.toWellFormed()], ended.signal);
    const late = maxMs === undefined ? [] : [clock.sleep(maxMs, ended.signal).then(() => undefined)];
    const vectors = await Promise.race([embedded, ...late]);
    if (vectors === undefined)
      return fail("timeout", `The query got no vector within ${maxMs} ms: it was searched by its words.`);
    if (!vectors.ok) return vectors;
    const [vector] = vectors.value;
    return vector === undefined ? fail("malformed-response", "The query got no vector.") : ok(vector);
  } finally {
    signal?.removeEventListener("abort", stop);
    ended.abort();
  }
}
