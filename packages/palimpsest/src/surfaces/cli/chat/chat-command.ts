import { createFileMaskKey, createKeyedMask, createRuntime, defaultModel } from "@palimpsest/core/internal";
import { PalimpsestError } from "@palimpsest/core/spec";
import { createNodeDisk } from "@palimpsest/core/stores/files";
import { toBareName } from "../../../loop/resolve-model.ts";
import { openWorkspace } from "../../../tools/permissions/index.ts";
import { exitWith, orThrow, UsageError } from "../../local/or-throw.ts";
import { openSessionLocations } from "../../local/sessions/session-locations.ts";
import type { CommandContext } from "../../local/terminal.ts";
import { escapeTerminal } from "../../terminal/escape-terminal.ts";
import { padText } from "../../terminal/text-width.ts";
import { loadChat } from "../../tui/load-chat.ts";
import { createPromptFile } from "../../tui/session/chat-environment.ts";
import { assignedSettings } from "../config/assigned-settings.ts";
import { projectFolder } from "../config/read-configuration.ts";
import { runDemo } from "../demo/demo-command.ts";
import { checkModel, chooseSession, foldersOf, type RunChoices, rulesOf } from "../run/run-choices.ts";
import { createDoors } from "./create-chat-environment.ts";

export interface ChatChoices
  extends Pick<
    RunChoices,
    | "resume"
    | "continue"
    | "model"
    | "fallbackModel"
    | "instructions"
    | "rules"
    | "cwd"
    | "permissionMode"
    | "allow"
    | "deny"
    | "addDir"
    | "economy"
    | "set"
  > {
  readonly screenReader?: boolean;
}

/** The terminal agent. What is wrong is said before the screen is taken. */
export async function runChatCommand(given: CommandContext, choices: ChatChoices): Promise<void> {
  const { terminal } = given;
  if (!terminal.isInteractive || !terminal.isScreen)
    throw new UsageError('chat needs a terminal; without one use: palimpsest run -p "what to do"');
  const permissions = rulesOf(choices);
  const settings = assignedSettings(choices);
  const disk = createNodeDisk();
  const { environment, homeFolder, clock, ids } = createRuntime();
  const cwd = await projectFolder(disk, given.folder, choices.cwd);
  const context = { ...given, folder: cwd };
  const additionalFolders = await foldersOf(disk, given.folder, choices.addDir ?? []);
  const chosen = await chooseSession(context, choices);
  if (!(await hasModel(context, choices, chosen?.model, environment))) exitWith("failed");
  const { roots: workspace } = await openWorkspace({ disk, cwd, homeFolder, additionalFolders });
  const locations = await openSessionLocations(context);
  const project = orThrow(await locations.currentProject());
  const prompts = createPromptFile(
    `${context.home}/projects/${project}/prompts.jsonl`,
    createKeyedMask(createFileMaskKey({ disk, path: `${context.home}/mask-key`, ids })),
  );
  const isColoured = terminal.style.red("x") !== "x";
  const doors = createDoors({
    context,
    agent: {
      permissions,
      additionalFolders,
      mode: choices.permissionMode,
      isRuleless: !choices.rules,
      ...(settings && { settings }),
      ...(choices.instructions !== undefined && { instructions: choices.instructions }),
      ...(choices.model !== undefined && { model: toBareName(choices.model) }),
      ...(choices.fallbackModel !== undefined && { fallbackModel: toBareName(choices.fallbackModel) }),
    },
    workspace,
    environment,
    prompts,
    isColoured,
  });
  const runChat = await loadChat();
  const { stdin, stdout } = process;
  const id = await runChat({
    doors,
    clock,
    stdin,
    stdout,
    style: terminal.style,
    isPlain: choices.screenReader ?? false,
    history: await prompts.read(),
    first: chosen ? { id: chosen.id } : {},
    signal: terminal.signal,
  });
  if (id === null) return;
  terminal.say("The session is kept. To continue:");
  terminal.say(`  palimpsest chat --resume ${escapeTerminal(id)}`);
}

/** Whether there is a model to talk to; says what to do where there is none. */
async function hasModel(
  context: CommandContext,
  { model, fallbackModel }: ChatChoices,
  before: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  try {
    await checkModel(model ?? before ?? defaultModel, environment);
    if (fallbackModel !== undefined) await checkModel(fallbackModel, environment);
    return true;
  } catch (cause) {
    if (!PalimpsestError.isInstance(cause) || cause.code !== "unauthenticated") throw cause;
    await showFirstRun(context, cause);
    return false;
  }
}

/** Shows a person without a model what can be done here, and how to get one; shows the demo where that is wanted. */
export async function showFirstRun(
  context: CommandContext,
  problem: PalimpsestError,
  showDemo: (context: CommandContext) => Promise<void> = (shown) => runDemo(shown, {}),
): Promise<void> {
  const { terminal } = context;
  const { bold, dim, cyan } = terminal.style;
  const row = (command: string, does: string) => `  ${cyan(padText(command, 30))} ${dim(does)}`;
  const lines = [
    bold("No model is configured yet."),
    `  ${escapeTerminal(problem.message)}`,
    "",
    bold("With a key"),
    row("export ANTHROPIC_API_KEY=…", "Claude"),
    row("export OPENAI_API_KEY=…", "then: palimpsest chat --model openai:NAME"),
    "",
    bold("With a server of your own, such as Ollama: no key, nothing leaves the machine"),
    `  ${cyan("export OPENAI_BASE_URL=http://localhost:11434/v1")}`,
    `  ${cyan("palimpsest chat --model openai:NAME")}`,
    "",
    bold("Without any of it"),
    row("palimpsest demo", "a long session played through the engine"),
    row("palimpsest emulator", "a server that acts as a model, to try this"),
    row("palimpsest sessions list", "sessions: list, show, export, repair"),
    row("palimpsest context FILE", "what fills a session's context"),
    row("palimpsest memory list", "memories: look, search, edit, undo"),
    row("palimpsest dream --scribe", "put memories in order by fixed rules"),
    "",
  ];
  for (const line of lines) terminal.say(line);
  if (await terminal.confirm("Show the demo now?")) await showDemo(context);
}
