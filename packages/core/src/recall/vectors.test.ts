import fc from "fast-check";
import { expect, it } from "vitest";
import { fuseRanks } from "./search-collection.ts";
import { encodeVectors, openVectors } from "./vector-bytes.ts";
import { closenessTo, mergeVectors, toVectors, type Vectors, vectorKeys } from "./vectors.ts";

const vector = fc.array(fc.double({ min: -2, max: 2, noNaN: true }), { minLength: 6, maxLength: 6 });
const toKeyed = (rows: readonly number[][]) =>
  rows.map((row, at) => ({ key: `k${at}`, vector: Float32Array.from(row) }));

function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = a.reduce((sum, value, at) => sum + value * b[at]!, 0);
  return dot / (Math.hypot(...a) * Math.hypot(...b) || 1);
}

it("is as close as the cosine, within what a byte can tell", () => {
  fc.assert(
    fc.property(fc.array(vector, { maxLength: 10 }), vector, (rows, query) => {
      fc.pre(Math.hypot(...query) > 1e-3 && rows.every((row) => Math.hypot(...row) > 1e-3));
      const close = closenessTo(Float32Array.from(query), toVectors(6, toKeyed(rows)));
      for (const [at, row] of rows.entries()) expect(close[at]).toBeCloseTo(cosine(row, query), 1);
    }),
  );
});

it("reads back from bytes what was written, and refuses what is cut or something else", () => {
  const vectors = toVectors(
    3,
    toKeyed([
      [1, 2, 3],
      [0, 0, 0],
      [-1, 0, 1],
    ]),
  );
  const bytes = encodeVectors(vectors);
  const shifted = new Uint8Array(bytes.length + 1);
  shifted.set(bytes, 1);
  for (const given of [bytes, shifted.subarray(1)]) expect(openVectors(given)).toEqual(vectors);
  expect(openVectors(bytes.subarray(0, -1))).toBeUndefined();
  expect(openVectors(bytes.map((byte, at) => (at === 0 ? 0 : byte)))).toBeUndefined();
  expect(openVectors(new Uint8Array(3))).toBeUndefined();
});

it("puts several together: each key once, the newest of it, those left out gone", () => {
  const first = toVectors(2, [
    { key: "a", vector: Float32Array.of(1, 0) },
    { key: "b", vector: Float32Array.of(1, 0) },
  ]);
  const second = toVectors(2, [
    { key: "b", vector: Float32Array.of(0, 1) },
    { key: "gone", vector: Float32Array.of(0, 1) },
  ]);
  const merged: Vectors = mergeVectors(2, [first, second], (key) => key !== "gone");
  expect(vectorKeys(merged)).toEqual(["a", "b"]);
  expect([...closenessTo(Float32Array.of(0, 1), merged)].map((value) => Math.round(value))).toEqual([0, 1]);
});

it("fuses rankings by rank: what both have comes first", () => {
  expect(
    fuseRanks([
      [1, 2, 3],
      [9, 3],
    ]).map(({ document }) => document),
  ).toEqual([3, 1, 9, 2]);
  expect(fuseRanks([[4, 5], []]).map(({ document }) => document)).toEqual([4, 5]);
});
