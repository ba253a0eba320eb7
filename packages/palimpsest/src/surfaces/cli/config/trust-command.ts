import { posix } from "node:path";
import {
  confirmRules,
  createRuntime,
  listUnconfirmed,
  type RestrictedParts,
  type RestrictedSetting,
  restrictedValue,
  revokeTrust,
  type SurveyedFile,
  settingsFiles,
  surveySettings,
  toFileContent,
  trust,
  type UnconfirmedFile,
} from "@palimpsest/core/internal";
import type { Disk } from "@palimpsest/core/spec";
import { createNodeDisk } from "@palimpsest/core/stores/files";
import { loadProjectAgents, projectAgentsFolder } from "../../../loop/agents/agent-prompt.ts";
import type { RestrictedAgent } from "../../../tools/agent/index.ts";
import { exitWith, orThrow, UsageError } from "../../local/or-throw.ts";
import type { CommandContext, Terminal } from "../../local/terminal.ts";
import { escapeTerminal, toJson } from "../../terminal/escape-terminal.ts";
import { breakText } from "../../terminal/wrap-text.ts";
import { projectFolder } from "./read-configuration.ts";

export interface TrustOptions {
  readonly revoke?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly cwd?: string;
  readonly json?: boolean;
}

/**
 * Shows what a project's settings and agents want and which rules files were written while untrusted text was in view,
 * asks, and trusts what was shown and nothing that came after.
 */
export async function runTrust(context: CommandContext, options: TrustOptions): Promise<void> {
  const { terminal, home } = context;
  if (options.revoke) return runRevoke(context, options);
  const disk = createNodeDisk();
  const project = await projectFolder(disk, context.folder, options.cwd);
  const { files } = await surveySettings(disk, home, project);
  const restricted = files
    .filter(({ isOwn }) => !isOwn)
    .flatMap(({ found }) => orThrow(found)?.restricted ?? []);
  const waiting = restricted.filter(({ isTrusted }) => !isTrusted);
  const already = restricted.filter(({ isTrusted }) => isTrusted);
  const location = { ...createRuntime(), disk, home };
  const rules = orThrow(await listUnconfirmed(location, project));
  const { restricted: agents } = await loadProjectAgents({ disk, home, cwd: project });
  const waitingAgents = agents.filter(({ isTrusted }) => !isTrusted);
  const isDone = waiting.length + waitingAgents.length + rules.length > 0 && !options.dryRun;
  const isAsked = isDone && !options.yes;
  const lines = [
    ...trustLines(waiting, terminal),
    ...agentLines(waitingAgents, terminal),
    ...rulesLines(rules, terminal),
  ];
  if (isAsked) await ask(context, lines, options);
  if (isDone) {
    for (const { content } of waiting) orThrow(await trust(location, content));
    for (const { path, bytes } of waitingAgents) orThrow(await trust(location, toFileContent(path, bytes)));
    for (const file of rules) orThrow(await confirmRules(location, file));
  }
  if (options.json) {
    const settings = toDocument({
      trusted: isDone ? waiting : [],
      waiting: isDone ? [] : waiting,
      already,
    });
    const paths = rules.map(({ path }) => path);
    const confirmed = { confirmedRules: isDone ? paths : [], unconfirmedRules: isDone ? [] : paths };
    const agentPaths = waitingAgents.map(({ path }) => path);
    const allowed = { trustedAgents: isDone ? agentPaths : [], waitingAgents: isDone ? [] : agentPaths };
    return terminal.write(toJson({ ...settings, ...allowed, ...confirmed }));
  }
  const end = [
    ...sentences(waiting, already, isDone),
    ...agentSentences(agents, isDone),
    ...rulesSentences(rules, isDone),
    ...(rules.length + agents.length > 0 ? [] : nothingText(restricted, files, project)),
  ];
  await terminal.write(`${[...(isAsked ? [] : lines), ...end].join("\n")}\n`);
}

