import { answerPrices, createCatalog } from "@palimpsest/core/catalog";
import { defaultModel, dollarsOf } from "@palimpsest/core/internal";
import type { ProjectStore, Session } from "@palimpsest/core/spec";
import { type OpenAgentOptions, openAgent } from "../../../loop/agent/open-agent.ts";
import type { AgentTree } from "../../../loop/agents/index.ts";
import { toBareName } from "../../../loop/resolve-model.ts";
import { toRule } from "../../../tools/permissions/index.ts";
import type { TaskSource } from "../../../tools/shell/index.ts";
import { readConfiguration } from "../../cli/config/read-configuration.ts";
import { formatAge } from "../../cli/format-time.ts";
import { orThrow } from "../../cli/or-throw.ts";
import { checkModel } from "../../cli/run/check-model.ts";
import { chooseSession } from "../../cli/run/choose-session.ts";
import { listSessions } from "../../cli/sessions/list-sessions.ts";
import { openSessionPlaces } from "../../cli/sessions/session-places.ts";
import type { CommandContext } from "../../cli/terminal.ts";
import type { ChoiceItem } from "../state/dialog.ts";
import { type CapturePlace, capture } from "./capture.ts";
import type { ChatDoors, PanelName } from "./chat-doors.ts";
import { hookLines } from "./hook-lines.ts";
import { listFiles } from "./list-files.ts";
import { listModels } from "./list-models.ts";
import type { PromptFile } from "./prompt-file.ts";

export interface DoorsOptions {
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
export function createDoors(options: DoorsOptions): ChatDoors {
  const { context, agent, workspace, environment, prompts, isColoured } = options;
  const { folder: cwd } = context;
  const catalog = createCatalog();
  let store: ProjectStore | null = null;
  return {
    cwd,
    async open({ id, model, isCleared }, listener) {
      const places = await openSessionPlaces(context);
      store = places.store(orThrow(await places.currentProject()));
      let agents: Pick<AgentTree, "tasks" | "statuses"> = { tasks: () => [], statuses: () => [] };
      let commands: TaskSource = { tasks: () => [] };
      const session = await openAgent({
        ...agent,
        cwd,
        home: context.home,
        stores: places,
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
      const places = await openSessionPlaces(context);
      const project = orThrow(await places.currentProject());
      const listed = orThrow(await listSessions(places, [project]));
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
    panel: (name, place) => panels[name](context, { ...place, isColoured }),
    dollars: (usage, answered, asked) => dollarsOf(usage, answerPrices(catalog, answered, asked)),
  };
}

type PanelPlace = CapturePlace & { readonly model: string };
type PanelOf = (context: CommandContext, place: PanelPlace) => Promise<readonly string[]>;

const panels: Readonly<Record<PanelName, PanelOf>> = {
  memory: (context, place) =>
    capture(context, place, async (captured) =>
      (await import("../../cli/memory/list-command.ts")).runList(captured, {}),
    ),
  config: (context, place) =>
    capture(context, place, async (captured) =>
      (await import("../../cli/config/show-command.ts")).runShow(captured, [], {}),
    ),
  dream: (context, place) =>
    capture(context, place, async (captured) =>
      (await import("../../cli/dream/dream-command.ts")).runDream(captured, { model: place.model }),
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
