import { defaultLayers, version } from "@palimpsest/core";
import { createCatalog } from "@palimpsest/core/catalog";
import {
  closeStoresWithSession,
  createRuntime,
  defaultModel,
  loadConfigSettings,
  type OptionNames,
  openNamedStores,
  systemShell,
  warnOfUnknownOptions,
} from "@palimpsest/core/internal";
import {
  type BackgroundWork,
  fail,
  ok,
  PalimpsestError,
  type ProjectStores,
  type Result,
  type RunOptions,
  type Session,
  type Settings,
  type SnipReport,
  type Store,
} from "@palimpsest/core/spec";
import { createMcpClients, type McpClients } from "../../tools/mcp/index.ts";
import { openWorkspace } from "../../tools/permissions/index.ts";
import { createShellTasks, type TaskSource } from "../../tools/shell/index.ts";
import { type AgentTree, createAgents } from "../agents/index.ts";
import { createAgentDream } from "../dream/create-agent-dream.ts";
import { openAgentMail } from "../mail/open-agent-mail.ts";
import { openSession, type SessionOptions, sessionOptionNames } from "../open-session.ts";
import { handOver } from "../work/create-extraction-work.ts";
import { type AgentLocation, openAgentLocation, readAgentTrust } from "./agent-location.ts";
import { createAgentNotices } from "./agent-notices.ts";
import { createAgentTools, deferredTools } from "./agent-tools.ts";
import { createExtractionGrace, type GraceOptions } from "./memory/extraction-grace.ts";
import { openAgentMemory } from "./memory/open-agent-memory.ts";
import { toSystemPrompt } from "./system-prompt.ts";
import { type IncomingMail, watchMail } from "./watch-mail.ts";

type SessionChoices = Omit<
  SessionOptions,
  "tools" | "moreTools" | "notices" | "system" | "keepsHead" | "places" | "trustPlaces" | "onClose"
>;

export interface OpenAgentOptions extends SessionChoices {
  /** Said behind what the agent is told before everything else; a session that is resumed keeps its own. */
  readonly instructions?: string;
  /** Where projects are stored, in place of files; not closed by the session. Whoever has `store` needs none. */
  readonly stores?: ProjectStores;
  /** Without rules files of the user and the project. */
  readonly isRuleless?: boolean;
  /** Warnings for a person: a server that is not there, a rules file or a skill that cannot be read. */
  readonly onWarning?: (text: string) => void;
  /** Default true: it stays open after its answers. Only then is memory put in order beside it. */
  readonly isLongLived?: boolean;
  /** The wait of `close()` for memories that are being written. */
  readonly grace?: GraceOptions;
  /** Is asked for what no rule allows an agent below the session; absent: it is denied. */
  readonly onAgentPermission?: RunOptions["onPermission"];
  /** Is given the agents below the session: what they do, what they took, and how to tell them something. */
  readonly onAgents?: (agents: AgentTree) => void;
  /** Is given the commands in the background. */
  readonly onTasks?: (tasks: TaskSource) => void;
  /** Hears of messages as they come, before the model reads them. */
  readonly onMail?: (mail: IncomingMail) => void;
  /** Hears the names of the tools that requests carry. */
  readonly onTools?: (names: readonly string[]) => void;
  /** Takes work that nobody waits for, where workers do it; absent: what the stores bring, else the agent does all of it. */
  readonly work?: BackgroundWork;
}

const {
  tools: _tools,
  moreTools: _moreTools,
  notices: _notices,
  system: _system,
  keepsHead: _keepsHead,
  places: _places,
  trustPlaces: _trustPlaces,
  onClose: _onClose,
  ...choices
} = sessionOptionNames;

const optionNames: OptionNames<OpenAgentOptions> = {
  ...choices,
  instructions: true,
  stores: true,
  isRuleless: true,
  onWarning: true,
  isLongLived: true,
  grace: true,
  onAgentPermission: true,
  onAgents: true,
  onTasks: true,
  onMail: true,
  onTools: true,
  work: true,
};

