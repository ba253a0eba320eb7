/** The order of the terms' UTF-8 bytes, without encoding them: surrogates stand behind all other units. */
export function compareTerms(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at += 1) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return toOrder(left) - toOrder(right);
  }
  return a.length - b.length;
}

function toOrder(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}

/** As `compareTerms`, on UTF-8. */
export function compareBytes(
  a: Uint8Array,
  aFrom: number,
  aTo: number,
  b: Uint8Array,
  bFrom: number,
  bTo: number,
): number {
  const shared = Math.min(aTo - aFrom, bTo - bFrom);
  for (let at = 0; at < shared; at += 1) {
    const difference = (a[aFrom + at] as number) - (b[bFrom + at] as number);
    if (difference !== 0) return difference;
  }
  return aTo - aFrom - (bTo - bFrom);
}
