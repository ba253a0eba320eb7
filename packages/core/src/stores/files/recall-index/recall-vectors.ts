import {
  type Collection,
  createCollection,
  documentKey,
  type RecallContents,
  type VectorPart,
} from "../../../recall/index.ts";
import { mergeVectors, toVectors, vectorKeys } from "../../../recall/vectors.ts";
import { ok, type RecallDocumentHead, type RecallVectors, type Result } from "../../../spec/index.ts";
import type { RecallIndexFiles } from "./recall-index-files.ts";

const mergedVectorParts = 8;

/** The newest documents without a vector of these embeddings. */
export function missingVectors(
  { embeddings, vectors }: RecallContents,
  collection: Collection,
  wanted: string,
  limit: number,
): readonly RecallDocumentHead[] {
  const kept = embeddings === wanted ? vectors : [];
  const known = new Set(kept.flatMap((part) => vectorKeys(part.vectors)));
  const waiting: RecallDocumentHead[] = [];
  for (let document = 0; document < collection.documents; document += 1) {
    const head = collection.head(document);
    if (!known.has(documentKey(head))) waiting.push(head);
  }
  return waiting.sort((a, b) => b.atMs - a.atMs).slice(0, limit);
}

/** Another process that publishes first wins. */
export async function putVectors(
  files: RecallIndexFiles,
  { id, dimensions }: Parameters<RecallVectors["put"]>[0],
  made: Parameters<RecallVectors["put"]>[1],
): Promise<Result<number>> {
  const loaded = await files.load();
  if (!loaded.ok) return loaded;
  const base = loaded.value.contents;
  const kept = base.embeddings === id ? base.vectors : [];
  const keyed = made.map(({ head, vector }) => ({ key: documentKey(head), vector }));
  const vectors = mergeParts(dimensions, [...kept, { vectors: toVectors(dimensions, keyed) }], base);
  const published = await files.publish(loaded.value, { ...base, vectors, embeddings: id });
  if (!published.ok) return published.error.code === "conflict" ? ok(0) : published;
  return ok(made.length);
}

function mergeParts(
  dimensions: number,
  parts: readonly VectorPart[],
  { segments }: RecallContents,
): readonly VectorPart[] {
  if (parts.length < mergedVectorParts) return parts;
  const collection = createCollection(segments.map(({ segment }) => segment));
  const live = new Set<string>();
  for (let document = 0; document < collection.documents; document += 1)
    live.add(documentKey(collection.head(document)));
  const all = parts.map(({ vectors }) => vectors);
  return [{ vectors: mergeVectors(dimensions, all, (key) => live.has(key)) }];
}
