import { join, relative, sep } from "node:path";
import { defaultLayers, openMemory, type SessionHandle } from "@palimpsest/core";
import {
  checkProjectFolder,
  chooseTools,
  createFileMaskKey,
  createFileTree,
  createMemoryMask,
  indexMarker,
  memoryPathKind,
  systemShell,
} from "@palimpsest/core/internal";
import {
  type AgentDefinition,
  type AgentMemoryScope,
  type Disk,
  type Model,
  type NoticeSource,
  ok,
  type Result,
  type Session,
  type Tool,
} from "@palimpsest/core/spec";
import { createMemoryTool, type WriteText } from "../../tools/memory/index.ts";
import { withRealPaths } from "../../tools/permissions/index.ts";
import { createShellTasks, type ShellTasks } from "../../tools/shell/index.ts";
import { type AgentLocation, readAgentTrust } from "../agent/agent-location.ts";
import { attachedTexts, createAgentNotices } from "../agent/agent-notices.ts";
import { createAgentTools } from "../agent/agent-tools.ts";
import { createIndexSource, writeJudged } from "../agent/memory/index-source.ts";
import { mergeRules } from "../create-judge.ts";
import type { MailMember } from "../mail/mail-member.ts";
import { type NoticeContext, openSession } from "../open-session.ts";
import { toAgentPrompt } from "./agent-prompt.ts";
import type { Agents, AgentsOptions } from "./create-agents.ts";
import type { AgentOpening } from "./run-agent.ts";

type SharedAgents = Pick<Agents, "tool" | "tree">;

/** The parts of one agent alone. */
interface AgentParts {
  readonly location: AgentLocation;
  readonly workspace: readonly string[];
  readonly tasks: ShellTasks;
  readonly memory: OwnMemory | undefined;
  readonly member: MailMember | undefined;
}

/** The session of an agent that begins afresh: the engine, the rules and the tools of its parent, and its own log. */
export async function openFresh(
  options: AgentsOptions,
  opening: AgentOpening,
  shared: SharedAgents,
): Promise<Session> {
  const { id, name, definition, cwd, isTrusted } = opening;
  const location: AgentLocation = { ...options.location, cwd };
  const workspace = cwd === options.location.cwd ? options.workspace : [cwd];
  const entered = orThrow(await options.mail?.enter({ id, name }));
  const tasks = createShellTasks({ shell: systemShell, ids: location.runtime.ids });
  let memory: OwnMemory | undefined;
  const onClose = async () => {
    await entered?.leave();
    await Promise.all([tasks.close(), memory?.close()]);
  };
  try {
    memory = definition && (await openMemoryOf(options, definition, isTrusted));
    return await openWith(
      options,
      opening,
      shared,
      { location, workspace, tasks, memory, member: entered },
      onClose,
    );
  } catch (cause) {
    await onClose();
    throw cause;
  }
}

async function openMemoryOf(
  { location, isCustomTool, warn }: AgentsOptions,
  { name: agent, memory: scope }: AgentDefinition,
  isTrusted: boolean,
): Promise<OwnMemory | undefined> {
  return scope && openOwnMemory({ location, agent, scope, isCustomTool, isTrusted, warn });
}

async function openWith(
  options: AgentsOptions,
  { id, name, parent, definition, cwd, mode, rules }: AgentOpening,
  shared: SharedAgents,
  parts: AgentParts,
  onClose: () => Promise<void>,
): Promise<Session> {
  const { base, store, mcp, deferred, isRuleless, mail, warn } = options;
  const { location, workspace, tasks, memory, member } = parts;
  const { id: _id, resume: _resume, readOnly: _readOnly, ...rest } = base;
  const tools = toolsOf(options, definition, shared, parts);
  const canWrite = mail !== undefined && tools.includes(mail.tool);
  const told = {
    memory: memory ? memory.notices : () => [],
    agents: () => [shared.tree.noticesFor(id)],
    ...(member && { mail: ({ handle }: NoticeContext) => mailOf(member, handle) }),
  };
  return openSession({
    ...rest,
    ...(definition?.model !== undefined && { model: modelOf(base.model, definition.model) }),
    store,
    id,
    cwd,
    home: location.home,
    mode,
    permissions: mergeRules(base.permissions ?? {}, rules),
    isAgent: true,
    layers: base.layers ?? defaultLayers(),
    trustPlaces: await readAgentTrust(location, workspace),
    system: toAgentPrompt(definition, canWrite ? { name, parent } : undefined),
    tools,
    moreTools: mcp.find,
    notices: (context) =>
      createAgentNotices({ location, tasks, mcp, deferred, isRuleless, ...told, warn }, context),
    places: {
      readable: location.readable,
      planFile: location.planFile(id),
      memoryFolder: memory?.folder ?? location.memoryFolder,
    },
    onClose,
  });
}

