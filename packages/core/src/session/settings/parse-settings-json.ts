import type { Result } from "../../spec/index.ts";

/** Where a text stops being JSON, for a person who has to mend it. Lines and columns begin at 1. */
export interface JsonProblem {
  readonly line: number;
  readonly column: number;
  readonly problem: string;
  readonly fix: string;
}

const maxDepth = 100;
const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const blankPattern = /[ \t\n\r]*/y;
const words = new Map<string, unknown>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

class Stop {
  constructor(
    readonly at: number,
    readonly problem: string,
    readonly fix: string,
  ) {}
}

/** As `JSON.parse`, but the failure says where and what to do, and a name given twice is one. */
export function parseSettingsJson(text: string): Result<unknown, JsonProblem> {
  try {
    return { ok: true, value: createReader(text).document() };
  } catch (stop) {
    if (!(stop instanceof Stop)) throw stop;
    return { ok: false, error: { ...placeOf(text, stop.at), problem: stop.problem, fix: stop.fix } };
  }
}

function placeOf(text: string, at: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, at);
  return { line: before.split("\n").length, column: at - before.lastIndexOf("\n") };
}

function createReader(text: string) {
  let at = 0;

  function match(pattern: RegExp): string {
    pattern.lastIndex = at;
    const [found = ""] = pattern.exec(text) ?? [];
    at += found.length;
    return found;
  }

  /** The next character that is not blank; empty at the end. */
  function peek(): string {
    match(blankPattern);
    return text[at] ?? "";
  }

  function refuse(expected: string, fix: string): never {
    const found = peek();
    if (found === "") throw new Stop(at, `the text ends where ${expected} is missing`, "add what is missing");
    if (text.startsWith("//", at) || text.startsWith("/*", at) || found === "#") {
      throw new Stop(at, "JSON has no comments", "remove the comment");
    }
    const quoted = JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0));
    throw new Stop(at, `expected ${expected}, got ${quoted}`, fix);
  }

  function document(): unknown {
    if (peek() === "") throw new Stop(at, "the file is empty", "write {} or remove the file");
    const value = anyValue(0);
    if (peek() !== "") refuse("the end", "keep one value in the file");
    return value;
  }

  function anyValue(depth: number): unknown {
    const first = peek();
    if (depth > maxDepth) throw new Stop(at, `there are over ${maxDepth} levels here`, "make it flatter");
    if (first === "{") return object(depth);
    if (first === "[") return list(depth);
    if (first === '"') return string();
    const number = match(numberPattern);
    if (number !== "" && !/[\w.]/.test(text[at] ?? "")) return Number(number);
    at -= number.length;
    for (const [word, value] of words) {
      if (!text.startsWith(word, at) || /\w/.test(text[at + word.length] ?? "")) continue;
      at += word.length;
      return value;
    }
    return refuse("a value", "write a text in double quotes, a number, true, false, null, { } or [ ]");
  }

  function object(depth: number): unknown {
    const parts = new Map<string, unknown>();
    members("}", () => {
      const begin = at;
      if (peek() !== '"') refuse("a name in double quotes", "put the name in double quotes");
      const name = string();
      if (parts.has(name))
        throw new Stop(begin, `${JSON.stringify(name)} is there twice`, "keep one of them");
      if (peek() !== ":") refuse("a colon", "put a colon between name and value");
      at += 1;
      parts.set(name, anyValue(depth + 1));
    });
    return Object.fromEntries(parts);
  }

  function list(depth: number): unknown {
    const items: unknown[] = [];
    members("]", () => void items.push(anyValue(depth + 1)));
    return items;
  }

  function members(close: string, member: () => void): void {
    at += 1;
    if (peek() === close) {
      at += 1;
      return;
    }
    for (;;) {
      peek();
      member();
      const next = peek();
      if (next === close) break;
      if (next !== ",") refuse(`a comma or ${close}`, "add a comma before it");
      const comma = at;
      at += 1;
      if (peek() === close) throw new Stop(comma, `a comma stands before ${close}`, "remove the comma");
    }
    at += 1;
  }

  function string(): string {
    const begin = at;
    for (at += 1; text[at] !== '"'; at += 1) {
      if (at >= text.length || text[at] === "\n") {
        throw new Stop(begin, "a text is not closed on its line", "close it with a double quote");
      }
      if (text.charCodeAt(at) < 0x20) {
        throw new Stop(at, "a control character stands in a text", "write it as an escape, such as \\t");
      }
      if (text[at] === "\\") skipEscape();
    }
    at += 1;
    return JSON.parse(text.slice(begin, at)) as string;
  }

  function skipEscape(): void {
    const found = /^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.exec(text.slice(at, at + 6));
    if (!found) throw new Stop(at, "a backslash begins no escape here", "write \\\\ for a backslash");
    at += found[0].length - 1;
  }

  return { document };
}
