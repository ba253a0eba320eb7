import { matchSequence } from "./match-sequence.ts";

/** `anything` inside a name, one character, or that character itself. */
export type Token =
  | { readonly kind: "anything" | "one" }
  | { readonly kind: "character"; readonly value: string };

/** The names of a path in order; `folders` stands for any number of them. */
export type Segment = "folders" | readonly Token[];

/** One way to read a pattern: `{a,b}` makes several of one. */
export type Glob = readonly Segment[];

const maxAlternatives = 64;

/**
 * `*` and `?` inside a name, `**` for any folders, `{a,b}` for a choice; a backslash takes the meaning away. Everything
 * else is itself, brackets and parentheses too. `undefined`: braces that do not close, or too many choices.
 */
export function parseGlob(pattern: string): readonly Glob[] | undefined {
  const alternatives = expandBraces(pattern);
  return alternatives?.map((text) => text.split("/").filter(Boolean).map(toSegment));
}

export function matchGlob(glob: Glob, path: string): boolean {
  const names = path.split("/").filter(Boolean);
  return matchSequence(glob, names, (segment) => segment === "folders", matchName);
}

/** A text that matches itself and nothing else. */
export function escapeGlob(path: string): string {
  return path.replace(/[\\*?{},]/g, "\\$&");
}

function matchName(segment: Segment, name: string): boolean {
  if (segment === "folders") return true;
  const matches = (token: Token, character: string) =>
    token.kind === "one" || (token.kind === "character" && token.value === character);
  return matchSequence(segment, [...name], ({ kind }) => kind === "anything", matches);
}

function toSegment(text: string): Segment {
  if (text === "**") return "folders";
  const tokens: Token[] = [];
  const characters = [...text];
  for (let at = 0; at < characters.length; at += 1) {
    const value = characters[at] as string;
    if (value === "\\" && at + 1 < characters.length) {
      at += 1;
      tokens.push({ kind: "character", value: characters[at] as string });
    } else if (value === "*") tokens.push({ kind: "anything" });
    else if (value === "?") tokens.push({ kind: "one" });
    else tokens.push({ kind: "character", value });
  }
  return tokens;
}

function expandBraces(pattern: string): readonly string[] | undefined {
  const choice = firstChoice(pattern);
  if (choice === undefined) return [pattern];
  if (choice === "open") return undefined;
  const { before, options, after } = choice;
  const found: string[] = [];
  for (const option of options) {
    const expanded = expandBraces(before + option + after);
    if (expanded === undefined) return undefined;
    found.push(...expanded);
    if (found.length > maxAlternatives) return undefined;
  }
  return found;
}

interface Choice {
  readonly before: string;
  readonly options: readonly string[];
  readonly after: string;
}

/** The first `{…}` that is not escaped; its options may hold braces of their own. */
function firstChoice(pattern: string): Choice | "open" | undefined {
  let depth = 0;
  let begin = -1;
  let optionBegin = 0;
  const options: string[] = [];
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === "\\") at += 1;
    else if (character === "{") {
      depth += 1;
      if (depth === 1) [begin, optionBegin] = [at, at + 1];
    } else if (depth === 1 && (character === "," || character === "}")) {
      options.push(pattern.slice(optionBegin, at));
      optionBegin = at + 1;
      if (character === "}")
        return { before: pattern.slice(0, begin), options, after: pattern.slice(at + 1) };
    } else if (character === "}" && depth > 0) depth -= 1;
  }
  return depth > 0 ? "open" : undefined;
}
