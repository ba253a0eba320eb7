import type { Vectors } from "./vectors.ts";

/** "PLV" and the format's number. */
const magic = 0x01564c50;
const headNumbers = 4;

/** Head (magic, dimensions, count, bytes of keys), key offsets, scales, values, keys: little-endian. */
export function encodeVectors({ dimensions, keys, scales, values }: Vectors): Uint8Array {
  const words = headNumbers + keys.offsets.length + scales.length;
  const bytes = new Uint8Array(words * 4 + values.length + keys.bytes.length);
  const head = new Uint32Array(bytes.buffer, 0, headNumbers + keys.offsets.length);
  head.set([magic, dimensions, scales.length, keys.bytes.length]);
  head.set(keys.offsets, headNumbers);
  new Float32Array(bytes.buffer, 4 * head.length, scales.length).set(scales);
  new Int8Array(bytes.buffer, words * 4, values.length).set(values);
  bytes.set(keys.bytes, words * 4 + values.length);
  return bytes;
}

/** Views on the bytes; `undefined` where they are not vectors of this format. */
export function openVectors(given: Uint8Array): Vectors | undefined {
  const bytes = given.byteOffset % 4 === 0 ? given : given.slice();
  if (bytes.length < headNumbers * 4) return undefined;
  const { buffer, byteOffset } = bytes;
  const [found, dimensions = 0, count = 0, keyBytes = 0] = new Uint32Array(buffer, byteOffset, headNumbers);
  const words = headNumbers + count + 1 + count;
  if (found !== magic || bytes.length !== words * 4 + count * dimensions + keyBytes) return undefined;
  const valuesFrom = byteOffset + words * 4;
  return {
    dimensions,
    keys: {
      offsets: new Uint32Array(buffer, byteOffset + headNumbers * 4, count + 1),
      bytes: new Uint8Array(buffer, valuesFrom + count * dimensions, keyBytes),
    },
    scales: new Float32Array(buffer, byteOffset + (headNumbers + count + 1) * 4, count),
    values: new Int8Array(buffer, valuesFrom, count * dimensions),
  };
}
