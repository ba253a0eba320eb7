import { isAbsolute, join, relative, sep } from "node:path";
import { parseAgent, reservedAgents } from "../../context/agents/index.ts";
import { type AgentDefinition, type Disk, fail, ok, type Result } from "../../spec/index.ts";

/** Files looked at in one folder. */
export const maxAgentFiles = 200;
export const maxAgentBytes = 100_000;

export interface AgentFolders {
  readonly disk: Disk;
  /** Folders with a file an agent, the user's first. An agent of a later one takes the place of one with its name. */
  readonly roots: readonly string[];
}

export interface LoadedAgents {
  /** By name. */
  readonly agents: readonly AgentDefinition[];
  /** What could not be read, for a person. */
  readonly warnings: readonly string[];
}

/** Reads `agents/*.md`. Nothing outside the folders is read. */
export async function loadAgents({ disk, roots }: AgentFolders): Promise<LoadedAgents> {
  const agents = new Map<string, AgentDefinition>();
  const warnings: string[] = [];
  for (const root of roots) {
    const listed = await disk.list(root);
    if (!listed.ok) {
      if (listed.error.code !== "not-found") warnings.push(listed.error.message);
      continue;
    }
    const files = listed.value.filter((name) => name.endsWith(".md") && !name.startsWith("."));
    if (files.length > maxAgentFiles)
      warnings.push(`${root} has over ${maxAgentFiles} agents; the rest is left out.`);
    for (const file of files.slice(0, maxAgentFiles)) {
      const read = await readAgent(disk, root, file);
      if (read.ok) agents.set(read.value.name, read.value);
      else warnings.push([read.error.message, read.error.fix].filter(Boolean).join(" "));
    }
  }
  return { agents: [...agents.values()].sort((one, other) => (one.name < other.name ? -1 : 1)), warnings };
}

/** The agent of a name, or what to say where there is none. */
export function findAgent(agents: readonly AgentDefinition[], name: string): Result<AgentDefinition> {
  const found = agents.find((one) => one.name === name);
  if (found) return ok(found);
  const names = [...reservedAgents, ...agents.map((one) => one.name)];
  return fail("not-found", `There is no agent ${name}.`, { fix: `There are: ${names.join(", ")}.` });
}

async function readAgent(disk: Disk, root: string, file: string): Promise<Result<AgentDefinition>> {
  const path = join(root, file);
  const [realRoot, real] = await Promise.all([disk.realPath(root), disk.realPath(path)]);
  if (!realRoot.ok) return realRoot;
  if (!real.ok) return real;
  if (!isWithin(realRoot.value, real.value))
    return fail("denied", `The agent ${path} is a link out of its folder.`, {
      path,
      fix: "Put the file itself there.",
    });
  const text = await readText(disk, real.value);
  if (!text.ok) return text;
  const { parse } = await import("yaml");
  const parseYaml = (yaml: string): unknown => parse(yaml, { maxAliasCount: 10, logLevel: "error" });
  return parseAgent({ path, text: text.value, fileName: file.slice(0, -".md".length) }, parseYaml);
}

async function readText(disk: Disk, path: string): Promise<Result<string>> {
  const opened = await disk.open(path, "read");
  if (!opened.ok) return opened;
  const into = new Uint8Array(maxAgentBytes + 1);
  const read = await opened.value.read(0, into);
  await opened.value.close();
  if (!read.ok) return read;
  if (read.value > maxAgentBytes)
    return fail("too-large", `The agent ${path} is over ${maxAgentBytes} bytes.`, {
      path,
      fix: "Shorten its prompt.",
    });
  return ok(new TextDecoder().decode(into.subarray(0, read.value)));
}

function isWithin(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
