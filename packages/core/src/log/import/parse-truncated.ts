export interface TruncatedValue {
  readonly value: unknown;
  /** Where it ends in the text; absent when the text ends first. */
  readonly end?: number;
}

const closers: Readonly<Record<string, string>> = { "{": "}", "[": "]" };

/**
 * The JSON object or array at the beginning of a text that may be cut anywhere: as much of it as stands whole before
 * the cut. `undefined` when the text does not begin with one, or is damaged before its end.
 */
export function parseTruncated(text: string): TruncatedValue | undefined {
  const start = text.search(/[^\s]/);
  if (start === -1 || closers[text.charAt(start)] === undefined) return undefined;
  const open: string[] = [];
  let isInString = false;
  /** The text up to here is whole but for the brackets that are open. */
  let whole = start;
  for (let index = start; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (isInString) {
      if (character === "\\") index += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === ",") whole = index;
    else if (closers[character] !== undefined) {
      open.push(closers[character]);
      whole = index + 1;
    } else if (character === "}" || character === "]") {
      if (open.pop() !== character) return undefined;
      whole = index + 1;
      if (open.length === 0) return parse(text.slice(start, whole), whole);
    }
  }
  return parse(text.slice(start, whole) + open.reverse().join(""));
}

function parse(json: string, end?: number): TruncatedValue | undefined {
  try {
    return { value: JSON.parse(json), ...(end !== undefined && { end }) };
  } catch {
    return undefined;
  }
}
