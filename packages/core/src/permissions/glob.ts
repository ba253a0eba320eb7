import { matchSequence } from "./command-pattern.ts";

/** `anything` inside a name, one character, or that character itself. */
export type Token =
  | { readonly kind: "anything" | "one" }
  | { readonly kind: "character"; readonly value: string };

/** The names of a path in order; `folders` stands for any number of them. */
type Segment = "folders" | readonly Token[];

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

/** A name that stands for itself. */
export function literalName(name: string): Segment {
  return [...name].map((value) => ({ kind: "character", value }));
}

/** Names of a path as a shell reads them: `*`, `?` and `[…]`, and `**` for any folders. */
export function shellNames(names: readonly string[]): readonly Segment[] {
  return names.map((name) => (name === "**" ? "folders" : [...toTokens(name)]));
}

function* toTokens(name: string): Generator<Token> {
  for (const [part] of name.matchAll(/\[[^\]]+\]|[\s\S]/gu)) {
    if (part === "*") yield { kind: "anything" };
    else if (part === "?" || part.length > 2) yield { kind: "one" };
    else yield { kind: "character", value: part };
  }
}

/**
 * Whether a path can fit both: what a rule names, with all below it, and what a shell's pattern stands for, with all
 * below it where the read is recursive. A star of the shell at the beginning of a name stands for no dot.
 */
export function globsMeet(rule: readonly Segment[], read: readonly Segment[], isRecursive: boolean): boolean {
  const failed = new Set<number>();
  return meet(0, 0);

  function meet(at: number, position: number): boolean {
    const key = at * (read.length + 1) + position;
    if (failed.has(key)) return false;
    const isMet = step(at, position);
    if (!isMet) failed.add(key);
    return isMet;
  }

  function step(at: number, position: number): boolean {
    const [wanted, name] = [rule[at], read[position]];
    if (wanted === undefined) return true;
    if (name === undefined) return isRecursive || rule.slice(at).every((one) => one === "folders");
    if (wanted === "folders") return meet(at + 1, position) || meet(at, position + 1);
    if (name === "folders") return meet(at, position + 1) || meet(at + 1, position);
    return namesMeet(wanted, name) && meet(at + 1, position + 1);
  }
}

function namesMeet(rule: readonly Token[], read: readonly Token[]): boolean {
  const [first] = rule;
  const isHidden = first?.kind === "character" && first.value === ".";
  if (isHidden && read[0]?.kind !== "character") return false;
  return tokensMeet(rule, read);
}

/** Whether one name can fit both. */
export function tokensMeet(rule: readonly Token[], read: readonly Token[]): boolean {
  let reached = new Set([0]);
  const width = read.length + 1;
  const spread = (states: ReadonlySet<number>) => {
    const all = new Set(states);
    for (const state of all) {
      const [at, position] = [Math.floor(state / width), state % width];
      if (rule[at]?.kind === "anything") all.add((at + 1) * width + position);
      if (read[position]?.kind === "anything") all.add(at * width + position + 1);
    }
    return all;
  };
  for (let count = 0; count <= rule.length + read.length; count += 1) {
    const all = spread(reached);
    if (all.has(rule.length * width + read.length)) return true;
    const next = new Set<number>();
    for (const state of all) {
      const [at, position] = [Math.floor(state / width), state % width];
      const [wanted, given] = [rule[at], read[position]];
      if (wanted === undefined || given === undefined || !agree(wanted, given)) continue;
      next.add(
        (wanted.kind === "anything" ? at : at + 1) * width +
          (given.kind === "anything" ? position : position + 1),
      );
    }
    reached = next;
  }
  return false;
}

function agree(wanted: Token, given: Token): boolean {
  return wanted.kind !== "character" || given.kind !== "character" || wanted.value === given.value;
}
