export interface SplitText {
  /** Between the lines of dashes; `null` where the text does not begin with one, or the second is missing. */
  readonly matter: string | null;
  readonly body: string;
}

const dashes = /^---[ \t]*$/;

/** Takes a text apart. Line ends are normalised to `\n`, a byte order mark is left out. */
export function splitFrontMatter(text: string): SplitText {
  const normal = text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
  if (!/^---[ \t]*\n/.test(normal)) return { matter: null, body: normal };
  let start = normal.indexOf("\n") + 1;
  const first = start;
  while (start <= normal.length) {
    const next = normal.indexOf("\n", start);
    const end = next === -1 ? normal.length : next;
    if (dashes.test(normal.slice(start, end))) {
      return {
        matter: normal.slice(first, Math.max(first, start - 1)),
        body: normal.slice(end + 1).replace(/^\n+/, ""),
      };
    }
    start = end + 1;
  }
  return { matter: null, body: normal };
}

/** A text that begins as if it had front matter, and does not have it whole. */
export function hasBrokenFrontMatter(text: string): boolean {
  return /^\ufeff?---[ \t]*\r?\n/.test(text) && splitFrontMatter(text).matter === null;
}
