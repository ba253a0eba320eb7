import {
  type Collection,
  type CollectionSearch,
  createCollection,
  createCollectionSearch,
  createTokenizer,
  noProgress,
  type RecallContents,
} from "../../../recall/index.ts";
import { ok, type RecallBase, type RecallIndex, type Result } from "../../../spec/index.ts";
import {
  createRecallIndexFiles,
  type RecallIndexFilesOptions,
  type RecallState,
} from "./recall-index-files.ts";
import type { VectorSearch } from "./vector-search.ts";

/** Everything that is made of a state once and used by every query. */
interface LoadedIndex {
  readonly state: RecallState;
  readonly collection: Collection;
  readonly lexical: CollectionSearch;
  vectors?: VectorSearch;
}

/** The index of a project in a folder. Whoever only searches loads nothing of what makes an index. */
export function createFileRecallIndex(options: RecallIndexFilesOptions): RecallIndex {
  const files = createRecallIndexFiles(options);
  const tokenizer = createTokenizer();
  const states = new WeakMap<RecallBase, RecallState>();
  let ready: LoadedIndex | undefined;

  async function prepare(): Promise<Result<LoadedIndex>> {
    const loaded = await files.load();
    if (!loaded.ok) return loaded;
    if (ready?.state !== loaded.value) {
      const collection = createCollection(loaded.value.contents.segments.map(({ segment }) => segment));
      ready = { state: loaded.value, collection, lexical: createCollectionSearch(collection) };
    }
    return ok(ready);
  }

  return {
    async base() {
      const loaded = await files.load();
      if (!loaded.ok) return loaded;
      const { problems, damagedKinds } = loaded.value;
      const { progress } = withoutDamage(loaded.value);
      const base: RecallBase = { progress, isDamaged: damagedKinds.length > 0, problems };
      states.set(base, loaded.value);
      return ok(base);
    },
    async draft(base) {
      const state = states.get(base);
      if (state === undefined) throw new TypeError("A draft begins with a base of the same index.");
      const { createRecallDraft } = await import("./recall-draft.ts");
      return createRecallDraft({ files, tokenizer, state, present: withoutDamage(state) });
    },
    async rank(request) {
      const prepared = await prepare();
      if (!prepared.ok) return prepared;
      const { collection, lexical, state } = prepared.value;
      const { ranked, isPartial } = lexical.rank(request);
      const heads = ranked.map(({ document, score }) => ({ head: collection.head(document), score }));
      return ok({ ranked: heads, isPartial, problems: state.problems });
    },
    vectors: {
      async has(embeddings) {
        const loaded = await files.load();
        return loaded.ok ? ok(loaded.value.contents.embeddings === embeddings) : loaded;
      },
      async missing(embeddings, limit) {
        const { missingVectors } = await import("./recall-vectors.ts");
        const prepared = await prepare();
        return prepared.ok
          ? ok(missingVectors(prepared.value.state.contents, prepared.value.collection, embeddings, limit))
          : prepared;
      },
      async put(embeddings, vectors) {
        const { putVectors } = await import("./recall-vectors.ts");
        return putVectors(files, embeddings, vectors);
      },
      async closest(vector, limit, filter) {
        const prepared = await prepare();
        if (!prepared.ok) return prepared;
        const at = prepared.value;
        const { createVectorSearch } = await import("./vector-search.ts");
        at.vectors ??= createVectorSearch(at.collection, at.state.contents.vectors);
        return ok(at.vectors.rank(vector, limit, filter).map((document) => at.collection.head(document)));
      },
    },
  };
}

/** Damaged parts are made anew: memories by themselves, notes and messages together, as both come from the logs. */
function withoutDamage({ contents, damagedKinds }: RecallState): RecallContents {
  if (damagedKinds.length === 0) return contents;
  const isMemoryDamaged = damagedKinds.includes("memory");
  const isLogDamaged = damagedKinds.some((kind) => kind !== "memory");
  return {
    ...contents,
    segments: contents.segments.filter(({ kind }) => !(kind === "memory" ? isMemoryDamaged : isLogDamaged)),
    progress: {
      memories: isMemoryDamaged ? noProgress.memories : contents.progress.memories,
      sessions: isLogDamaged ? noProgress.sessions : contents.progress.sessions,
    },
  };
}
