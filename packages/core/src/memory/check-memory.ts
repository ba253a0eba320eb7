import type { MemoryType } from "../spec/index.ts";

export const memoryTypes: readonly MemoryType[] = ["user", "feedback", "project", "reference"];

/** Controls, line ends, and marks that cannot be seen; the joiners that scripts and emoji need stay. */
const notOnOneLine = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

export interface MemoryFields {
  readonly name: string;
  readonly description: string;
  readonly type: string;
  readonly body: string;
}

/** What keeps a text from being a memory, each with what to do; none for a good one. */
export function memoryProblems({ name, description, type, body }: MemoryFields): readonly string[] {
  return [
    ...lineProblems("name", name, "what it is about, in a few words"),
    ...lineProblems("description", description, "when it matters, in one line"),
    ...(isMemoryType(type) ? [] : [`type is ${quoted(type)}: make it ${memoryTypes.join(", ")}`]),
    ...(body.trim() === "" ? ["it says nothing: write what is to be remembered below the front matter"] : []),
    ...missingParts(type, body).map((part) => `it lacks **${part}:**: add a paragraph that begins so`),
  ];
}

export function isMemoryType(type: string): type is MemoryType {
  return (memoryTypes as readonly string[]).includes(type);
}

function lineProblems(field: string, value: string, say: string): readonly string[] {
  if (value.trim() === "") return [`${field} is missing: say ${say}`];
  return notOnOneLine.test(value) ? [`${field} has line ends or invisible characters: leave them out`] : [];
}

const parts = [
  ["Why", /^[ \t>*-]*\*\*Why\b[^*\n]*\*\*/im],
  ["How to apply", /^[ \t>*-]*\*\*How to apply\b[^*\n]*\*\*/im],
] as const;

/** How somebody wants to work and what was decided are of use only with their reason and their use. */
function missingParts(type: string, body: string): readonly string[] {
  if (type !== "feedback" && type !== "project") return [];
  return parts.filter(([, pattern]) => !pattern.test(body)).map(([part]) => part);
}

function quoted(text: string): string {
  return text === "" ? "missing" : `“${text.slice(0, 40)}”`;
}