async function ask(
  { terminal }: CommandContext,
  lines: readonly string[],
  { cwd }: TrustOptions,
): Promise<void> {
  if (!terminal.isInteractive) {
    const form = `palimpsest config trust${cwd === undefined ? "" : ` --cwd ${cwd}`}`;
    throw new UsageError(
      `there is no terminal to ask on, so --yes is needed; use: ${form} --yes (or --dry-run)`,
    );
  }
  for (const line of lines) terminal.say(line);
  if (await terminal.confirm("Trust it? Scripts that it names are not shown here: read them too.")) return;
  terminal.say("Nothing was trusted.");
  exitWith("failed");
}

function sentences(
  waiting: readonly RestrictedParts[],
  already: readonly RestrictedParts[],
  isDone: boolean,
): readonly string[] {
  const name = ({ file, parts }: RestrictedParts) => `${escapeTerminal(file)} (${parts.join(", ")})`;
  return [
    ...already.map((each) => `Trusted already: ${name(each)}.`),
    ...waiting.map((each) =>
      isDone ? `Trusted, until it changes: ${name(each)}.` : `Not trusted: ${name(each)}.`,
    ),
  ];
}

function agentSentences(agents: readonly RestrictedAgent[], isDone: boolean): readonly string[] {
  return agents.map(({ path, fields, isTrusted }) => {
    const name = `${escapeTerminal(path)} (${fields.join(", ")})`;
    if (isTrusted) return `Trusted already: ${name}.`;
    return isDone ? `Trusted, until it changes: ${name}.` : `Not trusted: ${name}.`;
  });
}

function rulesSentences(rules: readonly UnconfirmedFile[], isDone: boolean): readonly string[] {
  return rules.map(({ path }) =>
    isDone
      ? `Confirmed, from the next session on: ${escapeTerminal(path)}.`
      : `Not confirmed: ${escapeTerminal(path)}.`,
  );
}

function nothingText(
  restricted: readonly RestrictedParts[],
  files: readonly SurveyedFile[],
  project: string,
): readonly string[] {
  if (restricted.length > 0) return [];
  if (files.every(({ isOwn }) => isOwn)) {
    return ["Nothing to trust: the settings files of this folder are your own."];
  }
  return [
    "Nothing to trust: no settings file of this project sets anything but rules",
    "that ask or deny, which need no trust, and no agent names a model.",
    `  looked in: ${escapeTerminal(project)}/.palimpsest`,
  ];
}

function toDocument(groups: Readonly<Record<string, readonly RestrictedParts[]>>) {
  const restrictedRow = ({ parts, settings, content }: RestrictedParts) => ({
    path: content.path,
    digest: content.digest,
    parts,
    settings,
  });
  return Object.fromEntries(Object.entries(groups).map(([name, group]) => [name, group.map(restrictedRow)]));
}

/** Takes trust back from every version of a project's settings files and agents; they need not be there any more. */
async function runRevoke(context: CommandContext, options: TrustOptions): Promise<void> {
  if (options.dryRun) {
    throw new UsageError(
      "--revoke and --dry-run exclude each other; use: palimpsest config trust [--revoke | --dry-run]",
    );
  }
  const { terminal, home, folder } = context;
  const disk = createNodeDisk();
  const project = await projectFolder(disk, folder, options.cwd);
  const files = (await settingsFiles(disk, home, project)).filter(({ isOwn }) => !isOwn);
  const paths: string[] = [];
  for (const { path } of files) paths.push(await realPathOf(disk, path));
  if (files.length > 0) paths.push(await realPathOf(disk, projectAgentsFolder(project)));
  const revoked = orThrow(await revokeTrust({ disk, home }, paths));
  if (options.json) return terminal.write(toJson({ paths, revoked }));
  const where = `${escapeTerminal(project)}/.palimpsest`;
  await terminal.write(
    revoked === 0
      ? `Nothing to revoke: no settings file and no agent was trusted in ${where}.\n`
      : `Trust revoked: what needs trust is ignored again in\n  ${where}\n`,
  );
}

