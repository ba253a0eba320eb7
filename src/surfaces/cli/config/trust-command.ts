import {
  type RestrictedParts,
  type SurveyedFile,
  surveySettings,
  trust,
} from "../../../engine/settings/index.ts";
import { createRuntime } from "../../../runtime.ts";
import { createNodeDisk } from "../../../stores/files/index.ts";
import { exitWith } from "../exit-codes.ts";
import { toHarmless, toJson } from "../harmless.ts";
import { orThrow } from "../or-throw.ts";
import type { CommandContext } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { projectFolder } from "./read-configuration.ts";
import { runRevoke } from "./revoke-command.ts";
import { trustLines } from "./trust-lines.ts";

export interface TrustOptions {
  readonly revoke?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly cwd?: string;
  readonly json?: boolean;
}

/** Shows what a project's files want, asks, and trusts what was shown and nothing that came after. */
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
  const isDone = waiting.length > 0 && !options.dryRun;
  const isAsked = isDone && !options.yes;
  if (isAsked) await ask(context, waiting, options);
  if (isDone) {
    const place = { ...createRuntime(), disk, home };
    for (const { content } of waiting) orThrow(await trust(place, content));
  }
  if (options.json) {
    const trusted = isDone ? waiting : [];
    return terminal.write(toJson(toDocument({ trusted, waiting: isDone ? [] : waiting, already })));
  }
  const seen = isAsked ? [] : trustLines(waiting, terminal);
  const end = [...sentences(waiting, already, isDone), ...nothingText(restricted, files, project)];
  await terminal.write(`${[...seen, ...end].join("\n")}\n`);
}

async function ask(
  { terminal }: CommandContext,
  waiting: readonly RestrictedParts[],
  { cwd }: TrustOptions,
): Promise<void> {
  if (!terminal.isInteractive) {
    const form = `palimpsest config trust${cwd === undefined ? "" : ` --cwd ${cwd}`}`;
    throw new UsageError(`nobody can be asked here, so --yes is needed; use: ${form} --yes (or --dry-run)`);
  }
  for (const line of trustLines(waiting, terminal)) terminal.say(line);
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
    "Nothing to trust: no settings file of this project sets hooks, upstream,",
    "environment, mcp, permissions.allow or additionalFolders. The rest of a",
    "project's settings needs no trust.",
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
