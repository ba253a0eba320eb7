import { type TextTable, textAt, toTextTable } from "./segment.ts";

/**
 * Vectors by document key, each number in one byte: a vector is its bytes times its scale. Keys of documents that are
 * gone stay until vectors are put together the next time.
 */
export interface Vectors {
  readonly dimensions: number;
  readonly keys: TextTable;
  readonly scales: Float32Array;
  readonly values: Int8Array;
}

export interface KeyedVector {
  readonly key: string;
  readonly vector: Float32Array;
}

/** Vectors of length 1, so that the dot product is the cosine; one without direction stays without. */
export function toVectors(dimensions: number, keyed: readonly KeyedVector[]): Vectors {
  const values = new Int8Array(keyed.length * dimensions);
  const scales = new Float32Array(keyed.length);
  for (const [at, { vector }] of keyed.entries()) {
    const length = Math.hypot(...vector) || 1;
    const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / length;
    scales[at] = largest / 127;
    for (let index = 0; index < dimensions; index += 1)
      values[at * dimensions + index] = Math.round((vector[index] ?? 0) / length / (largest / 127 || 1));
  }
  return { dimensions, keys: toTextTable(keyed.map(({ key }) => key)), scales, values };
}

export function vectorKeys({ keys }: Vectors): readonly string[] {
  return Array.from({ length: keys.offsets.length - 1 }, (_, at) => textAt(keys, at));
}

/** How close a vector is to each of these: the cosine, about. */
export function closenessTo(query: Float32Array, { dimensions, scales, values }: Vectors): Float32Array {
  const length = Math.hypot(...query) || 1;
  const closeness = new Float32Array(scales.length);
  for (let at = 0; at < scales.length; at += 1) {
    const first = at * dimensions;
    let sum = 0;
    for (let index = 0; index < dimensions; index += 1)
      sum += (query[index] as number) * (values[first + index] as number);
    closeness[at] = (sum * (scales[at] as number)) / length;
  }
  return closeness;
}

/** One of several, with the keys that are kept, each once. */
export function mergeVectors(
  dimensions: number,
  parts: readonly Vectors[],
  isKept: (key: string) => boolean,
): Vectors {
  const kept = new Map<string, { readonly part: Vectors; readonly at: number }>();
  for (const part of parts)
    for (const [at, key] of vectorKeys(part).entries()) if (isKept(key)) kept.set(key, { part, at });
  const values = new Int8Array(kept.size * dimensions);
  const rows = [...kept.values()];
  for (const [row, { part, at }] of rows.entries())
    values.set(part.values.subarray(at * dimensions, (at + 1) * dimensions), row * dimensions);
  return {
    dimensions,
    keys: toTextTable([...kept.keys()]),
    scales: Float32Array.from(rows, ({ part, at }) => part.scales[at] as number),
    values,
  };
}