/** Also of a file, or a folder, that is gone. */
async function realPathOf(disk: Disk, path: string): Promise<string> {
  const real = await disk.realPath(path);
  if (real.ok || path === "/") return real.ok ? real.value : path;
  return posix.join(await realPathOf(disk, posix.dirname(path)), posix.basename(path));
}

const numbers = "when, and with which numbers, context is cut down";

const effects: Readonly<Record<RestrictedSetting, string>> = {
  hooks: "commands that run while a session does",
  environment: "variables that programs are started with",
  mcp: "servers that are started or asked",
  "permissions.allow": "actions allowed without asking",
  additionalFolders: "folders that the agent may change besides this one",
  agents: "what agents may spend",
  budget: "what all sessions may spend in a day",
  catalog: "what models are said to cost and to hold",
  dream: "what putting memory in order may spend and remove",
  durability: "data kept when a machine fails",
  cacheTtl: "the cost of the prompt cache",
  keepWarm: "what reads may spend that keep the prompt cache warm",
  maskOwnSecrets: "whether keys of the program itself are shown",
  flags: "parts of the engine that are on or off",
  economy: "what may leave the context to save money",
  compactEnabled: "whether a full session is cut down",
  autoCompactEnabled: "whether a full session is cut down by itself",
  microcompactEnabled: "whether old results are cleared",
  sessionNotesEnabled: "whether session notes are kept",
  notesCompactionEnabled: "compaction by session notes",
  foldingEnabled: "whether finished work is folded",
  autoCompactPercent: numbers,
  autoCompactWindow: numbers,
  blockingLimit: numbers,
  window: numbers,
  toolResults: numbers,
  microcompact: numbers,
  compaction: `${numbers}; the model that is asked, and its prompt`,
  sessionNotes: `${numbers}; what notes are made of`,
  folding: numbers,
};

const indent = "    ";

const agentEffects: Readonly<Record<RestrictedAgent["fields"][number], string>> = {
  model: "the model that the agent asks, and so who is sent its work and paid for it",
  "memory: user": "the agent's memory is yours, in all projects",
  name: "takes the place of your agent of that name",
};

/** Everything that would be trusted, to the last character: nothing is cut, and nothing moves the cursor. */
function trustLines(
  files: readonly RestrictedParts[],
  { columns, style }: Pick<Terminal, "columns" | "style">,
): readonly string[] {
  return files.flatMap(({ content, parts, settings }) => [
    style.bold(escapeTerminal(content.path)),
    ...parts.flatMap((part) => [
      `  ${style.yellow(part)}: ${effects[part]}`,
      ...toJson(restrictedValue(settings, part))
        .trimEnd()
        .split("\n")
        .flatMap((line) => breakText(line, columns - indent.length).map((piece) => indent + piece)),
    ]),
    "",
  ]);
}

/** Agents as they are now, every word of them. */
function agentLines(
  agents: readonly RestrictedAgent[],
  { columns, style }: Pick<Terminal, "columns" | "style">,
): readonly string[] {
  return agents.flatMap(({ path, fields, bytes }) => [
    style.bold(escapeTerminal(path)),
    ...fields.map((field) => `  ${style.yellow(field)}: ${agentEffects[field]}`),
    ...textLines(new TextDecoder().decode(bytes), columns),
    "",
  ]);
}

/** Rules files as they are now, every word of them. */
function rulesLines(
  files: readonly UnconfirmedFile[],
  { columns, style }: Pick<Terminal, "columns" | "style">,
): readonly string[] {
  return files.flatMap(({ path, text }) => [
    style.bold(escapeTerminal(path)),
    `  ${style.yellow("rules")}: written while the agent had untrusted text before it`,
    ...textLines(text, columns),
    "",
  ]);
}

function textLines(text: string, columns: number): readonly string[] {
  return text
    .trimEnd()
    .split("\n")
    .flatMap((line) =>
      breakText(escapeTerminal(line), columns - indent.length).map((piece) => indent + piece),
    );
}
