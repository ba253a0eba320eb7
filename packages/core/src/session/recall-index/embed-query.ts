import { type Clock, type Embeddings, fail, ok, type Result } from "../../spec/index.ts";

/** The query's vector; a failure, and so a search by words alone, where it takes longer than the search may. */
export async function embedQuery(
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
