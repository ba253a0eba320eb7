import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { createRedaction, diskFailure, findSecret } from "@palimpsest/core/internal";
import { fail, ok, PalimpsestError, type Redaction, type SecretSurvey } from "@palimpsest/core/spec";
import { exitWith, orThrow, UsageError } from "../../local/or-throw.ts";
import { type FoundSession, findSession } from "../../local/sessions/find-session.ts";
import { openSessionLocations, type SessionLocations } from "../../local/sessions/session-locations.ts";
import type { CommandContext } from "../../local/terminal.ts";
import { escapeTerminal, toJson } from "../../terminal/escape-terminal.ts";
import { formatNumber } from "../../terminal/format-amount.ts";
import type { Style } from "../../terminal/style.ts";

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
  const locations = await openSessionLocations(context);
  const found = orThrow(await findSession(locations, named, options.project));
  const redaction = orThrow(
    createRedaction(await readSecret(context, options.secretFile), options.replacement),
  );
  terminal.progress("searching");
  const surveys = await surveyAll(found, redaction, terminal.signal);
  const isFound = surveys.some(({ isClean }) => !isClean) || (await hasUnfinished(found));
  const plan = { session: found.session, surveys, isDone: false };
  if (options.dryRun || !isFound) {
    const elsewhere = await holdersElsewhere(locations, found, redaction, terminal.signal);
    return answer(context, { ...plan, elsewhere }, options);
  }
  if (!options.yes) {
    for (const line of redactionLines({ ...plan, elsewhere: [] }, terminal.style)) terminal.say(line);
    if (!(await terminal.confirm("Remove it? The old text cannot be restored."))) {
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
  const elsewhere = await holdersElsewhere(locations, found, redaction, terminal.signal);
  await answer(context, { session: found.session, surveys: done, isDone: true, elsewhere }, options);
}

function requireConsent({ terminal }: CommandContext, named: string, options: RedactOptions): void {
  if (options.yes || options.dryRun) return;
  const form = `palimpsest sessions redact ${named} --secret-file ${options.secretFile ?? "FILE"} --yes (or --dry-run)`;
  if (options.secretFile === "-") {
    throw new UsageError(
      `the secret comes from standard input, so there is no terminal to ask on; use: ${form}`,
    );
  }
  if (!terminal.isInteractive)
    throw new UsageError(`there is no terminal to ask on, so --yes is needed; use: ${form}`);
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

/** Other holders of the secret, which are not this session's: in the store, and in files of this machine beside it. */
async function holdersElsewhere(
  locations: SessionLocations,
  { project, session }: FoundSession,
  redaction: Redaction,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const stored = orThrow(await locations.findSecret(redaction, { except: { project, session }, signal }));
  const local =
    locations.kind === "files"
      ? ok([])
      : await findSecret(locations.disk, locations.home, redaction.needles, signal);
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

const maxSecretBytes = 1024 * 1024;

/** The secret, from a file, from what is piped in, or from a person; never from the command line. */
async function readSecret(context: CommandContext, file: string | undefined): Promise<string> {
  const { terminal, folder } = context;
  if (file === undefined) {
    if (!terminal.isInteractive) {
      throw new UsageError(
        "there is no terminal to ask for the secret; use: palimpsest sessions redact ID --secret-file FILE --yes (- for standard input)",
      );
    }
    return terminal.askHidden("Secret (not shown while you type): ");
  }
  const bytes = file === "-" ? await readAll(terminal.input()) : await readNamed(resolve(folder, file));
  return toSecret(bytes, file === "-" ? "standard input" : file);
}

async function readNamed(path: string): Promise<Uint8Array> {
  try {
    if ((await stat(path)).size > maxSecretBytes) throw tooLarge(path);
    return await readFile(path);
  } catch (cause) {
    if (PalimpsestError.isInstance(cause)) throw cause;
    const failure = diskFailure("read", path, cause);
    throw failure.ok ? cause : failure.error;
  }
}

async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxSecretBytes) throw tooLarge("standard input");
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}

/** One newline at the end is the editor's, not the secret's. */
function toSecret(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes).replace(/\r?\n$/, "");
  } catch (cause) {
    throw fail("invalid-input", `${name} is not UTF-8 text.`, {
      path: name,
      fix: "Give the secret as text.",
      cause,
    }).error;
  }
}

