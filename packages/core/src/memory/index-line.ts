import type { Memory } from "../spec/index.ts";
import { memoryNumbers } from "./memory-numbers.ts";

/** Said of what came from untrusted content and no person has confirmed. */
const untrustedLabel = " (untrusted)";

type Listed = Pick<Memory, "path" | "name" | "description" | "trust" | "isConfirmed">;

/** A memory's line in the index, whole. */
export function toIndexLine({ path, name, description, trust, isConfirmed }: Listed): string {
  const title = name.trim().replace(/[\\[\]]/g, "\\$&");
  const target = /[\s()]/.test(path) ? `<${path}>` : path;
  const label = trust === "untrusted" && !isConfirmed ? untrustedLabel : "";
  return `- [${title}](${target}): ${description.trim()}${label}`;
}

/** By how many characters it is too long; 0 where it fits. */
export function indexLineExcess(memory: Listed): number {
  return Math.max(0, [...toIndexLine(memory)].length - (memoryNumbers.indexLineChars - 1));
}

/** The line as the index has it: a description that a person made too long is cut. */
export function toFittingIndexLine(memory: Listed): string {
  const excess = indexLineExcess(memory);
  if (excess === 0) return toIndexLine(memory);
  const characters = [...memory.description.trim()];
  const kept = characters
    .slice(0, Math.max(0, characters.length - excess - 1))
    .join("")
    .trimEnd();
  const cut = toIndexLine({ ...memory, description: `${kept}…` });
  return [...cut].slice(0, memoryNumbers.indexLineChars - 1).join("");
}

/** The file that a line of an index links to; `null` for other lines. */
export function linkedPath(line: string): string | null {
  const [, bracketed, plain] = /^[-*] \[(?:\\.|[^\]\\])*\]\((?:<([^>]*)>|([^)\s]*))\)/.exec(line) ?? [];
  return bracketed ?? plain ?? null;
}
