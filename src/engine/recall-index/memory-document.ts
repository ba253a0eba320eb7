import type { RecallDocument } from "../../context/recall/index.ts";
import type { TreeFile, TreeVersion } from "../../spec/index.ts";

/** What waits for a person is not found; the index and the daily logs are not memories. */
export function isMemoryPath(path: string): boolean {
  return path !== "MEMORY.md" && !path.startsWith("quarantine/") && !path.startsWith("logs/");
}

const frontMatter = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;
const indexedKeys = ["name", "description", "type"] as const;

/** A file without front matter is all body: it is found, whatever else is said about it. */
export function toMemoryDocument({ text, version }: TreeFile): RecallDocument {
  const head = frontMatter.exec(text);
  const keys = new Map<string, string>();
  for (const line of head?.[1]?.split(/\r?\n/) ?? []) {
    const [, key = "", value = ""] = /^([a-z]+):[ \t]*(.*)$/.exec(line) ?? [];
    if ((indexedKeys as readonly string[]).includes(key)) keys.set(key, value);
  }
  return {
    ...memoryHead(version),
    fields: {
      name: keys.get("name") ?? "",
      description: keys.get("description") ?? "",
      body: memoryBody(text),
      tags: `${version.path} ${keys.get("type") ?? ""}`,
    },
  };
}

function memoryHead({ path, version, at }: TreeVersion): Omit<RecallDocument, "fields"> {
  return { kind: "memory", id: path, session: "", atMs: Date.parse(at), place: 0, number: version };
}

export function memoryBody(text: string): string {
  return text.replace(frontMatter, "");
}

/** What a person would read of it: the description and the body. */
export function memoryText(file: TreeFile): string {
  const { description, body } = toMemoryDocument(file).fields;
  return [description, body].filter(Boolean).join("\n");
}
