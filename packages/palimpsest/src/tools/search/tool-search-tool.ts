import { firstChars } from "@palimpsest/core/internal";
import type { Tool } from "@palimpsest/core/spec";

const defaultMatches = 5;
const maxMatches = 20;

/** All definitions of one answer together. */
const maxAnswerChars = 40_000;
const descriptionChars = 2_000;

export interface ToolSearchOptions {
  readonly deferred: () => readonly Tool[];
}

/** Finds tools that are known and were not sent. They are called through UseTool: the list of tools stays as it is. */
export function createToolSearchTool({ deferred }: ToolSearchOptions): Tool {
  return {
    name: "ToolSearch",
    description:
      "Finds tools that are not in your list, by words of their names and descriptions, or by name: “select:Name,Other”. Gives their definitions; call them with UseTool.",
    input_schema: {
      type: "object",
      properties: {
        query: { type: "string", minLength: 1, maxLength: 500, description: "Words, or select: and names." },
        max_results: {
          type: "integer",
          minimum: 1,
          maximum: maxMatches,
          description: `${defaultMatches} unless given.`,
        },
      },
      required: ["query"],
      additionalProperties: false,
    },
    isReadOnly: true,
    async run(input) {
      const { query, max_results: limit = defaultMatches } = input as {
        readonly query: string;
        readonly max_results?: number;
      };
      const tools = deferred();
      const names = tools.map(({ name }) => name);
      if (tools.length === 0) return { content: "There are no tools besides those in your list." };
      const chosen = /^\s*select:(.*)$/is.exec(query)?.[1];
      const found =
        chosen === undefined ? findByWords(query, tools).slice(0, limit) : findByNames(chosen, tools);
      if (found.length > 0) return { content: toText(found) };
      const near = nearNames(chosen ?? query, names, defaultMatches);
      const there =
        near.length > 0
          ? `Near are: ${near.join(", ")}.`
          : `There are ${names.length} tools, such as ${names.slice(0, 10).join(", ")}.`;
      return { content: `No tool fits “${firstChars(query, 200)}”. ${there}` };
    },
  };
}

function findByNames(list: string, tools: readonly Tool[]): readonly Tool[] {
  const wanted = list.split(",").map((name) => name.trim().toLowerCase());
  return tools.filter(({ name }) => wanted.includes(name.toLowerCase())).slice(0, maxMatches);
}

/** A word in the name counts more than one in the description; a word with `+` must be there. */
function findByWords(query: string, tools: readonly Tool[]): readonly Tool[] {
  const words = query
    .toLowerCase()
    .split(/[^\p{L}\p{N}+]+/u)
    .filter((word) => word.replaceAll("+", "") !== "");
  const scored = tools.map((tool) => {
    const name = tool.name.toLowerCase();
    const description = (tool.description ?? "").toLowerCase();
    const scores = words.map((word) => {
      const plain = word.replaceAll("+", "");
      const score = (name.includes(plain) ? 3 : 0) + (description.includes(plain) ? 1 : 0);
      return word.startsWith("+") && score === 0 ? Number.NEGATIVE_INFINITY : score;
    });
    return { tool, score: scores.reduce((sum, score) => sum + score, 0) };
  });
  return scored
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ tool }) => tool);
}

function toText(found: readonly Tool[]): string {
  const blocks: string[] = [];
  let chars = 0;
  for (const { name, description = "", input_schema } of found) {
    const block = JSON.stringify({
      name,
      description: firstChars(description, descriptionChars),
      input_schema,
    });
    chars += block.length;
    if (chars > maxAnswerChars && blocks.length > 0) break;
    blocks.push(firstChars(block, maxAnswerChars));
  }
  const rest = found.slice(blocks.length).map(({ name }) => name);
  const more =
    rest.length === 0 ? "" : `\nToo long to be shown as well: ${rest.join(", ")}. Select them by name.`;
  const [first] = found;
  return `Call these with UseTool, as {"name": "${first?.name}", "input": {…}}:\n${blocks.join("\n")}${more}`;
}

/** The known names that are most like this one, best first; none that has little in common with it. */
export function nearNames(name: string, known: readonly string[], limit: number): readonly string[] {
  const wanted = pairsOf(name);
  return known
    .map((candidate) => ({ candidate, likeness: similarity(wanted, pairsOf(candidate)) }))
    .filter(({ likeness }) => likeness >= 0.25)
    .sort((one, other) => other.likeness - one.likeness)
    .slice(0, limit)
    .map(({ candidate }) => candidate);
}

/** Two letters each that follow one another, case and marks aside. */
function pairsOf(name: string): ReadonlySet<string> {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "")
    .slice(0, 200);
  return new Set(Array.from({ length: Math.max(1, plain.length - 1) }, (_, at) => plain.slice(at, at + 2)));
}

function similarity(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((pair) => other.has(pair)).length;
  return (2 * shared) / (one.size + other.size);
}
