import { defaultLayers, type SessionHandle } from "@palimpsest/core";
import { chooseTools, systemShell } from "@palimpsest/core/internal";
import type { AgentDefinition, Model, NoticeSource, Result, Session, Tool } from "@palimpsest/core/spec";
import { createShellTasks, type ShellTasks } from "../../tools/shell/index.ts";
import { createAgentNotices } from "../agent/agent-notices.ts";
import type { AgentPlace } from "../agent/agent-place.ts";
import { createAgentTools } from "../agent/agent-tools.ts";
import { readAgentTrust } from "../agent/agent-trust.ts";
import type { MailMember } from "../mail/mail-member.ts";
import { mergeRules } from "../merge-rules.ts";
import { type NoticeScene, openSession } from "../open-session.ts";
import { type OwnMemory, openOwnMemory } from "./agent-memory.ts";
import { toAgentPrompt } from "./agent-prompt.ts";
import type { Agents, AgentsOptions } from "./create-agents.ts";
import type { AgentOpening } from "./run-agent.ts";

type Shared = Pick<Agents, "tool" | "tree">;

/** What one agent has to itself. */
interface AgentParts {
  readonly place: AgentPlace;
  readonly workspace: readonly string[];
  readonly tasks: ShellTasks;
  readonly memory: OwnMemory | undefined;
  readonly member: MailMember | undefined;
}

/** The session of an agent that begins afresh: the engine, the rules and the tools of its parent, and its own log. */
export async function openFresh(
  options: AgentsOptions,
  opening: AgentOpening,
  shared: Shared,
): Promise<Session> {
  const { id, name, definition, cwd, isTrusted } = opening;
  const place: AgentPlace = { ...options.place, cwd };
  const workspace = cwd === options.place.cwd ? options.workspace : [cwd];
  const entered = orThrow(await options.mail?.enter({ id, name }));
  const tasks = createShellTasks({ shell: systemShell, ids: place.runtime.ids });
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
      { place, workspace, tasks, memory, member: entered },
      onClose,
    );
  } catch (cause) {
    await onClose();
    throw cause;
  }
}

async function openMemoryOf(
  { place, isCustomTool, warn }: AgentsOptions,
  { name: agent, memory: scope }: AgentDefinition,
  isTrusted: boolean,
): Promise<OwnMemory | undefined> {
  return scope && openOwnMemory({ place, agent, scope, isCustomTool, isTrusted, warn });
}

async function openWith(
  options: AgentsOptions,
  { id, name, parent, definition, cwd, mode, rules }: AgentOpening,
  shared: Shared,
  parts: AgentParts,
  onClose: () => Promise<void>,
): Promise<Session> {
  const { base, store, mcp, deferred, isRuleless, mail, warn } = options;
  const { place, workspace, tasks, memory, member } = parts;
  const { id: _id, resume: _resume, readOnly: _readOnly, ...rest } = base;
  const tools = toolsOf(options, definition, shared, parts);
  const canWrite = mail !== undefined && tools.includes(mail.tool);
  const told = {
    memory: memory ? memory.notices : () => [],
    agents: () => [shared.tree.noticesFor(id)],
    ...(member && { mail: ({ handle }: NoticeScene) => mailOf(member, handle) }),
  };
  return openSession({
    ...rest,
    ...(definition?.model !== undefined && { model: modelOf(base.model, definition.model) }),
    store,
    id,
    cwd,
    home: place.home,
    mode,
    permissions: mergeRules(base.permissions ?? {}, rules),
    isAgent: true,
    layers: base.layers ?? defaultLayers(),
    trustPlaces: await readAgentTrust(place, workspace),
    system: toAgentPrompt(definition, canWrite ? { name, parent } : undefined),
    tools,
    moreTools: mcp.find,
    notices: (scene) => createAgentNotices({ place, tasks, mcp, deferred, isRuleless, ...told, warn }, scene),
    places: {
      readable: place.readable,
      planFile: place.planFile(id),
      memoryFolder: memory?.folder ?? place.memoryFolder,
    },
    onClose,
  });
}

/** Those of the session, or of them those that its definition names. */
function toolsOf(
  { settings, mcp, mail, warn }: AgentsOptions,
  definition: AgentDefinition | undefined,
  { tool, tree }: Shared,
  { place, workspace, tasks, memory }: AgentParts,
): readonly Tool[] {
  const all = createAgentTools({
    place,
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
