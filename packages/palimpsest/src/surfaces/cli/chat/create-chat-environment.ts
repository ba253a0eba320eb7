import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { answerPrices, createCatalog } from "@palimpsest/core/catalog";
import { type Catalog, defaultModel, dollarsOf } from "@palimpsest/core/internal";
import { ok, type ProjectStore, type Session, type Settings } from "@palimpsest/core/spec";
import { type OpenAgentOptions, openAgent } from "../../../loop/agent/open-agent.ts";
import type { AgentTree } from "../../../loop/agents/index.ts";
import { toBareName } from "../../../loop/resolve-model.ts";
import { providerOf } from "../../../models/model-keys.ts";
import { nodeFileSystem } from "../../../tools/files/disk/node-file-system.ts";
import { walkFolder } from "../../../tools/files/walking/walk-folder.ts";
import { toRule } from "../../../tools/permissions/index.ts";
import type { TaskSource } from "../../../tools/shell/index.ts";
import { Exit, orThrow } from "../../local/or-throw.ts";
import { openSessionLocations } from "../../local/sessions/session-locations.ts";
import type { CommandContext, Terminal } from "../../local/terminal.ts";
import { escapeTerminal } from "../../terminal/escape-terminal.ts";
import { formatAge, formatCount } from "../../terminal/format-amount.ts";
import { createStyle } from "../../terminal/style.ts";
import { cutText } from "../../terminal/text-width.ts";
import type { ChatEnvironment, PanelName, PromptFile } from "../../tui/session/chat-environment.ts";
import type { ChoiceItem } from "../../tui/state/dialog.ts";
import { readConfiguration } from "../config/read-configuration.ts";
import { checkModel, chooseSession } from "../run/run-choices.ts";
import { listSessions } from "../sessions/list-command.ts";

export interface ChatEnvironmentOptions {
  /** In the folder the agent works in. */
  readonly context: CommandContext;
  readonly agent: OpenAgentOptions;
  /** Real paths of the folders the agent works in. */
  readonly workspace: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly prompts: PromptFile;
  readonly isColoured: boolean;
}

/** The world around the terminal agent: this machine's files, the project's sessions, the program's own commands. */
export function createDoors(options: ChatEnvironmentOptions): ChatEnvironment {
  const { context, agent, workspace, environment, prompts, isColoured } = options;
  const { folder: cwd } = context;
  const catalog = createCatalog();
  let store: ProjectStore | null = null;
  return {
    cwd,
    async open({ id, model, isCleared }, listener) {
      const locations = await openSessionLocations(context);
      store = locations.store(orThrow(await locations.currentProject()));
      let agents: Pick<AgentTree, "tasks" | "statuses"> = { tasks: () => [], statuses: () => [] };
      let commands: TaskSource = { tasks: () => [] };
      const session = await openAgent({
        ...agent,
        cwd,
        home: context.home,
        stores: locations,
        isInteractive: true,
        ...(id !== undefined && { id, resume: true }),
        ...(model !== undefined && { model }),
        ...(isCleared && { startSource: "clear" as const }),
        onEvent: listener.event,
        onWarning: listener.warn,
        onMail: listener.mail,
        onAgentPermission: listener.ask,
        grace: listener.grace,
        onAgents: (tree) => {
          agents = tree;
        },
        onTasks: (tasks) => {
          commands = tasks;
        },
      });
      return { session, model: await modelOf(session), background: { agents, commands } };
    },
    logPath: (session) => store?.sessions.address(session) ?? session,
    async sessions() {
      const locations = await openSessionLocations(context);
      const project = orThrow(await locations.currentProject());
      const listed = orThrow(await listSessions(locations, [project]));
      return listed
        .filter(({ parent, problem }) => parent === undefined && problem === undefined)
        .map(({ session, title, firstPrompt, modifiedAt }): ChoiceItem => {
          const age = formatAge(context.now() - Date.parse(modifiedAt));
          return {
            id: session,
            label: title ?? firstPrompt ?? "(nothing said)",
            detail: `${age}  ${session}`,
          };
        });
    },
    async findSession(named) {
      const chosen = await chooseSession(context, { resume: named });
      return chosen?.id ?? named;
    },
    async models(current) {
      const { survey } = await readConfiguration(context, undefined);
      return listModels(current, survey.settings, environment);
    },
    async checkModel(name) {
      await checkModel(name, environment);
      return toBareName(name);
    },
    files: () => listFiles(workspace[0] ?? cwd, context.terminal.signal),
    remember: (prompt) => prompts.add(prompt),
    always: (question) => toRule(question, workspace),
    panel: (name, location) => panels[name](context, { ...location, isColoured }),
    dollars: (usage, answered, asked) => dollarsOf(usage, answerPrices(catalog, answered, asked)),
  };
}

type PanelLocation = CaptureLocation & { readonly model: string };
type PanelOf = (context: CommandContext, location: PanelLocation) => Promise<readonly string[]>;

