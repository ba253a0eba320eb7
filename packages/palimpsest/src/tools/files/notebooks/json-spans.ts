/** A part of a JSON text, by its position: what is around it stays as it is written. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Member extends Span {
  readonly key: string;
  readonly keyStart: number;
}

const space = /[\t\n\r ]*/y;
const plain = /[^"\t\n\r ,:[\]{}]*/y;

/** The members of the object that begins at `start`. The text must be valid JSON. */
export function membersAt(json: string, start: number): readonly Member[] {
  const members: Member[] = [];
  for (let at = skip(space, json, start + 1); json[at] !== "}"; at = nextAt(json, at)) {
    const keyEnd = scalarEnd(json, at);
    const key = JSON.parse(json.slice(at, keyEnd)) as string;
    const value = skip(space, json, skip(space, json, keyEnd) + 1);
    const end = valueEnd(json, value);
    members.push({ key, keyStart: at, start: value, end });
    at = end;
  }
  return members;
}

/** The elements of the array that begins at `start`. The text must be valid JSON. */
export function elementsAt(json: string, start: number): readonly Span[] {
  const elements: Span[] = [];
  for (let at = skip(space, json, start + 1); json[at] !== "]"; at = nextAt(json, at)) {
    const end = valueEnd(json, at);
    elements.push({ start: at, end });
    at = end;
  }
  return elements;
}

/** Where the value ends that begins at `start`; without recursion, so that no depth is too much. */
function valueEnd(json: string, start: number): number {
  let depth = 0;
  for (let at = start; ; ) {
    const char = json[at];
    if (char === "{" || char === "[") depth += 1;
    if (char === "}" || char === "]") depth -= 1;
    const isSingle = char === undefined || "{}[],: \t\n\r".includes(char);
    at = isSingle ? at + 1 : scalarEnd(json, at);
    if (depth <= 0) return at;
  }
}

/** A text may have many megabytes: its end is looked for, not matched. */
function scalarEnd(json: string, start: number): number {
  if (json[start] !== '"') return skip(plain, json, start);
  for (let quote = json.indexOf('"', start + 1); quote !== -1; quote = json.indexOf('"', quote + 1)) {
    let slashes = 0;
    while (json[quote - 1 - slashes] === "\\") slashes += 1;
    if (slashes % 2 === 0) return quote + 1;
  }
  return json.length;
}

/** Behind a value: where the next one begins, or the closing bracket. */
function nextAt(json: string, at: number): number {
  const behind = skip(space, json, at);
  return json[behind] === "," ? skip(space, json, behind + 1) : behind;
}

function skip(pattern: RegExp, json: string, at: number): number {
  pattern.lastIndex = at;
  pattern.exec(json);
  return Math.max(at, pattern.lastIndex);
}
