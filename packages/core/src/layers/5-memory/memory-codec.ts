import { composeMemory } from "../../memory/compose-memory.ts";
import { parseMemory } from "../../memory/parse-memory.ts";
import type { MemoryCodec } from "./ports.ts";

/** Memories as their files have them: front matter and body. */
export const memoryCodec: MemoryCodec = {
  read(path, text) {
    const parsed = parseMemory(text, { path, version: 0, at: "", author: "agent" });
    if (!parsed.ok) return undefined;
    const { version: _version, at: _at, path: _path, ...content } = parsed.value;
    return content;
  },
  write({ name, description, type, body, ...provenance }) {
    const composed = composeMemory("memory.md", `\n${body}`, provenance, { name, description, type });
    if (!composed.ok) throw composed.error;
    return composed.value;
  },
};
