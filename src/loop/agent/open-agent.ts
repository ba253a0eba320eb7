import { loadConfigSettings } from "../../engine/session-config.ts";
import { systemShell } from "../../runtime-shell.ts";
import type { Session, Settings } from "../../spec/index.ts";
import { createMcpClients, type McpClients } from "../../tools/mcp/index.ts";
import { openWorkspace } from "../../tools/permissions/index.ts";
import { createShellTasks } from "../../tools/shell/index.ts";
import { version } from "../../version.ts";
import { openSession, type SessionOptions } from "../open-session.ts";
import { createAgentNotices } from "./agent-notices.ts";
import { type AgentPlace, openAgentPlace } from "./agent-place.ts";
import { createAgentTools } from "./agent-tools.ts";
import { systemPrompt } from "./system-prompt.ts";

type SessionChoices = Omit<
  SessionOptions,
  "tools" | "moreTools" | "notices" | "system" | "places" | "onClose"
>;

export interface OpenAgentOptions extends SessionChoices {
  /** Said behind what the agent is told before everything else. */
  readonly instructions?: string;
  /** Without rules files of the user and the project. */
  readonly isRuleless?: boolean;
  /** What a person should know while it is opened. */
  readonly onWarning?: (text: string) => void;
  /** Hears the names of the tools that requests carry. */
  readonly onTools?: (names: readonly string[]) => void;
}

/**
 * A session with everything the terminal agent has: tools for files, commands and the web, MCP servers, skills, rules
 * files and hooks, as settings have them. Throws a `PalimpsestError` that says what is wrong and what to do.
 */
export async function openAgent(options: OpenAgentOptions = {}): Promise<Session> {
  const { instructions, isRuleless = false, onWarning = () => {}, onTools, ...rest } = options;
  const place = await openAgentPlace(options);
  const { runtime, cwd, disk } = place;
  const { settings } = await settingsOf(place, options.settings ?? {});
  const id = options.id ?? runtime.ids.next("ses");
  const { homeFolder, ids } = runtime;
  const additionalFolders = [...(options.additionalFolders ?? []), ...(settings.additionalFolders ?? [])];
  const { roots: workspace } = await openWorkspace({ disk, cwd, homeFolder, additionalFolders });
  const tasks = createShellTasks({ shell: systemShell, ids });
  const mcp = await connect(place, settings, onWarning);
  const close = async () => {
    await Promise.all([tasks.close(), mcp?.close()]);
  };
  const shared = { place, tasks, ...(mcp && { mcp }) };
  const tools = createAgentTools({ ...shared, settings, workspace });
  let session: Session | undefined;
  const opened = () => session as Session;
  try {
    session = await openSession({
      ...rest,
      cwd,
      home: place.home,
      id,
      ...systemOf(options),
      tools,
      ...(mcp && { moreTools: mcp.find }),
      notices: createAgentNotices({ ...shared, session: opened, isRuleless, warn: onWarning }),
      places: { readable: [place.resultsFolder], planFile: place.planFile(id) },
      onClose: close,
    });
    onTools?.(tools.filter(({ isDeferred }) => !isDeferred).map(({ name }) => name));
    return session;
  } catch (cause) {
    await close();
    throw cause;
  }
}

/** A session that is resumed keeps the words it began with, byte for byte, unless it is given others. */
function systemOf({ instructions, resume }: OpenAgentOptions): Pick<SessionOptions, "system"> {
  if (instructions) return { system: `${systemPrompt}\n\n${instructions}` };
  return resume ? {} : { system: systemPrompt };
}

async function settingsOf(place: AgentPlace, options: Settings) {
  const { disk, home, cwd: project } = place;
  const loaded = await loadConfigSettings({ files: { disk, home, project }, options });
  if (!loaded.ok) throw loaded.error;
  return loaded.value;
}

/** Servers that cannot be reached are named; the agent works without them. */
async function connect(
  { runtime, cwd }: AgentPlace,
  { mcp: servers }: Settings,
  warn: (text: string) => void,
): Promise<McpClients | undefined> {
  if (servers === undefined || Object.keys(servers).length === 0) return undefined;
  const { environment, clock } = runtime;
  const clients = createMcpClients({
    servers,
    environment,
    cwd,
    clock,
    version,
    onWarning: ({ message, fix }) => warn([message, fix].filter(Boolean).join(" ")),
  });
  const started = await clients.start();
  if (!started.ok) warn([started.error.message, started.error.fix].filter(Boolean).join(" "));
  return clients;
}
