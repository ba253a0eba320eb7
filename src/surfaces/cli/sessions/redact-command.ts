import { createRedaction, type Redaction } from "../../../log/redaction.ts";
import { agentsOf } from "../../../stores/files/agents-of.ts";
import { redactSession } from "../../../stores/files/redact-session.ts";
import { readRedactions } from "../../../stores/files/redaction-record.ts";
import { sessionFiles } from "../../../stores/files/session-files.ts";
import { isClean, type SecretSurvey, surveySecret } from "../../../stores/files/survey-secret.ts";
import { exitWith } from "../exit-codes.ts";
import { toJson } from "../harmless.ts";
import { orThrow } from "../or-throw.ts";
import type { CommandContext } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { findSecret } from "./find-secret.ts";
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
  const surveys = await surveyAll(places, found, redaction, terminal.signal);
  const isFound = surveys.some((survey) => !isClean(survey)) || (await hasUnfinished(places, found));
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
  const parts = { ...places, ...found.store };
  for (const { session } of surveys) {
    done.push(orThrow(await redactSession(parts, session, redaction, { takeOver, signal: terminal.signal })));
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
  places: SessionPlaces,
  { session, store }: FoundSession,
  redaction: Redaction,
  signal: AbortSignal,
): Promise<readonly SecretSurvey[]> {
  const agents = orThrow(await agentsOf(places.disk, store.layout, session));
  const surveys: SecretSurvey[] = [];
  for (const one of [...agents, session])
    surveys.push(orThrow(await surveySecret(store, one, redaction, signal)));
  return surveys;
}

async function hasUnfinished(places: SessionPlaces, { session, store }: FoundSession): Promise<boolean> {
  const redactions = orThrow(await readRedactions(places.disk, store.layout, session));
  return redactions.some(({ finished }) => !finished);
}

/** Files of the data root that hold the secret and are not this session's. */
async function holdersElsewhere(
  places: SessionPlaces,
  { session, store }: FoundSession,
  redaction: Redaction,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const own = orThrow(await sessionFiles(places.disk, store.layout, session)).map(({ path }) => path);
  const holders = orThrow(await findSecret(places.disk, places.home, redaction.needles, signal));
  return holders.filter((path) => !own.includes(path));
}

async function answer(
  { terminal }: CommandContext,
  outcome: RedactionOutcome,
  options: RedactOptions,
): Promise<void> {
  if (options.json) return terminal.write(toJson(redactionRecord(outcome, options.dryRun ?? false)));
  await terminal.write(`${redactionLines(outcome, terminal.style).join("\n")}\n`);
}