function tooLarge(name: string): PalimpsestError {
  const fix = "Give a file that holds the secret and nothing else.";
  return fail("too-large", `${name} is over ${maxSecretBytes} bytes.`, { path: name, fix }).error;
}

interface RedactionOutcome {
  readonly session: string;
  /** Agents first, the session itself last. */
  readonly surveys: readonly SecretSurvey[];
  readonly isDone: boolean;
  /** Addresses of what else holds it still: other sessions, memory, the search index. */
  readonly elsewhere: readonly string[];
}

const maxElsewhere = 10;

function redactionLines(outcome: RedactionOutcome, style: Style): readonly string[] {
  const { session, isDone, elsewhere } = outcome;
  const surveys = outcome.surveys.filter(({ isClean }) => !isClean);
  const lines = surveys.flatMap((survey) => surveyLines(survey, isDone));
  if (surveys.length === 0) lines.push(`The secret is nowhere in ${escapeTerminal(session)}.`);
  if (elsewhere.length === 0) return lines;
  return [
    ...lines,
    style.yellow(`It is still in ${formatNumber(elsewhere.length, ...placesIn(elsewhere))}:`),
    ...elsewhere.slice(0, maxElsewhere).map((path) => `  ${escapeTerminal(path)}`),
    ...(elsewhere.length > maxElsewhere
      ? [`  and ${elsewhere.length - maxElsewhere} more; --json lists them`]
      : []),
  ];
}

function placesIn(addresses: readonly string[]): readonly [one: string, many: string] {
  const isInDatabase = addresses.some((address) => /^postgres(ql)?:/.test(address));
  return isInDatabase
    ? ["other place of the database", "other places of the database"]
    : ["other file of the data root", "other files of the data root"];
}

function surveyLines(survey: SecretSurvey, isDone: boolean): readonly string[] {
  const { session, entries, occurrences, droppedBlocks, blobs, toolResults, notes, removable, inDamage } =
    survey;
  const places = [
    ...(entries > 0 ? [formatNumber(entries, "entry", "entries")] : []),
    ...(blobs > 0 ? [formatNumber(blobs, "stored result")] : []),
    ...(toolResults.length > 0 ? [formatNumber(toolResults.length, "tool-result file")] : []),
    ...(notes.length > 0 ? ["the session's notes"] : []),
    ...(inDamage ? ["damaged lines of the log"] : []),
  ];
  const where = places.length > 0 ? places.join(", ") : "files kept aside";
  const times = occurrences > 0 ? ` ${formatNumber(occurrences, "time")}` : "";
  const thinking = formatNumber(droppedBlocks, "thinking block");
  return [
    `${isDone ? "Taken out of" : "Found in"} ${escapeTerminal(session)}${times}: ${where}.`,
    ...(droppedBlocks > 0 ? [`  ${isDone ? "removed whole" : "would be removed whole"}: ${thinking}`] : []),
    ...removable.map((path) => `  ${isDone ? "deleted" : "would be deleted"}: ${escapeTerminal(path)}`),
  ];
}

function redactionRecord({ session, surveys, isDone, elsewhere }: RedactionOutcome, isDryRun: boolean) {
  return {
    session,
    dryRun: isDryRun,
    redacted: isDone,
    sessions: surveys.map((survey) => ({
      session: survey.session,
      entries: survey.entries,
      occurrences: survey.occurrences,
      droppedBlocks: survey.droppedBlocks,
      blobs: survey.blobs,
      toolResults: survey.toolResults,
      notes: survey.notes,
      inDamage: survey.inDamage,
      removed: survey.removable,
    })),
    elsewhere,
  };
}
