import { parse, type ValueNode } from "@humanwhocodes/momoa";

/** Where the cells stand in the text of a notebook. */
export interface CellSpans {
  readonly array: Span;
  readonly elements: readonly CellSpan[];
}

export interface CellSpan extends Span {
  readonly members: readonly Member[];
}

/**
 * The text is a notebook's. Of two members with one name the last counts, as for every reader of JSON. Undefined where
 * it is nested too deeply to be taken apart.
 */
export function cellsOf(json: string): CellSpans | undefined {
  const cells = membersOf(treeOf(json)).findLast(({ key }) => key === "cells");
  if (cells?.node.type !== "Array") return undefined;
  const elements = cells.node.elements.map(({ value }) => ({ ...spanOf(value), members: membersOf(value) }));
  return { array: spanOf(cells.node), elements };
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
  const span = elements[index] as CellSpan;
  const { members } = span;
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

export interface Member extends Span {
  readonly key: string;
  readonly keyStart: number;
  readonly node: ValueNode;
}

function treeOf(json: string): ValueNode | undefined {
  try {
    return parse(json, { mode: "json", ranges: true }).body;
  } catch {
    return undefined;
  }
}

/** The members of an object, in its order; none of anything else. */
function membersOf(node: ValueNode | undefined): readonly Member[] {
  if (node?.type !== "Object") return [];
  return node.members.map(({ name, value }) => ({
    key: name.type === "String" ? name.value : name.name,
    keyStart: spanOf(name).start,
    node: value,
    ...spanOf(value),
  }));
}

function spanOf({ loc }: Pick<ValueNode, "loc">): Span {
  return { start: loc.start.offset, end: loc.end.offset };
}