/**
 * A session with everything the terminal agent has: tools for files, commands and the web, MCP servers, skills, rules
 * files, memory and hooks, as settings have them. Throws a `PalimpsestError` that says what is wrong and what to do.
 */
export async function openAgent(options: OpenAgentOptions = {}): Promise<Session> {
  warnOfUnknownOptions("openAgent", options, optionNames, createRuntime().warn);
  const location = await openAgentLocation(options);
  try {
    return await openAt(location, options);
  } catch (cause) {
    throw location.secrets.error(cause);
  }
}

async function openAt(location: AgentLocation, options: OpenAgentOptions): Promise<Session> {
  const begun = {
    location,
    id: idOf(options, location),
    settings: await settingsOf(location, options.settings ?? {}),
  };
  if (options.store || options.stores) return openOn(options.stores, options, begun);
  const own = await openOwnStores(location, options.databaseUrl);
  try {
    return closeStoresWithSession(await openOn(own, options, begun), own);
  } catch (cause) {
    await own.close();
    throw cause;
  }
}

interface SessionStart {
  readonly location: AgentLocation;
  readonly id: string;
  readonly settings: Settings;
}

/** Everything it has opened when something fails is closed; the stores are left to whoever opened them. */
async function openOn(
  stores: ProjectStores | undefined,
  options: OpenAgentOptions,
  { location, id, settings }: SessionStart,
): Promise<Session> {
  const {
    instructions,
    stores: _stores,
    databaseUrl: _databaseUrl,
    isRuleless = false,
    onWarning = () => {},
    onTools,
    isLongLived = true,
    grace: graceOptions,
    onAgentPermission,
    onAgents,
    onTasks,
    onMail = () => {},
    work: givenWork,
    ...rest
  } = options;
  const { runtime, cwd, disk } = location;
  const warn = (text: string) => onWarning(location.secrets.text(text));
  const { homeFolder, ids } = runtime;
  const additionalFolders = [...(options.additionalFolders ?? []), ...(settings.additionalFolders ?? [])];
  const { roots: workspace } = await openWorkspace({ disk, cwd, homeFolder, additionalFolders });
  const tasks = createShellTasks({ shell: systemShell, ids });
  const mcp = createClients(location, options.readOnly ? {} : settings, warn);
  const work = givenWork ?? stores?.work;
  const dreamStore = stores?.store(location.project);
  const store = options.store ?? (dreamStore as Store);
  const isCustomTool = !knowsMemoryTool(options, settings);
  const memory = await openAgentMemory({ location, store, isCustomTool, warn });
  const closing: (() => Promise<unknown>)[] = [];
  const onClose = async () => {
    for (const close of [...closing].reverse()) await close();
    await Promise.all([tasks.close(), mcp.close(), memory.close()]);
  };
  let session: Session | null = null;
  try {
    if (options.resume && instructions)
      warn("Instructions are fixed when a session starts: this session keeps its own.");
    const hearing = watchMail(id, onMail);
    const mail = options.readOnly
      ? undefined
      : hearing.mail(await openAgentMail({ ...location, store: hearing.store(store), id, warn }));
    if (mail) closing.push(() => mail.close());
    const [trustLocations] = await Promise.all([readAgentTrust(location, workspace), connect(mcp, warn)]);
    const shared = { location, tasks, mcp };
    const deferred = deferredTools(mcp);
    const snip = (ids?: readonly string[]) => snipSession(session, ids);
    const isSnipOn = settings.flags?.snip !== false;
    const scope = { ...shared, settings, store, workspace, deferred, isRuleless, isCustomTool, warn };
    const {
      tree,
      tool,
      notices: agentNotices,
    } = await createAgents({
      ...scope,
      base: rest,
      ...(mail && { mail }),
      ...(onAgentPermission && { onPermission: onAgentPermission }),
    });
    closing.push(() => tree.close());
    onAgents?.(tree);
    onTasks?.(tasks);
    const tools = createAgentTools({
      ...shared,
      settings,
      workspace,
      memory,
      agents: { tool, tasks: tree },
      ...(mail && { mail }),
      ...(isSnipOn && { snip }),
    });
    const extraction = { kind: "extraction", project: location.project, session: id, cwd } as const;
    const grace = createExtractionGrace(location.clock, {
      ...graceOptions,
      ...(work && { handOver: () => handOver(work, extraction), leave: () => work.enqueue(extraction) }),
    });
    session = await openSession({
      ...rest,
      store,
      layers: options.layers ?? [
        ...defaultLayers(),
        memory.layer,
        ...createAgentDream({
          ...options,
          ...location,
          store: options.store ? undefined : dreamStore,
          id,
          settings,
          isLongLived,
          onWarning: warn,
          ...(work && { work }),
        }),
      ],
      trustPlaces: trustLocations,
      onEvent(event) {
        grace.see(event);
        return options.onEvent?.(event);
      },
      cwd,
      home: location.home,
      id,
      keepsHead: true,
      system: [toSystemPrompt(tools), ...(instructions ? [instructions] : [])].join("\n\n"),
      tools,
      moreTools: mcp.find,
      notices(context) {
        if (options.resume) mcp.hold([...context.handle.head().tools, ...deferred]);
        const told = { memory: memory.notices, agents: agentNotices, ...(mail && { mail: mail.source }) };
        const closes = { onClose: (close: () => Promise<unknown>) => void closing.push(close) };
        return createAgentNotices({ ...shared, deferred, isRuleless, ...told, ...closes, warn }, context);
      },
      places: {
        readable: location.readable,
        planFile: location.planFile(id),
        memoryFolder: location.memoryFolder,
      },
      onClose,
    });
    onTools?.(tools.filter(({ isDeferred }) => !isDeferred).map(({ name }) => name));
    return grace.around(session);
  } catch (cause) {
    await (session ? session.close() : onClose());
    throw cause;
  }
}

