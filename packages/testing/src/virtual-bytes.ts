/** Bytes that grow. Plain data, so that a whole volume can be cloned. Past `length` the buffer holds only NUL. */
export interface VirtualBytes {
  buffer: Uint8Array;
  length: number;
}

export function createVirtualBytes(from: Uint8Array = new Uint8Array(0)): VirtualBytes {
  return { buffer: Uint8Array.from(from), length: from.length };
}

/** Cuts, or grows with NUL. */
export function resizeBytes(of: VirtualBytes, length: number): void {
  if (length < of.length) of.buffer.fill(0, length, of.length);
  if (length > of.buffer.length) {
    const grown = new Uint8Array(Math.max(length, of.buffer.length * 2));
    grown.set(of.buffer.subarray(0, of.length));
    of.buffer = grown;
  }
  of.length = length;
}

/** Writes over what is there; a gap before `at` reads as NUL. */
export function writeBytes(into: VirtualBytes, at: number, bytes: Uint8Array): void {
  if (at + bytes.length > into.length) resizeBytes(into, at + bytes.length);
  into.buffer.set(bytes, at);
}

export function copyBytes(of: VirtualBytes): Uint8Array {
  return of.buffer.slice(0, of.length);
}
