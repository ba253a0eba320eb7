import { createRedaction, findSecret } from "@palimpsest/core/internal";
import { ok, type Redaction, type SecretSurvey } from "@palimpsest/core/spec";
import { exitWith } from "../exit-codes.ts";
import { toJson } from "../harmless.ts";
import { orThrow } from "../or-throw.ts";
import type { CommandContext } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { type FoundSession, findSession } from "./find-session.ts";
import { type RedactionOutcome, redactionLines, redactionRecord } from "./redaction-lines.ts";
import { readSecret } from "./secret-input.ts";
import { openSessionPlaces, type SessionPlaces } from "./session-places.ts";

export interface RedactOptions {
  readonly secretFile?: string;
  readonly replacement: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly takeOver?: boolean;
  readonly project?: string;
  readonly json?: boolean;
}

export async function runRedact(
  context: CommandContext,
  named: string,
  options: RedactOptions,
): Promise<void> {
  const { terminal } = context;
  requireConsent(context, named, options);
  const places = await openSessionPlaces(context);
  const found = orThrow(await findSession(places, named, options.project));
  const redaction = orThrow(
    createRedaction(await readSecret(context, options.secretFile), options.replacement),
  );
  terminal.progress("searching");
  const surveys = await surveyAll(found, redaction, terminal.signal);
  const isFound = surveys.some(({ isClean }) => !isClean) || (await hasUnfinished(found));
  const plan = { session: found.session, surveys, isDone: false };
  if (options.dryRun || !isFound) {
    const elsewhere = await holdersElsewhere(places, found, redaction, terminal.signal);
    return answer(context, { ...plan, elsewhere }, options);
  }
  if (!options.yes) {
    for (const line of redactionLines({ ...plan, elsewhere: [] }, terminal.style)) terminal.say(line);
    if (!(await terminal.confirm("Take it out? The old text cannot be brought back."))) {
      terminal.say("Nothing was changed.");
      exitWith("failed");
    }
  }
  const done: SecretSurvey[] = [];
  const { takeOver } = options;
  for (const { session } of surveys) {
    done.push(
      orThrow(await found.store.upkeep.redact(session, redaction, { takeOver, signal: terminal.signal })),
    );
  }
  const elsewhere = await holdersElsewhere(places, found, redaction, terminal.signal);
  await answer(context, { session: found.session, surveys: done, isDone: true, elsewhere }, options);
}

function requireConsent({ terminal }: CommandContext, named: string, options: RedactOptions): void {
  if (options.yes || options.dryRun) return;
  const form = `palimpsest sessions redact ${named} --secret-file ${options.secretFile ?? "FILE"} --yes (or --dry-run)`;
  if (options.secretFile === "-") {
    throw new UsageError(`the secret comes from standard input, so nobody can be asked; use: ${form}`);
  }
  if (!terminal.isInteractive)
    throw new UsageError(`nobody can be asked here, so --yes is needed; use: ${form}`);
}

/** The agents inside a session first, the session itself last. */
async function surveyAll(
  { session, store }: FoundSession,
  redaction: Redaction,
  signal: AbortSignal,
): Promise<readonly SecretSurvey[]> {
  const agents = orThrow(await store.sessions.agentsOf(session));
  const surveys: SecretSurvey[] = [];
  for (const one of [...agents, session])
    surveys.push(orThrow(await store.upkeep.survey(one, redaction, signal)));
  return surveys;
}

async function hasUnfinished({ session, store }: FoundSession): Promise<boolean> {
  const redactions = orThrow(await store.upkeep.redactions(session));
  return redactions.some(({ finished }) => !finished);
}

/** What holds the secret and is not this session's: in the store, and in files of this machine beside it. */
async function holdersElsewhere(
  places: SessionPlaces,
  { project, session }: FoundSession,
  redaction: Redaction,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const stored = orThrow(await places.findSecret(redaction, { except: { project, session }, signal }));
  const local =
    places.kind === "files" ? ok([]) : await findSecret(places.disk, places.home, redaction.needles, signal);
  return [...stored, ...orThrow(local)];
}

async function answer(
  { terminal }: CommandContext,
  outcome: RedactionOutcome,
  options: RedactOptions,
): Promise<void> {
  if (options.json) return terminal.write(toJson(redactionRecord(outcome, options.dryRun ?? false)));
  await terminal.write(`${redactionLines(outcome, terminal.style).join("\n")}\n`);
}
