import { Document, YAMLMap } from "yaml";
import { fail, type MemoryProvenance, type MemoryWriteOptions, ok, type Result } from "../spec/index.ts";
import { toMemoryName } from "./check-memory.ts";
import { memoryNumbers } from "./memory-numbers.ts";
import { hasBrokenFrontMatter, readFrontMatter, splitFrontMatter } from "./read-front-matter.ts";

type Description = Pick<MemoryWriteOptions, "name" | "description" | "type">;

/**
 * The text of a memory with its provenance written into the front matter, in place of any it claims. What a person has
 * put there besides stays. A text without front matter gets one.
 */
export function composeMemory(
  path: string,
  text: string,
  provenance: MemoryProvenance,
  said: Description = {},
): Result<string> {
  if (hasBrokenFrontMatter(text)) return refuse(path, "The front matter has no end");
  const { matter, body } = splitFrontMatter(text);
  const document = matter === null ? ok(newDocument(path, body, said)) : openDocument(path, matter, said);
  if (!document.ok) return document;
  setProvenance(document.value, provenance);
  const lines = document.value.toString({ lineWidth: 0, flowCollectionPadding: false }).trimEnd();
  return ok(`---\n${lines}\n---\n\n${body.trimEnd()}\n`);
}

function newDocument(path: string, body: string, said: Description): Document {
  const name = said.name ?? toMemoryName(path);
  const description =
    said.description ?? firstWords(body, memoryNumbers.indexLineChars - overhead(path, name));
  const fields = { name, description, type: said.type ?? "reference" };
  return new Document(fields, { schema: "failsafe" });
}

function openDocument(path: string, matter: string, said: Description): Result<Document> {
  const read = readFrontMatter(matter);
  if (!read.ok) return refuse(path, read.error.message.replace(/\.$/, ""));
  const { document } = read.value;
  if (document.contents === null) document.contents = new YAMLMap() as never;
  const { name, description, type } = said;
  for (const [key, value] of Object.entries({ name, description, type })) {
    if (value !== undefined) document.set(key, value);
  }
  return ok(document);
}

function setProvenance(document: Document, provenance: MemoryProvenance): void {
  const { author, session, entries, trust, isConfirmed } = provenance;
  const values = {
    author,
    session,
    entries: entries !== undefined && entries.length > 0 ? entries : undefined,
    trust,
    confirmed: isConfirmed ? "true" : undefined,
  };
  for (const [key, value] of Object.entries(values)) {
    if (value === undefined) document.delete(key);
    else
      document.set(key, typeof value === "string" ? value : document.createNode([...value], { flow: true }));
  }
}

/** Characters of an index line besides the description, with room for a label. */
function overhead(path: string, name: string): number {
  return path.length + name.length + 30;
}

const minFirstWords = 20;

/** The first line that says something, a heading only where there is no other, without its markup, as far as it fits. */
function firstWords(body: string, maxChars: number): string {
  const lines = body.split("\n").filter((one) => /[\p{L}\p{N}]/u.test(one));
  const line = lines.find((one) => !/^\s*#/.test(one)) ?? lines[0] ?? "";
  const plain = line
    .replace(/^[\s#>*-]+/, "")
    .replace(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .trim();
  const characters = [...plain];
  const room = Math.max(minFirstWords, maxChars);
  return characters.length <= room
    ? plain
    : `${characters
        .slice(0, room - 1)
        .join("")
        .trimEnd()}…`;
}

function refuse(path: string, what: string): Result<never> {
  return fail("invalid-input", `${what}: ${path} was not written.`, {
    path,
    fix: "Begin the text with ---, a line name: …, a line description: …, a line type: …, and ---.",
  });
}

/** Fields every memory has, and those the program writes itself. */
const known = ["name", "description", "type", "author", "session", "entries", "trust", "confirmed"];

/** Other front matter of a memory, comments too; empty where there is none. */
export function otherMatter(text: string): string {
  const { matter } = splitFrontMatter(text);
  const read = readFrontMatter(matter ?? "");
  if (matter === null || !read.ok) return "";
  const { document } = read.value;
  if (document.contents === null) return document.commentBefore ?? "";
  for (const key of known) document.delete(key);
  const rest = document.toString({ lineWidth: 0 }).trim();
  return rest === "{}" ? commentsOf(matter) : `${rest}\n${commentsOf(matter)}`.trim();
}

/** Those of keys that were taken away too. */
function commentsOf(matter: string): string {
  return [...matter.matchAll(/(?:^|\s)#(.*)$/gm)].map(([, comment = ""]) => comment.trim()).join("\n");
}