async function openOwnStores({ home, clock }: AgentLocation, databaseUrl?: string): Promise<ProjectStores> {
  const opened = await openNamedStores({ home, clock, databaseUrl });
  if (!opened.ok) throw opened.error;
  return opened.value;
}

/** Whether every model that may answer has an API that defines the memory tool. */
function knowsMemoryTool(
  { model = defaultModel, fallbackModel }: OpenAgentOptions,
  settings: Settings,
): boolean {
  const catalog = createCatalog(settings.catalog);
  return [model, fallbackModel ?? model].every(
    (one) => catalog.capabilities(typeof one === "string" ? one : one.name).value.contextManagement,
  );
}

/** The model's tool is made before the session that it shortens. */
async function snipSession(session: Session | null, ids?: readonly string[]): Promise<Result<SnipReport>> {
  if (!session) return fail("closed", "The session is not open yet.");
  try {
    return ok(await session.snip(ids));
  } catch (cause) {
    if (PalimpsestError.isInstance(cause)) return { ok: false, error: cause };
    throw cause;
  }
}

function idOf({ id, resume, readOnly }: OpenAgentOptions, { runtime }: AgentLocation): string {
  if (id === undefined && (resume || readOnly))
    throw fail("invalid-input", "No session is named.", { path: "id", fix: "Give its id." }).error;
  return id ?? runtime.ids.next("ses");
}

async function settingsOf(location: AgentLocation, options: Settings): Promise<Settings> {
  const { disk, home, cwd: project, runtime } = location;
  const { environment } = runtime;
  const loaded = await loadConfigSettings({ files: { disk, home, project }, environment, options });
  if (!loaded.ok) throw loaded.error;
  return loaded.value.settings;
}

function createClients(
  { runtime, clock, cwd }: AgentLocation,
  { mcp: servers = {} }: Settings,
  warn: (text: string) => void,
): McpClients {
  return createMcpClients({
    servers,
    environment: runtime.environment,
    cwd,
    clock,
    version,
    onWarning: ({ message, fix }) => warn([message, fix].filter(Boolean).join(" ")),
  });
}

/** Servers that cannot be reached are named; the agent works without them. */
async function connect(mcp: McpClients, warn: (text: string) => void): Promise<void> {
  const started = await mcp.start();
  if (!started.ok) warn([started.error.message, started.error.fix].filter(Boolean).join(" "));
}
