/** The beginning of a text in at most so many characters; a code point that does not fit is left out. */
export function firstChars(text: string, maxChars: number): string {
  const isSplit = (text.codePointAt(maxChars - 1) ?? 0) > 0xffff && maxChars < text.length;
  return text.slice(0, Math.max(0, isSplit ? maxChars - 1 : maxChars));
}
