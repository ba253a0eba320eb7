import { type Document, isMap, isScalar, isSeq, type ParsedNode, parseDocument, visit } from "yaml";
import { fail, ok, type Result } from "../spec/index.ts";
import { memoryNumbers } from "./memory-numbers.ts";

/** A text, or a list of texts: the front matter of a memory holds nothing else. */
export type MatterValue = string | readonly string[];

interface FrontMatter {
  readonly fields: ReadonlyMap<string, MatterValue>;
  /** For writing it again with everything that a person has put into it. */
  readonly document: Document;
}

const maxFields = 50;
const maxListItems = 200;

/**
 * Reads front matter as untrusted text: no anchors, aliases or tags, no nesting but flat lists, a limited size. Values
 * are texts, whatever they look like. A line `name: …` or `description: …` that YAML takes otherwise, for a colon or a
 * bracket in it, counts as if it were quoted.
 */
export function readFrontMatter(matter: string): Result<FrontMatter> {
  if (matter.length > memoryNumbers.maxFrontMatterChars) {
    return refuse(`has over ${memoryNumbers.maxFrontMatterChars} characters`);
  }
  const strict = parse(quoteLines(matter, beginsAsYaml));
  if (strict !== null) return toFields(strict);
  const loose = parse(quoteLines(matter, plainText));
  return loose === null ? refuse("is not YAML") : toFields(loose);
}

function parse(matter: string): Document<ParsedNode> | null {
  try {
    const document = parseDocument(matter, { schema: "failsafe", merge: false, logLevel: "silent" });
    return document.errors.length === 0 ? (document as Document<ParsedNode>) : null;
  } catch {
    return null; // Nesting deeper than the stack.
  }
}

/** A name or description that begins like a list, a map or a reference is a text all the same. */
const beginsAsYaml = /^(name|description):[ \t]+([[{&*!%@`].*\S)[ \t]*$/gm;
const plainText = /^(name|description):[ \t]+(?!["'|>])(.*\S)[ \t]*$/gm;

function quoteLines(matter: string, lines: RegExp): string {
  return matter.replace(lines, (_line, key: string, value: string) => `${key}: ${JSON.stringify(value)}`);
}

function toFields(document: Document<ParsedNode>): Result<FrontMatter> {
  const root = document.contents;
  if (root === null) return ok({ fields: new Map(), document });
  if (!isMap(root)) return refuse("is no list of fields");
  if (hasMachinery(document)) return refuse("has anchors, aliases or tags");
  if (root.items.length > maxFields) return refuse(`has over ${maxFields} fields`);
  const fields = new Map<string, MatterValue>();
  for (const { key, value } of root.items) {
    const name = scalarText(key);
    const held = value === null ? "" : isSeq(value) ? listOf(value.items) : scalarText(value);
    if (name === null) return refuse("has a field whose name is no text");
    if (held !== null) fields.set(name, held);
  }
  return ok({ fields, document });
}

function scalarText(node: unknown): string | null {
  return isScalar(node) && typeof node.value === "string" ? node.value : null;
}

/** `null` for what is no list of texts: a field with something else in it is a person's own, and is passed over. */
function listOf(items: readonly unknown[]): readonly string[] | null {
  const texts = items.map(scalarText);
  return items.length <= maxListItems && texts.every((text) => text !== null) ? (texts as string[]) : null;
}

function hasMachinery(document: Document): boolean {
  let isFound = false;
  visit(document, {
    Alias: () => {
      isFound = true;
      return visit.BREAK;
    },
    Node: (_key, node) => {
      if (("anchor" in node && node.anchor) || ("tag" in node && hasOwnTag(node.tag))) {
        isFound = true;
        return visit.BREAK;
      }
    },
  });
  return isFound;
}

function hasOwnTag(tag: unknown): boolean {
  return typeof tag === "string" && !/^tag:yaml\.org,2002:(?:map|seq|str)$/.test(tag);
}

function refuse(what: string): Result<never> {
  return fail("invalid-input", `The front matter ${what}.`, {
    fix: "Begin the file with ---, a line name: …, a line description: …, a line type: …, and ---.",
  });
}

interface SplitText {
  /** Between the lines of dashes; `null` where the text does not begin with one, or the second is missing. */
  readonly matter: string | null;
  readonly body: string;
}

const dashes = /^---[ \t]*$/;

/** Takes a text apart. Line ends are normalised to `\n`, a byte order mark is left out. */
export function splitFrontMatter(text: string): SplitText {
  const normal = text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
  if (!/^---[ \t]*\n/.test(normal)) return { matter: null, body: normal };
  let start = normal.indexOf("\n") + 1;
  const first = start;
  while (start <= normal.length) {
    const next = normal.indexOf("\n", start);
    const end = next === -1 ? normal.length : next;
    if (dashes.test(normal.slice(start, end))) {
      return {
        matter: normal.slice(first, Math.max(first, start - 1)),
        body: normal.slice(end + 1).replace(/^\n+/, ""),
      };
    }
    start = end + 1;
  }
  return { matter: null, body: normal };
}

/** A text that begins as if it had front matter, and does not have it whole. */
export function hasBrokenFrontMatter(text: string): boolean {
  return /^\ufeff?---[ \t]*\r?\n/.test(text) && splitFrontMatter(text).matter === null;
}
