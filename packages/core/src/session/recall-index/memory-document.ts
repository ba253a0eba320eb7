import { readFrontMatter, splitFrontMatter } from "../../memory/read-front-matter.ts";
import type { RecallDocument } from "../../recall/index.ts";
import type { TreeFile } from "../../spec/index.ts";

/** What is said in a file, as far as its front matter can be read; else it is all body. It need not be a memory. */
export function readMemoryFields({ text }: TreeFile): {
  readonly name: string;
  readonly description: string;
  readonly body: string;
  readonly type: string;
} {
  const { matter, body } = splitFrontMatter(text);
  const read = readFrontMatter(matter ?? "");
  if (matter === null || !read.ok) return { name: "", description: "", body: text, type: "" };
  const lineOf = (field: string) => {
    const value = read.value.fields.get(field);
    return typeof value === "string" ? value.trim() : "";
  };
  return { name: lineOf("name"), description: lineOf("description"), body, type: lineOf("type") };
}

export function toMemoryDocument(file: TreeFile): RecallDocument {
  const { path, version, at } = file.version;
  const { name, description, body, type } = readMemoryFields(file);
  return {
    kind: "memory",
    id: path,
    session: "",
    atMs: Date.parse(at),
    place: 0,
    number: version,
    fields: { name, description, body, tags: `${path} ${type}`.trimEnd() },
  };
}
