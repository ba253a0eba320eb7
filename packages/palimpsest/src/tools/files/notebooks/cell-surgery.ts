/** Where the cells stand in the text of a notebook. */
export interface CellSpans {
  readonly array: Span;
  readonly elements: readonly Span[];
}

/** Of two members with one name the last counts, as for every reader of JSON. */
export function cellsOf(json: string): CellSpans {
  const cells = membersAt(json, json.indexOf("{")).findLast(({ key }) => key === "cells") as Span;
  return { array: cells, elements: elementsAt(json, cells.start) };
}

export function withoutCell(json: string, { array, elements }: CellSpans, index: number): string {
  const { start, end } = elements[index] as Span;
  const next = elements[index + 1];
  const previous = elements[index - 1];
  if (next) return json.slice(0, start) + json.slice(next.start);
  if (previous) return json.slice(0, previous.end) + json.slice(end);
  return `${json.slice(0, array.start)}[]${json.slice(array.end)}`;
}

/** The new cell gets the number `index`, counted from 0. */
export function withInserted(
  json: string,
  { array, elements }: CellSpans,
  index: number,
  cell: object,
): string {
  const { unit, newline, write } = jsonStyleOf(json);
  const first = elements[0];
  if (!first) {
    const [open, close] = unit === "" ? ["[", "]"] : [`[${newline}${unit}${unit}`, `${newline}${unit}]`];
    return json.slice(0, array.start) + open + write(cell, unit + unit) + close + json.slice(array.end);
  }
  const written = write(cell, indentBefore(json, first.start));
  const gap = json.slice(array.start + 1, first.start);
  const previous = elements[index - 1];
  if (!previous) return `${json.slice(0, first.start)}${written},${gap}${json.slice(first.start)}`;
  return `${json.slice(0, previous.end)},${gap}${written}${json.slice(previous.end)}`;
}

/** Gives members of a cell other values, adds those it has not, and takes out those whose value is `undefined`. */
export function withReplaced(
  json: string,
  { elements }: CellSpans,
  index: number,
  fresh: ReadonlyMap<string, unknown>,
): string {
  const span = elements[index] as Span;
  const members = membersAt(json, span.start);
  const [first, last] = [members[0] as Member, members.at(-1) as Member];
  const { write } = jsonStyleOf(json);
  const indent = indentBefore(json, first.keyStart);
  const keyGap = json.slice(first.keyStart, first.start).slice(JSON.stringify(first.key).length);
  const memberGap = json.slice(first.end, members[1]?.keyStart ?? first.end);

  let body = "";
  members.forEach(({ key, keyStart, start, end }, at) => {
    if (fresh.has(key) && fresh.get(key) === undefined) return;
    const gap = body === "" ? "" : json.slice(members[at - 1]?.end, keyStart);
    const value = fresh.has(key) ? write(fresh.get(key), indent) : json.slice(start, end);
    body += gap + json.slice(keyStart, start) + value;
  });
  for (const [key, value] of fresh) {
    if (value === undefined || members.some((member) => member.key === key)) continue;
    body += `${memberGap}${JSON.stringify(key)}${keyGap}${write(value, indent)}`;
  }
  return json.slice(0, first.keyStart) + body + json.slice(last.end);
}

/** How a JSON text is laid out, so that what is added to it looks the same. */
interface JsonStyle {
  /** One level of indentation; nothing where all is on one line. */
  readonly unit: string;
  readonly newline: string;
  /** A value whose first line stands behind `indent`. */
  write(value: unknown, indent: string): string;
}

function jsonStyleOf(json: string): JsonStyle {
  const unit = /^\s*\{\r?\n([\t ]+)/.exec(json)?.[1] ?? "";
  const newline = json.includes("\r\n") ? "\r\n" : "\n";
  return {
    unit,
    newline,
    write: (value, indent) => JSON.stringify(value, null, unit).replaceAll("\n", newline + indent),
  };
}

/** The indentation of the line that a position is in. */
function indentBefore(json: string, at: number): string {
  const lineStart = json.lastIndexOf("\n", at - 1) + 1;
  return /^[\t ]*/.exec(json.slice(lineStart, at))?.[0] ?? "";
}

/** A part of a JSON text, by its position: what is around it stays as it is written. */
interface Span {
  readonly start: number;
  readonly end: number;
}

interface Member extends Span {
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
