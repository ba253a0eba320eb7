/** Where a text stops being JSON, for a person who has to mend it. Lines and columns begin at 1; columns count characters. */
export interface JsonProblem {
  readonly line: number;
  readonly column: number;
  readonly problem: string;
  readonly fix: string;
}

/** Deeper JSON is refused: settings have a handful of levels, and readers of trees may run out of stack. */
export const maxJsonDepth = 100;

type Expected = "value" | "name" | "colon" | "comma" | "end";

const blanks = /[ \t\n\r]*/y;
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)/y;
/** Everything from U+0020 on but quotes and backslashes, and escapes. */
const textInside = /[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[ !#-[\]-\uffff]*)*/y;

const fixes: Readonly<Record<Expected, string>> = {
  value: "write a text in double quotes, a number, true, false, null, { } or [ ]",
  name: "put the name in double quotes",
  colon: "put a colon between name and value",
  comma: "add a comma before it",
  end: "keep one value in the file",
};

/** What a person has done wrong in a text that `JSON.parse` refuses; engines say it in words of their own. */
export function explainJsonError(text: string): JsonProblem {
  const { at, problem, fix } = findError(text);
  const before = text.slice(0, at);
  const line = before.slice(before.lastIndexOf("\n") + 1);
  return { line: before.split("\n").length, column: [...line].length + 1, problem, fix };
}

interface Found {
  readonly at: number;
  readonly problem: string;
  readonly fix: string;
}

/** Goes from word to word until one cannot stand where it does. */
function findError(text: string): Found {
  const open: ("}" | "]")[] = [];
  let expected: Expected = "value";
  let comma: number | undefined;
  let isNewlyOpen = false;
  for (let at = endOfMatch(blanks, text, 0); at < text.length; at = endOfMatch(blanks, text, at)) {
    const found = text[at] ?? "";
    const close = open.at(-1);
    if (found === close && comma !== undefined)
      return { at: comma, problem: `a comma stands before ${close}`, fix: "remove the comma" };
    comma = undefined;
    if (found === close && (expected === "comma" || isNewlyOpen)) {
      open.pop();
      at += 1;
      expected = open.length === 0 ? "end" : "comma";
    } else if (expected === "value" && (found === "{" || found === "[")) {
      if (open.length > maxJsonDepth)
        return { at, problem: `there are over ${maxJsonDepth} levels here`, fix: "make it flatter" };
      open.push(found === "{" ? "}" : "]");
      expected = found === "{" ? "name" : "value";
      isNewlyOpen = true;
      at += 1;
      continue;
    } else if (found === '"' && (expected === "value" || expected === "name")) {
      const end = endOfMatch(textInside, text, at + 1);
      if (text[end] !== '"') return brokenText(text, at, end);
      at = end + 1;
      expected = expected === "name" ? "colon" : afterValue(open);
    } else if (found === ":" && expected === "colon") {
      at += 1;
      expected = "value";
    } else if (found === "," && expected === "comma") {
      comma = at;
      at += 1;
      expected = close === "}" ? "name" : "value";
    } else {
      const end = expected === "value" ? endOfMatch(scalar, text, at) : at;
      if (end === at) return misplaced(text, at, expected, close);
      at = end;
      expected = afterValue(open);
    }
    isNewlyOpen = false;
  }
  if (text.trim() === "")
    return { at: text.length, problem: "the file is empty", fix: "write {} or remove the file" };
  const missing = describe(expected, open.at(-1));
  const end = text.length;
  return { at: end, problem: `the text ends where ${missing} is missing`, fix: "add what is missing" };
}

function afterValue(open: readonly string[]): Expected {
  return open.length === 0 ? "end" : "comma";
}

function endOfMatch(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}

function misplaced(text: string, at: number, expected: Expected, close: string | undefined): Found {
  if (/^(?:\/\/|\/\*|#)/.test(text.slice(at, at + 2)))
    return { at, problem: "JSON has no comments", fix: "remove the comment" };
  const word = /^[-+\w.]{1,40}(?![-+\w.])/.exec(text.slice(at, at + 41))?.[0];
  const meant = expected === "value" && word !== undefined ? meantValue(word) : undefined;
  if (meant !== undefined) return { at, problem: `${word} is no value in JSON`, fix: `write ${meant}` };
  if (text[at] === "'" && (expected === "value" || expected === "name"))
    return { at, problem: "JSON has no texts in single quotes", fix: "put it in double quotes" };
  const quoted = JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0));
  return { at, problem: `expected ${describe(expected, close)}, got ${quoted}`, fix: fixes[expected] };
}

/** The JSON of a word or a number as other languages write them. */
function meantValue(word: string): string | undefined {
  const plain = word.toLowerCase();
  const names = new Map([
    ["true", "true"],
    ["false", "false"],
    ["yes", "true"],
    ["on", "true"],
    ["no", "false"],
    ["off", "false"],
    ["none", "null"],
    ["nil", "null"],
    ["undefined", "null"],
  ]);
  const named = names.get(plain);
  if (named !== undefined) return named;
  const isNumber = /^[-+]?(?:0x[\da-f]+|\d+\.?\d*(?:e[-+]?\d+)?|\.\d+)$/.test(plain);
  const number = isNumber ? Number(plain) : Number.NaN;
  return Number.isFinite(number) ? String(number) : undefined;
}

function describe(expected: Expected, close = "}"): string {
  const words = { value: "a value", name: "a name in double quotes", colon: "a colon", end: "the end" };
  return expected === "comma" ? `a comma or ${close}` : words[expected];
}

function brokenText(text: string, begin: number, at: number): Found {
  if (text[at] === undefined || text[at] === "\n") {
    const fix = "close it with a double quote";
    return { at: begin, problem: "a text is not closed on its line", fix };
  }
  return text[at] === "\\"
    ? { at, problem: "a backslash begins no escape here", fix: "write \\\\ for a backslash" }
    : { at, problem: "a control character stands in a text", fix: "write it as an escape, such as \\t" };
}
