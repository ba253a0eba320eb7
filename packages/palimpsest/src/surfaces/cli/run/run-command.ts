import { version } from "@palimpsest/core";
import { createRuntime, defaultModel, maskSecrets } from "@palimpsest/core/internal";
import {
  type CompactionReport,
  PalimpsestError,
  type RunEnd,
  type RunEndReason,
  type Session,
  type SnipReport,
} from "@palimpsest/core/spec";
import { createNodeDisk } from "@palimpsest/core/stores/files";
import { openAgent } from "../../../loop/agent/open-agent.ts";
import { toBareName } from "../../../loop/resolve-model.ts";
import { openWorkspace } from "../../../tools/permissions/index.ts";
import { type exitCodes, exitWith, UsageError } from "../../local/or-throw.ts";
import { openSessionLocations } from "../../local/sessions/session-locations.ts";
import type { CommandContext, Terminal } from "../../local/terminal.ts";
import { escapeTerminal, toJsonLine } from "../../terminal/escape-terminal.ts";
import { formatCount, formatDollars, formatNumber, formatSeconds } from "../../terminal/format-amount.ts";
import { createStyle, type Style } from "../../terminal/style.ts";
import { strategyWords } from "../../terminal/token-words.ts";
import { interruption } from "../ask.ts";
import { assignedSettings } from "../config/assigned-settings.ts";
import { projectFolder } from "../config/read-configuration.ts";
import { reportFailure } from "../report-failure.ts";
import { followRun } from "./follow-run.ts";
import { readPrompt } from "./read-prompt.ts";
import {
  type ChosenSession,
  checkModel,
  chooseSession,
  firstSteps,
  foldersOf,
  limitsOf,
  type RunChoices,
  rulesOf,
} from "./run-choices.ts";
import { warningLine } from "./watched-output.ts";