/** Those of the session, or of them those that its definition names. */
function toolsOf(
  { settings, mcp, mail, warn }: AgentsOptions,
  definition: AgentDefinition | undefined,
  { tool, tree }: SharedAgents,
  { location, workspace, tasks, memory }: AgentParts,
): readonly Tool[] {
  const all = createAgentTools({
    location,
    settings,
    tasks,
    mcp,
    workspace,
    agents: { tool, tasks: tree },
    ...(mail && { mail }),
    ...(memory && { memory: { tool: memory.tool, recall: {} } }),
  });
  const wanted = definition?.tools && [...definition.tools, ...(memory ? [memory.tool.name] : [])];
  const { tools, unknown } = chooseTools(all, wanted);
  if (unknown.length > 0)
    warn(`The agent ${definition?.name} names tools that are not there: ${unknown.join(", ")}.`);
  return tools;
}

/** The session's own model where it has that name, or another at its address; a name is looked up as any other. */
function modelOf(model: Model | string | undefined, name: string): Model | string {
  if (typeof model !== "object") return name;
  return model.name === name ? model : (model.sibling?.(name) ?? name);
}

function mailOf(member: MailMember, handle: SessionHandle): NoticeSource {
  return member.source({ entries: () => handle.session.entries(), view: handle.view });
}

function orThrow<T>(result: Result<T> | undefined): T | undefined {
  if (result && !result.ok) throw result.error;
  return result?.value;
}

interface AgentMemoryRequest {
  readonly location: AgentLocation;
  readonly agent: string;
  readonly scope: AgentMemoryScope;
  readonly isCustomTool: boolean;
  /** Whether everything in view of the prompt's writer was trusted. */
  readonly isTrusted: boolean;
  readonly warn: (text: string) => void;
}

/** The memory of one kind of agent. */
interface OwnMemory {
  readonly tool: Tool;
  /** A real path. */
  readonly folder: string;
  notices(context: NoticeContext): readonly NoticeSource[];
  close(): Promise<void>;
}

/** Where the memory of a kind of agent is. */
function agentMemoryFolder(
  { home, cwd }: Pick<AgentLocation, "home" | "cwd">,
  scope: AgentMemoryScope,
  agent: string,
): string {
  if (scope === "user") return join(home, "agent-memory", agent);
  return join(cwd, ".palimpsest", scope === "project" ? "agent-memory" : "agent-memory-local", agent);
}

/** Paths git should not see: all of a checkout's own memory, and of the shared one what only this machine needs. */
const ignored: Readonly<Record<AgentMemoryScope, string | undefined>> = {
  user: undefined,
  project: ".history/\n.palimpsest/\nquarantine/\n.gitignore\n",
  local: "*\n",
};

/** Opens what a kind of agent remembers. Throws where its folder cannot be made. */
async function openOwnMemory(request: AgentMemoryRequest): Promise<OwnMemory> {
  const { location, agent, scope, isCustomTool, isTrusted, warn } = request;
  const { clock, disk } = location;
  const { ids } = location.runtime;
  const dir = agentMemoryFolder(location, scope, agent);
  if (scope !== "user") {
    const [first = "", ...rest] = relative(location.cwd, dir).split(sep);
    const confined = await checkProjectFolder(disk, location.home, location.cwd, [first, ...rest]);
    if (!confined.ok) throw confined.error;
  }
  const ready = await makeFolder(disk, dir, ignored[scope]);
  if (!ready.ok) throw ready.error;
  const [{ realPath } = { realPath: null }] = await withRealPaths(disk, [
    { kind: "path", value: dir, access: "write" },
  ]);
  const { mask } = createMemoryMask(createFileMaskKey({ disk, path: join(location.home, "mask-key"), ids }));
  const folder = await openMemory({
    dir,
    clock,
    ids,
    maskSecrets: mask,
    onProblem: ({ message }) => warn(`Memory of ${agent}: ${message}`),
  });
  const write: WriteText = async ({ path, text, session, source, expect, view }) => {
    const taint = view?.().taint ?? { trust: "untrusted" as const, because: [] };
    const trust = isTrusted ? taint.trust : "untrusted";
    const evidence = { taint, userMessages: [] };
    const by = { author: "agent", session, source, expect, trust, evidence } as const;
    const written = await writeJudged(folder, path, text, by);
    if (!written.ok) return written;
    const { version, quarantined } = written.value;
    return ok({ version: version.version, ...(quarantined !== undefined && { quarantined }) });
  };
  return {
    folder: realPath ?? dir,
    tool: createMemoryTool({
      tree: createFileTree({ disk, folder: dir, clock, ids, durable: true }),
      indexMarker,
      folder: realPath ?? dir,
      isCustom: isCustomTool,
      write,
      refusePath: (path) =>
        memoryPathKind(path) === "memory"
          ? undefined
          : "memories are files that end with .md, such as /memories/topic.md.",
      onMove: async () => void (await folder.reindex()),
    }),
    notices: ({ handle }) => [
      createIndexSource({ folder, told: () => attachedTexts(handle.view(), "memory") }),
    ],
    close: () => folder.close(),
  };
}

async function makeFolder(disk: Disk, dir: string, ignore: string | undefined): Promise<Result<void>> {
  const made = await disk.makeDirectory(dir);
  if (!made.ok || ignore === undefined) return made;
  const created = await disk.open(join(dir, ".gitignore"), "create");
  if (!created.ok) return created.error.code === "exists" ? ok() : created;
  const written = await created.value.append(new TextEncoder().encode(ignore));
  await created.value.close();
  return written;
}
