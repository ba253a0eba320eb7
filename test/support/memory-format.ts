import type {
  IndexFormat,
  MemoryFormat,
  ParsedMemory,
} from "../../packages/core/src/layers/6-dream/rules/memory-links.ts";

const head = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/;

/** Front matter of plain lines, as far as tests of dreams need it. */
export const plainFormat: MemoryFormat = {
  parse(path, text) {
    const [, front = "", body = ""] = head.exec(text) ?? [];
    const fields = new Map(front.split("\n").map((line) => line.split(": ") as [string, string]));
    const type = fields.get("type") as ParsedMemory["type"] | undefined;
    if (type === undefined) return null;
    const entries = fields.get("entries");
    return {
      path,
      name: fields.get("name") ?? "",
      description: fields.get("description") ?? "",
      type,
      author: (fields.get("author") ?? "agent") as ParsedMemory["author"],
      trust: (fields.get("trust") ?? "trusted") as ParsedMemory["trust"],
      ...(entries === undefined ? {} : { entries: entries.split(",") }),
      ...(fields.get("confirmed") === "true" ? { isConfirmed: true } : {}),
      body: body.trim(),
    };
  },
  format({ name, description, type, author, trust, entries, isConfirmed, body }) {
    const more = [entries ? `entries: ${entries.join(",")}` : "", isConfirmed ? "confirmed: true" : ""];
    const lines = [
      `name: ${name}`,
      `description: ${description}`,
      `type: ${type}`,
      `author: ${author}`,
      `trust: ${trust}`,
      ...more.filter(Boolean),
    ];
    return `---\n${lines.join("\n")}\n---\n${body}\n`;
  },
};

const marker = "<!-- generated below -->";

export const plainIndex: IndexFormat = {
  maxLineChars: 150,
  line: ({ path, name, description }) => `- [${name}](${path}): ${description}`,
  build(memories, present) {
    const own = present?.split(marker)[0] ?? "";
    return `${own}${marker}\n${memories.map((memory) => `${plainIndex.line(memory)}\n`).join("")}`;
  },
};

/** A memory's file, by what matters to a test. */
export function memoryText(body: string, more: Partial<ParsedMemory> = {}): string {
  return plainFormat.format({
    path: "",
    name: "Topic",
    description: "When the topic comes up",
    type: "project",
    author: "agent",
    trust: "trusted",
    body,
    ...more,
  });
}
