import { isAbsolute, join, relative, sep } from "node:path";
import { parseAgent, reservedAgents } from "@palimpsest/core/internal";
import { type AgentDefinition, type Disk, fail, ok, type Result } from "@palimpsest/core/spec";

/** Files looked at in one folder. */
export const maxAgentFiles = 200;
export const maxAgentBytes = 100_000;

/** A folder with a file an agent. */
export interface AgentFolder {
  readonly path: string;
  /** Whether somebody trusts the file at this real path as it is, byte for byte; absent: the folder is the user's own. */
  readonly isTrusted?: (path: string, bytes: Uint8Array) => Promise<boolean>;
}

export interface AgentFolders {
  readonly disk: Disk;
  /** The user's first. An agent of a later one takes the place of one with its name. */
  readonly roots: readonly AgentFolder[];
}

/** Fields of a project's agent that could spend, route, or reach what is the user's. */
export type RestrictedField = "model" | "memory: user" | "name";

/** A project's agent with something that needs a person's trust. */
export interface RestrictedAgent {
  /** Its real path. */
  readonly path: string;
  /** `name`: an agent of the user's is called so. */
  readonly fields: readonly RestrictedField[];
  readonly bytes: Uint8Array;
  readonly isTrusted: boolean;
}

export interface LoadedAgents {
  /** By name. */
  readonly agents: readonly AgentDefinition[];
  /** Files that could not be read, for a person. */
  readonly warnings: readonly string[];
  readonly restricted: readonly RestrictedAgent[];
}

/**
 * Reads `agents/*.md`. Nothing outside the folders is read. An agent of a project that is not trusted has the session's
 * model, no memory of the user's, and takes the place of none of the user's.
 */
export async function loadAgents({ disk, roots }: AgentFolders): Promise<LoadedAgents> {
  const agents = new Map<string, AgentDefinition>();
  const own = new Set<string>();
  const restricted: RestrictedAgent[] = [];
  const warnings: string[] = [];
  for (const { path: root, isTrusted } of roots) {
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
      if (!read.ok) {
        warnings.push([read.error.message, read.error.fix].filter(Boolean).join(" "));
        continue;
      }
      const { definition, path, bytes } = read.value;
      if (isTrusted === undefined) own.add(definition.name);
      const fields = isTrusted ? restrictedFields(definition, own) : [];
      const isWhole = fields.length === 0 || (await isTrusted?.(path, bytes)) === true;
      if (fields.length > 0) restricted.push({ path, fields, bytes, isTrusted: isWhole });
      if (isWhole) agents.set(definition.name, definition);
      else if (!fields.includes("name")) agents.set(definition.name, withoutRestricted(definition));
    }
  }
  const sorted = [...agents.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  return { agents: sorted, warnings, restricted };
}

function restrictedFields(
  { name, model, memory }: AgentDefinition,
  own: ReadonlySet<string>,
): readonly RestrictedField[] {
  return [
    ...(model === undefined ? [] : (["model"] as const)),
    ...(memory === "user" ? (["memory: user"] as const) : []),
    ...(own.has(name) ? (["name"] as const) : []),
  ];
}

function withoutRestricted({ model: _model, memory, ...rest }: AgentDefinition): AgentDefinition {
  return memory === undefined || memory === "user" ? rest : { ...rest, memory };
}

/** The agent of a name, or what to say where there is none. */
export function findAgent(agents: readonly AgentDefinition[], name: string): Result<AgentDefinition> {
  const found = agents.find((one) => one.name === name);
  if (found) return ok(found);
  const names = [...reservedAgents, ...agents.map((one) => one.name)];
  return fail("not-found", `There is no agent ${name}.`, { fix: `There are: ${names.join(", ")}.` });
}

interface ReadAgent {
  readonly definition: AgentDefinition;
  /** Its real path. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

async function readAgent(disk: Disk, root: string, file: string): Promise<Result<ReadAgent>> {
  const path = join(root, file);
  const [realRoot, real] = await Promise.all([disk.realPath(root), disk.realPath(path)]);
  if (!realRoot.ok) return realRoot;
  if (!real.ok) return real;
  if (!isWithin(realRoot.value, real.value))
    return fail("denied", `The agent ${path} is a link out of its folder.`, {
      path,
      fix: "Put the file itself there.",
    });
  const bytes = await readBytes(disk, real.value);
  if (!bytes.ok) return bytes;
  const { parse } = await import("yaml");
  const parseYaml = (yaml: string): unknown => parse(yaml, { maxAliasCount: 10, logLevel: "error" });
  const text = new TextDecoder().decode(bytes.value);
  const parsed = parseAgent({ path, text, fileName: file.slice(0, -".md".length) }, parseYaml);
  return parsed.ok ? ok({ definition: parsed.value, path: real.value, bytes: bytes.value }) : parsed;
}

async function readBytes(disk: Disk, path: string): Promise<Result<Uint8Array>> {
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
  return ok(into.subarray(0, read.value));
}

function isWithin(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
