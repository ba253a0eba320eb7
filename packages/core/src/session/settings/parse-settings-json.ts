import type { ValueNode } from "@humanwhocodes/momoa";
import { isObject } from "../../json/json-values.ts";
import { showValue } from "../../settings/explain-mismatch.ts";
import { settingPath } from "../../settings/setting.ts";
import type { Result } from "../../spec/index.ts";
import { explainJsonError, type JsonProblem, maxJsonDepth } from "./explain-json-error.ts";

/** Line and column in a text; both begin at 1, and columns count characters. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Where things stand in a file, by their path as `settingPath` writes it. */
export interface TextPositions {
  readonly names: ReadonlyMap<string, TextPosition>;
  readonly values: ReadonlyMap<string, TextPosition>;
}

export interface ParsedJson {
  readonly value: unknown;
  readonly places: TextPositions;
}

/** Items of a longer list have no place: no message is about so many. */
const maxPlacedItems = 10_000;

/** As `JSON.parse`, with the place of everything; a failure says where and what to do, and a name given twice is one. */
export async function parseSettingsJson(text: string): Promise<Result<ParsedJson, JsonProblem>> {
  const parsed = parse(text);
  if (!parsed || isDeeper(parsed.value, maxJsonDepth)) return { ok: false, error: explainJsonError(text) };
  const { parse: parseTree } = await import("@humanwhocodes/momoa");
  const { body } = parseTree(text, { mode: "json" });
  const names = new Map<string, TextPosition>();
  const values = new Map<string, TextPosition>();
  let twice: JsonProblem | undefined;
  const placeOf = createPlaces(text);

  function note(node: ValueNode, location: readonly (string | number)[]): void {
    values.set(settingPath(location), placeOf(node));
    if (node.type === "Array")
      node.elements.slice(0, maxPlacedItems).forEach(({ value }, position) => {
        note(value, [...location, position]);
      });
    if (node.type !== "Object") return;
    for (const { name, value } of node.members) {
      const known = name.type === "String" ? name.value : name.name;
      const here = [...location, known];
      const path = settingPath(here);
      if (names.has(path))
        twice ??= {
          ...placeOf(name),
          problem: `${showValue(known)} is there twice`,
          fix: "keep one of them",
        };
      names.set(path, placeOf(name));
      note(value, here);
    }
  }

  note(body, []);
  if (twice) return { ok: false, error: twice };
  return { ok: true, value: { value: parsed.value, places: { names, values } } };
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (!isObject(value)) return false;
  return levels < 0 || Object.values(value).some((item) => isDeeper(item, levels - 1));
}

interface PlacedNode {
  readonly loc: { readonly start: TextPosition & { readonly offset: number } };
}

/** momoa counts columns in units of UTF-16: a character beyond them counts twice there. */
function createPlaces(text: string): (node: PlacedNode) => TextPosition {
  if (!/[\ud800-\udbff]/.test(text)) return ({ loc }) => ({ line: loc.start.line, column: loc.start.column });
  const pairs = new Uint32Array(text.length + 1);
  for (let at = 0; at < text.length; at += 1)
    pairs[at + 1] = (pairs[at] ?? 0) + (/[\ud800-\udbff]/.test(text[at] ?? "") ? 1 : 0);
  return ({ loc: { start } }) => {
    const begin = start.offset - (start.column - 1);
    const before = (pairs[start.offset] ?? 0) - (pairs[begin] ?? 0);
    return { line: start.line, column: start.column - before };
  };
}
