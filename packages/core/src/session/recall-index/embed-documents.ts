import {
  type Embeddings,
  ok,
  type RecallDocumentHead,
  type RecallVectors,
  type Result,
  type Store,
} from "../../spec/index.ts";
import { readRecallText } from "./read-changes.ts";

/** So many texts get a vector in one update, the newest first: the rest waits for the next one. */
export const embeddedPerUpdate = 256;
const textsAtOnce = 32;
/** Models look at the first few hundred words. */
const maxEmbeddedChars = 2_000;

/** Gives vectors to documents that have none; gives how many. */
export async function embedDocuments(
  store: Store,
  vectors: RecallVectors,
  embeddings: Embeddings,
  signal?: AbortSignal,
): Promise<Result<number>> {
  const waiting = await vectors.missing(embeddings.id, embeddedPerUpdate);
  if (!waiting.ok) return waiting;
  const made = await embedTexts(store, embeddings, waiting.value, signal);
  if (!made.ok || made.value.length === 0) return made.ok ? ok(0) : made;
  return vectors.put(embeddings, made.value);
}

interface EmbeddedDocument {
  readonly head: RecallDocumentHead;
  readonly vector: Float32Array;
}

async function embedTexts(
  store: Store,
  embeddings: Embeddings,
  heads: readonly RecallDocumentHead[],
  signal?: AbortSignal,
): Promise<Result<readonly EmbeddedDocument[]>> {
  const made: EmbeddedDocument[] = [];
  for (let from = 0; from < heads.length && !signal?.aborted; from += textsAtOnce) {
    const batch: { readonly head: RecallDocumentHead; readonly text: string }[] = [];
    for (const head of heads.slice(from, from + textsAtOnce)) {
      const read = await readRecallText(store, head);
      if (read !== undefined) batch.push({ head, text: read.text.slice(0, maxEmbeddedChars).toWellFormed() });
    }
    if (batch.length === 0) continue;
    const vectors = await embeddings.embed(
      batch.map(({ text }) => text),
      signal,
    );
    if (!vectors.ok) return made.length > 0 ? ok(made) : vectors;
    for (const [at, { head }] of batch.entries()) {
      const vector = vectors.value[at];
      if (vector !== undefined) made.push({ head, vector });
    }
  }
  return ok(made);
}
