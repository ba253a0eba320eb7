import { firstChars } from "../../../view/first-chars.ts";
import type { IndexFormat, ParsedMemory } from "./memory-shapes.ts";

/** The memory with a description so short that its line in the index fits, cut between words; itself where it does. */
export function shortenDescription(
  memory: ParsedMemory,
  index: Pick<IndexFormat, "line" | "maxLineChars">,
): ParsedMemory {
  const over = index.line(memory).length - index.maxLineChars;
  if (over <= 0) return memory;
  const room = memory.description.length - over - 1;
  if (room <= 0) return memory;
  const cut = firstChars(memory.description, room);
  const words = cut.replace(/\s+\S*$/, "").trimEnd();
  return { ...memory, description: `${words || cut.trimEnd()}…` };
}
