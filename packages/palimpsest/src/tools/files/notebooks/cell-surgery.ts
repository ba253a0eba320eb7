import { elementsAt, type Member, membersAt, type Span } from "./json-spans.ts";
import { indentBefore, jsonStyleOf } from "./json-style.ts";

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
