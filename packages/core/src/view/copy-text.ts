/**
 * The same text in memory of its own. A short part that is cut out of a long text keeps all of the long one in memory
 * for as long as it lives.
 */
export function copyText(text: string): string {
  const encoding = isLatin.test(text) ? "latin1" : "utf16le";
  return Buffer.from(text, encoding).toString(encoding);
}

const isLatin = /^[\0-\xff]*$/;
