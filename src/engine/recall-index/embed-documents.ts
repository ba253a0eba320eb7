import {
  type Collection,
  createCollection,
  documentKey,
  type RecallContents,
  type VectorPart,
} from "../../context/recall/index.ts";
import { mergeVectors, toVectors, vectorKeys } from "../../context/recall/vectors.ts";
import { type Embeddings, ok, type Result } from "../../spec/index.ts";
import { readRecallText } from "./read-recall-text.ts";
import type { RecallParts } from "./recall-parts.ts";

/** So many texts get a vector in one update, the newest first: the rest waits for the next one. */
export const embeddedPerUpdate = 256;
const textsAtOnce = 32;
/** Models look at the first few hundred words. */
const maxEmbeddedChars = 2_000;
const mergedVectorParts = 8;

/**
 * Gives vectors to documents that have none; gives how many. Another process that publishes first wins; this work is then done again by a
 * later update.
 */
export async function embedDocuments(
  parts: RecallParts,
  embeddings: Embeddings,
  signal?: AbortSignal,
): Promise<Result<number>> {
  const { files } = parts;
  const loaded = await files.load();
  if (!loaded.ok) return loaded;
  const base = loaded.value.contents;
  const kept = base.embeddings === embeddings.id ? base.vectors : [];
  const collection = createCollection(base.segments.map(({ segment }) => segment));
  const waiting = withoutVector(collection, kept);
  const made = await embedTexts(parts, embeddings, collection, waiting, signal);
  if (!made.ok || made.value.length === 0) return made.ok ? ok(0) : made;
  const added = { vectors: toVectors(embeddings.dimensions, made.value) };
  const vectors = mergeParts(embeddings.dimensions, [...kept, added], collection);
  const next: RecallContents = { ...base, vectors, embeddings: embeddings.id };
  const published = await files.publish(loaded.value, next);
  if (!published.ok) return published.error.code === "conflict" ? ok(0) : published;
  return ok(made.value.length);
}

/** The newest documents without a vector. */
function withoutVector(collection: Collection, kept: readonly VectorPart[]): readonly number[] {
  const known = new Set(kept.flatMap(({ vectors }) => vectorKeys(vectors)));
  const waiting: { readonly document: number; readonly atMs: number }[] = [];
  for (let document = 0; document < collection.documents; document += 1) {
    const head = collection.head(document);
    if (!known.has(documentKey(head))) waiting.push({ document, atMs: head.atMs });
  }
  return waiting
    .sort((a, b) => b.atMs - a.atMs)
    .slice(0, embeddedPerUpdate)
    .map(({ document }) => document);
}

async function embedTexts(
  { store }: RecallParts,
  embeddings: Embeddings,
  collection: Collection,
  documents: readonly number[],
  signal?: AbortSignal,
): Promise<Result<{ readonly key: string; readonly vector: Float32Array }[]>> {
  const made: { readonly key: string; readonly vector: Float32Array }[] = [];
  for (let from = 0; from < documents.length && !signal?.aborted; from += textsAtOnce) {
    const batch: { readonly key: string; readonly text: string }[] = [];
    for (const document of documents.slice(from, from + textsAtOnce)) {
      const head = collection.head(document);
      const read = await readRecallText(store, head);
      if (read !== undefined)
        batch.push({ key: documentKey(head), text: read.text.slice(0, maxEmbeddedChars).toWellFormed() });
    }
    if (batch.length === 0) continue;
    const vectors = await embeddings.embed(
      batch.map(({ text }) => text),
      signal,
    );
    if (!vectors.ok) return made.length > 0 ? ok(made) : vectors;
    for (const [at, { key }] of batch.entries()) {
      const vector = vectors.value[at];
      if (vector !== undefined) made.push({ key, vector });
    }
  }
  return ok(made);
}

function mergeParts(
  dimensions: number,
  parts: readonly VectorPart[],
  collection: Collection,
): readonly VectorPart[] {
  if (parts.length < mergedVectorParts) return parts;
  const live = new Set<string>();
  for (let document = 0; document < collection.documents; document += 1)
    live.add(documentKey(collection.head(document)));
  const all = parts.map(({ vectors }) => vectors);
  return [{ vectors: mergeVectors(dimensions, all, (key) => live.has(key)) }];
}