/** Lets the agent work on one prompt. What is wrong is said before anything begins. */
export async function runRun(context: CommandContext, choices: RunChoices): Promise<void> {
  const { terminal } = context;
  const permissions = rulesOf(choices);
  const settings = assignedSettings(choices);
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
    stores: await openSessionLocations(context),
    ...(chosen && { id: chosen.id, resume: true }),
    ...models,
    ...(choices.instructions !== undefined && { instructions: choices.instructions }),
    isRuleless: !choices.rules,
    ...(settings && { settings }),
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
      if (event.type === "model-assumed" && !event.isKnownModel) warn(`${event.message} ${event.fix}`);
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
  if (terminal.isWatched) terminal.say(terminal.style.dim("Saving memories; Ctrl+C skips it."));
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

/** The first line of `--output stream-json`: which session it is, and what it has. */
async function writeSessionLine(
  session: Session,
  { cwd, tools }: { readonly cwd: string; readonly tools: readonly string[] },
  terminal: Terminal,
): Promise<void> {
  const model = await modelOf(session);
  await terminal.write(toJsonLine({ type: "session", id: session.id, model, cwd, version, tools }));
}

/** The model that the next request goes to, by the log. */
async function modelOf(session: Session): Promise<string | null> {
  let model: string | undefined;
  for await (const entry of session.entries()) {
    if (entry.kind === "session") model = entry.session.model ?? model;
    if (entry.kind === "note" && entry.note.topic === "head") model = entry.note.model ?? model;
  }
  return model ?? null;
}

/** The models to open the session with. Ends the command where one cannot be reached from here, and says what can. */
async function chooseModels(
  choices: Pick<RunChoices, "model" | "fallbackModel">,
  chosen: ChosenSession | undefined,
  environment: Readonly<Record<string, string | undefined>>,
  terminal: Terminal,
): Promise<{ readonly model?: string; readonly fallbackModel?: string }> {
  const model = choices.model && toBareName(choices.model);
  const fallbackModel = choices.fallbackModel && toBareName(choices.fallbackModel);
  try {
    await checkModel(choices.model ?? chosen?.model ?? defaultModel, environment);
    if (choices.fallbackModel !== undefined) await checkModel(choices.fallbackModel, environment);
  } catch (cause) {
    if (!PalimpsestError.isInstance(cause) || cause.code !== "unauthenticated") throw cause;
    const style = terminal.isWatched ? terminal.style : createStyle(false);
    const columns = terminal.isWatched ? terminal.columns : Number.POSITIVE_INFINITY;
    for (const line of reportFailure(cause, { style, columns }, false).lines) terminal.say(line);
    for (const line of firstSteps) terminal.say(`    ${line}`);
    exitWith("failed");
  }
  return { ...(model && { model }), ...(fallbackModel && { fallbackModel }) };
}

/** How the program ends for each way a run can. */
export const exitOf: Readonly<Record<RunEndReason, keyof typeof exitCodes>> = {
  done: "done",
  "max-turns": "failed",
  "token-budget": "failed",
  "dollar-budget": "failed",
  "day-budget": "failed",
  "time-budget": "failed",
  aborted: "interrupted",
  blocked: "blocked",
  hook: "failed",
  refusal: "failed",
  "max-output": "failed",
  error: "failed",
};

/** The lines for everybody about a run that did not come to its end, and how to go on. */
function endLines(session: string, end: RunEnd, style: Style): readonly string[] {
  const { reason, message = reason, error } = end;
  if (reason === "done") return [];
  const resumeLine = `  ${style.bold("continue:")} palimpsest run --resume ${escapeTerminal(session)} -p "…"`;
  if (reason === "aborted") return ["Interrupted. The session is kept.", resumeLine];
  const fix = error?.fix;
  return [
    `${style.red(style.bold("error:"))} ${escapeTerminal(maskSecrets(message))}`,
    ...(fix === undefined ? [] : [`  ${style.bold("fix:")} ${escapeTerminal(maskSecrets(fix))}`]),
    resumeLine,
  ];
}

/** The line at the end for a person who watches. */
function summaryLine(session: string, end: RunEnd, style: Style): string {
  const { usage, requests, dollars, durationMs, reason } = end;
  const input = usage.input + usage.cacheRead + usage.cacheCreation;
  const parts = [
    formatNumber(requests, "request"),
    `${formatCount(input)} in, ${formatCount(usage.output)} out`,
    formatDollars(dollars),
    formatSeconds(durationMs),
  ];
  const name = reason === "done" ? `\n${escapeTerminal(session)}` : "";
  return style.dim(parts.join(" · ") + name);
}

/** A command to the session itself, from a prompt that begins with a slash. */
type SessionCommand =
  | { readonly name: "compact"; readonly instructions: string }
  | { readonly name: "snip"; readonly ids: readonly string[] };

/** `null` for a prompt that is meant for the model, such as one that begins with a path. */
export function readSessionCommand(prompt: string): SessionCommand | null {
  const [, name, rest = ""] = /^\/(compact|snip)(?:\s+([\s\S]*))?$/.exec(prompt.trim()) ?? [];
  if (name === "compact") return { name, instructions: rest.trim() };
  if (name === "snip") return { name, ids: rest.split(/\s+/).filter((id) => id !== "") };
  return null;
}

function withoutSession({ name }: SessionCommand): UsageError {
  return new UsageError(`/${name} needs a session; use: palimpsest run --resume ID -p "/${name}"`);
}

/** Does it, and says what came of it: as JSON where that was asked for. No model hears of it as a prompt. */
async function runSessionCommand(
  session: Session,
  command: SessionCommand,
  { terminal, isJson }: { readonly terminal: Terminal; readonly isJson: boolean },
): Promise<void> {
  if (command.name === "compact") {
    const { instructions } = command;
    const report = await session.compact(instructions === "" ? {} : { instructions });
    await terminal.write(isJson ? toLine({ session: session.id, ...report }) : `${compactedLine(report)}\n`);
    return;
  }
  const report = await session.snip(command.ids.length === 0 ? undefined : command.ids);
  await terminal.write(isJson ? toLine({ session: session.id, ...report }) : snippedLines(report));
}

const toLine = (value: unknown) => `${JSON.stringify(value)}\n`;

function compactedLine({ strategy, tokensBefore, tokensAfter, decision }: CompactionReport): string {
  const sizes = `${formatCount(tokensBefore)} → ${formatCount(tokensAfter)} tokens`;
  return `Compacted: ${sizes}, ${strategyWords[strategy] ?? strategy}. It can be undone: ${decision}.`;
}

function snippedLines({ rounds, freedTokens, refused, decision }: SnipReport): string {
  const done =
    rounds === 0
      ? "Nothing was removed: every round is new or referred to by a later one."
      : `Removed ${formatNumber(rounds, "round")}, about ${formatNumber(freedTokens, "token")}. It can be undone: ${decision}.`;
  return [done, ...refused.map(({ id, reason }) => `  kept ${id}: ${reason}`), ""].join("\n");
}