const panels: Readonly<Record<PanelName, PanelOf>> = {
  memory: (context, location) =>
    capture(context, location, async (captured) =>
      (await import("../memory/list-command.ts")).runList(captured, {}),
    ),
  config: (context, location) =>
    capture(context, location, async (captured) =>
      (await import("../config/show-command.ts")).runShow(captured, [], {}),
    ),
  dream: (context, location) =>
    capture(context, location, async (captured) =>
      (await import("../dream/dream-command.ts")).runDream(captured, { model: location.model }),
    ),
  async hooks(context, { columns }) {
    const { survey } = await readConfiguration(context, undefined);
    return hookLines(survey.settings, columns);
  },
};

/** The model that the next request goes to, by the log. */
async function modelOf(session: Session): Promise<string> {
  let model: string | undefined;
  for await (const entry of session.entries()) {
    if (entry.kind === "session") model = entry.session.model ?? model;
    if (entry.kind === "note" && entry.note.topic === "head") model = entry.note.model ?? model;
  }
  return model ?? defaultModel;
}

/** The hooks that settings name, one a line. */
function hookLines({ hooks = {} }: Pick<Settings, "hooks">, columns: number): readonly string[] {
  const lines = Object.entries(hooks).flatMap(([name, given]) =>
    [given]
      .flat()
      .map((hook) => cutText(`  ${name.padEnd(18)} ${escapeTerminal(JSON.stringify(hook))}`, columns)),
  );
  if (lines.length > 0) return lines;
  return ["  None is set. “hooks” in a settings file names them; docs/guides/hooks.md says how."];
}

const maxNames = 20_000;

/** Files below a folder that `.gitignore` does not leave out, by their paths from there. */
async function listFiles(root: string, signal: AbortSignal): Promise<readonly string[]> {
  const paths: string[] = [];
  const options = { root, showsHidden: false, obeysIgnoreFiles: true, maxNames, signal };
  await walkFolder(nodeFileSystem, options, ({ path, kind }) => {
    if (kind === "file") paths.push(relative(root, path));
    return ok("go-on");
  });
  return paths;
}

interface CaptureLocation {
  readonly columns: number;
  readonly isColoured: boolean;
  readonly signal: AbortSignal;
  /** Hears what is only shown for a moment. */
  readonly step: (text: string) => void;
}

/** Lets a command of the program run with a terminal that keeps what it writes; nobody can be asked there. */
async function capture(
  context: CommandContext,
  { columns, isColoured, signal, step }: CaptureLocation,
  run: (context: CommandContext) => Promise<void>,
): Promise<readonly string[]> {
  const written: string[] = [];
  const terminal: Terminal = {
    columns,
    style: createStyle(isColoured),
    isInteractive: false,
    isWatched: true,
    isScreen: true,
    isPiped: false,
    signal,
    isClosed: false,
    async write(part) {
      written.push(typeof part === "string" ? part : Buffer.from(part).toString("utf8"));
    },
    say: (line) => void written.push(`${line}\n`),
    progress: (line) => step(stripVTControlCharacters(line)),
    confirm: async () => false,
    ask: async () => null,
    askHidden: async () => "",
    async *input() {},
  };
  try {
    await run({ ...context, terminal });
  } catch (cause) {
    if (!(cause instanceof Exit)) throw cause;
  }
  return written.join("").replace(/\n+$/, "").split("\n");
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Rows whose id is a name but for its dots and the vendor in front; older ones have other names, or several models. */
const claudeRow = /^(?:fable|opus|sonnet|haiku)-(?:4\.[5-9]|[5-9](?:\.\d+)?)$/;
const openaiRow = /^gpt-/;

/** Models of the catalog and of settings that can be reached from here, the session's own first. */
export function listModels(
  current: string,
  { catalog: overrides }: Pick<Settings, "catalog">,
  environment: Environment,
): readonly ChoiceItem[] {
  const catalog = createCatalog(overrides);
  const own = Object.keys(overrides?.capabilities ?? {}).filter((name) => !name.includes("*"));
  const ids = catalog.capabilityRows.map(({ id }) => id);
  const claude = ids.filter((id) => claudeRow.test(id)).map((id) => `claude-${id.replaceAll(".", "-")}`);
  const openai = environment.OPENAI_BASE_URL ? [] : ids.filter((id) => openaiRow.test(id));
  const names = [defaultModel, ...own, ...claude, ...openai].filter((name) => hasKey(name, environment));
  return [...new Set([current, ...names])].map((name) => ({
    id: name,
    label: name,
    detail: detailOf(name, catalog, name === current),
  }));
}

function hasKey(name: string, environment: Environment): boolean {
  if (providerOf(name) === "anthropic") return Boolean(environment.ANTHROPIC_API_KEY?.trim());
  return Boolean(environment.OPENAI_API_KEY || environment.OPENAI_BASE_URL);
}

/** The model's window, and the price of a million tokens; nothing that is only guessed. */
function detailOf(name: string, catalog: Catalog, isCurrent: boolean): string {
  const { known, value } = catalog.capabilities(name);
  const prices = catalog.prices(name);
  return [
    ...(isCurrent ? ["answers now"] : []),
    ...(known ? [`${formatCount(value.contextWindow)} tokens`] : []),
    ...(prices.known ? [`$${prices.value.input} in, $${prices.value.output} out`] : []),
  ].join(" · ");
}
