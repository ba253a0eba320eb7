import {
  confirmRules,
  createRuntime,
  listUnconfirmed,
  type RestrictedParts,
  type SurveyedFile,
  surveySettings,
  toFileContent,
  trust,
  type UnconfirmedFile,
} from "@palimpsest/core/internal";
import { createNodeDisk } from "@palimpsest/core/stores/files";
import { loadProjectAgents } from "../../../loop/agents/project-agents.ts";
import type { RestrictedAgent } from "../../../tools/agent/index.ts";
import { exitWith } from "../exit-codes.ts";
import { toHarmless, toJson } from "../harmless.ts";
import { orThrow } from "../or-throw.ts";
import type { CommandContext } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { projectFolder } from "./read-configuration.ts";
import { runRevoke } from "./revoke-command.ts";
import { agentLines, rulesLines, trustLines } from "./trust-lines.ts";

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
  const place = { ...createRuntime(), disk, home };
  const rules = orThrow(await listUnconfirmed(place, project));
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
    for (const { content } of waiting) orThrow(await trust(place, content));
    for (const { path, bytes } of waitingAgents) orThrow(await trust(place, toFileContent(path, bytes)));
    for (const file of rules) orThrow(await confirmRules(place, file));
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
    throw new UsageError(`nobody can be asked here, so --yes is needed; use: ${form} --yes (or --dry-run)`);
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
  const name = ({ file, parts }: RestrictedParts) => `${toHarmless(file)} (${parts.join(", ")})`;
  return [
    ...already.map((each) => `Trusted already: ${name(each)}.`),
    ...waiting.map((each) =>
      isDone ? `Trusted, until it changes: ${name(each)}.` : `Not trusted: ${name(each)}.`,
    ),
  ];
}

function agentSentences(agents: readonly RestrictedAgent[], isDone: boolean): readonly string[] {
  return agents.map(({ path, fields, isTrusted }) => {
    const name = `${toHarmless(path)} (${fields.join(", ")})`;
    if (isTrusted) return `Trusted already: ${name}.`;
    return isDone ? `Trusted, until it changes: ${name}.` : `Not trusted: ${name}.`;
  });
}

function rulesSentences(rules: readonly UnconfirmedFile[], isDone: boolean): readonly string[] {
  return rules.map(({ path }) =>
    isDone
      ? `Confirmed, from the next session on: ${toHarmless(path)}.`
      : `Not confirmed: ${toHarmless(path)}.`,
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
    `  looked in: ${toHarmless(project)}/.palimpsest`,
  ];
}

function toDocument(groups: Readonly<Record<string, readonly RestrictedParts[]>>) {
  const toRecord = ({ parts, settings, content }: RestrictedParts) => ({
    path: content.path,
    digest: content.digest,
    parts,
    settings,
  });
  return Object.fromEntries(Object.entries(groups).map(([name, group]) => [name, group.map(toRecord)]));
}
