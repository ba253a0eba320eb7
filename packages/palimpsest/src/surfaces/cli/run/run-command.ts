import { createRuntime } from "@palimpsest/core/internal";
import type { RunEnd, Session } from "@palimpsest/core/spec";
import { createNodeDisk } from "@palimpsest/core/stores/files";
import { openAgent } from "../../../loop/agent/open-agent.ts";
import { openWorkspace } from "../../../tools/permissions/index.ts";
import { interruption } from "../ask.ts";
import { projectFolder } from "../config/read-configuration.ts";
import { exitWith } from "../exit-codes.ts";
import { openSessionPlaces } from "../sessions/session-places.ts";
import { createStyle } from "../style.ts";
import type { CommandContext, Terminal } from "../terminal.ts";
import { chooseModels } from "./choose-models.ts";
import { chooseSession } from "./choose-session.ts";
import { endLines, exitOf, summaryLine } from "./end-report.ts";
import { foldersOf } from "./folders.ts";
import { followRun } from "./follow-run.ts";
import { readPrompt } from "./read-prompt.ts";
import { limitsOf, type RunChoices, rulesOf } from "./run-choices.ts";
import { readSessionCommand, runSessionCommand, withoutSession } from "./session-command.ts";
import { writeSessionLine } from "./session-line.ts";
import { warningLine } from "./watched-output.ts";

/** Lets the agent work on one prompt. What is wrong is said before anything begins. */
export async function runRun(context: CommandContext, choices: RunChoices): Promise<void> {
  const { terminal } = context;
  const permissions = rulesOf(choices);
  const disk = createNodeDisk();
  const { environment, homeFolder } = createRuntime();
  const cwd = await projectFolder(disk, context.folder, choices.cwd);
  const additionalFolders = await foldersOf(disk, context.folder, choices.addDir ?? []);
  const prompt = await readPrompt(terminal, choices.prompt);
  const chosen = await chooseSession({ ...context, folder: cwd }, choices);
  const command = readSessionCommand(prompt);
  if (command && !chosen) throw withoutSession(command);
  const models = await chooseModels(choices, chosen, environment, terminal);
  const warn = (text: string) => terminal.say(warningLine(text, terminal));
  let tools: readonly string[] = [];
  const session = await openAgent({
    cwd,
    home: context.home,
    stores: await openSessionPlaces(context),
    ...(chosen && { id: chosen.id, resume: true }),
    ...models,
    ...(choices.instructions !== undefined && { instructions: choices.instructions }),
    isRuleless: !choices.rules,
    permissions,
    mode: choices.permissionMode,
    additionalFolders,
    onWarning: warn,
    grace: { signal: terminal.signal, onWait: () => sayWaiting(terminal) },
    onTools: (names) => {
      tools = names;
    },
    onEvent: (event) => {
      if (event.type === "setting-ignored" || event.type === "value-lost") warn(event.message);
    },
    isLongLived: false,
  });
  if (command) {
    const isJson = choices.output !== "text";
    await untilClosed(session, terminal, () => runSessionCommand(session, command, { terminal, isJson }));
    return;
  }
  const { roots: workspace } = await openWorkspace({ disk, cwd, homeFolder, additionalFolders });
  const end = await untilClosed(session, terminal, async () => {
    if (terminal.signal.aborted) throw interruption();
    const isStream = choices.output === "stream-json";
    if (isStream) await writeSessionLine(session, { cwd, tools }, terminal);
    const { output } = choices;
    return followRun({ session, prompt, output, limits: limitsOf(choices), terminal, cwd, workspace });
  });
  report(session.id, end, terminal);
}

/** However it ends, the session is left in order. */
async function untilClosed<T>(
  session: Session,
  { signal }: Pick<Terminal, "signal">,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } finally {
    await session.close({ reason: signal.aborted ? "interrupted" : "done" });
  }
}

/** The answer is there and the prompt is not: people should know why, and that they need not wait. */
function sayWaiting(terminal: Terminal): void {
  if (terminal.isWatched)
    terminal.say(terminal.style.dim("Keeping what should be remembered; Ctrl+C skips it."));
}

function report(session: string, end: RunEnd, terminal: Terminal): void {
  if (end.reason === "aborted" && terminal.isClosed) throw interruption();
  const style = terminal.isWatched ? terminal.style : createStyle(false);
  // The keys that interrupted stand on the screen.
  if (end.reason === "aborted" && terminal.isWatched) terminal.say("");
  for (const line of endLines(session, end, style)) terminal.say(line);
  if (terminal.isWatched) terminal.say(summaryLine(session, end, style));
  if (end.reason !== "done") exitWith(exitOf[end.reason]);
}
