import type { Result } from "../result.ts";

/** Turns texts into vectors whose closeness is closeness of meaning. Does not throw. */
export interface Embeddings {
  /** Names model and version: vectors of another id are not compared with these. */
  readonly id: string;
  readonly dimensions: number;
  /** One vector a text, in their order, each of `dimensions` numbers. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Result<readonly Float32Array[]>>;
}
