import { toolsOfPeople } from "../../../catalog/known-tools.ts";
import { type AgentDefinition, type AgentMemoryScope, fail, ok, type Result } from "../../../spec/index.ts";

const maxFrontMatterChars = 10_000;
const frontMatter = /^\ufeff?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;
const goodName = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
const scopes: readonly string[] = ["user", "project", "local"] satisfies readonly AgentMemoryScope[];

/** Names that mean something else already. */
export const reservedAgents: readonly string[] = ["fork", "general"];

interface AgentFile {
  readonly path: string;
  readonly text: string;
  /** The file's name without its ending: what the agent is called where it does not say. */
  readonly fileName: string;
}

/** Reads a definition. `parseYaml` may throw. */
export function parseAgent(
  { path, text, fileName }: AgentFile,
  parseYaml: (text: string) => unknown,
): Result<AgentDefinition> {
  const wrong = (what: string, cause?: unknown) =>
    fail("invalid-input", `The agent ${path} ${what}`, {
      path,
      fix: "Begin it with ---, a line name: …, a line description: …, and ---; its prompt stands behind.",
      cause,
    });
  const [head = "", yaml] = frontMatter.exec(text) ?? [];
  if (yaml === undefined || yaml.length > maxFrontMatterChars) return wrong("has no front matter.");
  let fields: unknown;
  try {
    fields = parseYaml(yaml);
  } catch (cause) {
    return wrong("has front matter that is not YAML.", cause);
  }
  if (typeof fields !== "object" || fields === null || Array.isArray(fields))
    return wrong("has front matter without fields.");
  const { name = fileName, description, tools, model, memory } = fields as Readonly<Record<string, unknown>>;
  if (typeof name !== "string" || !goodName.test(name))
    return wrong("has a name with other characters than letters, digits, “.”, “_” and “-”.");
  if (reservedAgents.includes(name)) return wrong(`is called ${name}, which means something else.`);
  if (typeof description !== "string" || description.trim() === "") return wrong("has no description.");
  const listed = toolNames(tools);
  if (listed === null) return wrong("has tools that are no list of names.");
  if (model !== undefined && (typeof model !== "string" || model.trim() === ""))
    return wrong("has a model that is no name.");
  if (memory !== undefined && !scopes.includes(memory as string))
    return wrong(`has a memory scope that is none of ${scopes.join(", ")}.`);
  const prompt = text.slice(head.length).trim();
  if (prompt === "") return wrong("has no prompt.");
  return ok({
    name,
    description: description.replace(/\s+/g, " ").trim(),
    ...(listed && { tools: listed }),
    ...(model !== undefined && { model: (model as string).trim() }),
    ...(memory !== undefined && { memory: memory as AgentMemoryScope }),
    prompt,
    path,
  });
}

/** `undefined`: not said. `null`: not to be understood. */
function toolNames(tools: unknown): readonly string[] | undefined | null {
  if (tools === undefined || tools === null || tools === "*") return undefined;
  const list = typeof tools === "string" ? tools.split(",") : tools;
  if (!Array.isArray(list) || !list.every((one) => typeof one === "string")) return null;
  const names = list.map((one: string) => one.trim()).filter((one) => one !== "");
  return [...new Set(names)];
}

/** A tool as far as choosing goes. */
interface NamedTool {
  readonly name: string;
}

interface ChosenTools<Tool extends NamedTool> {
  readonly tools: readonly Tool[];
  /** Names that no tool has. */
  readonly unknown: readonly string[];
}

/**
 * The tools of an agent in the session's order, without those that need a person; `wanted` absent: all of them. A name
 * may end with `*`.
 */
export function chooseTools<Tool extends NamedTool>(
  all: readonly Tool[],
  wanted: readonly string[] | undefined,
): ChosenTools<Tool> {
  const usable = all.filter(({ name }) => !toolsOfPeople.includes(name));
  if (wanted === undefined) return { tools: usable, unknown: [] };
  const fits = (name: string, pattern: string) =>
    pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
  return {
    tools: usable.filter(({ name }) => wanted.some((pattern) => fits(name, pattern))),
    unknown: wanted.filter((pattern) => !all.some(({ name }) => fits(name, pattern))),
  };
}
