import { resolve } from "node:path";
import { isDreamSession } from "@palimpsest/core/internal";
import {
  type Disk,
  type Economy,
  fail,
  PalimpsestError,
  type PermissionMode,
  type PermissionRules,
  type RunOptions,
} from "@palimpsest/core/spec";
import { resolveModel } from "../../../loop/resolve-model.ts";
import { providerOf } from "../../../models/model-keys.ts";
import { resolveConnection } from "../../../models/openai/connection.ts";
import { checkRules } from "../../../tools/permissions/index.ts";
import { orThrow, UsageError } from "../../local/or-throw.ts";
import { findSession } from "../../local/sessions/find-session.ts";
import { openSessionLocations, type SessionLocations } from "../../local/sessions/session-locations.ts";
import type { CommandContext } from "../../local/terminal.ts";
import { listSessions } from "../sessions/list-command.ts";

/** The options of `run` as they were typed. */
export interface RunChoices {
  readonly prompt?: string;
  readonly output: "text" | "json" | "stream-json";
  readonly resume?: string;
  readonly continue?: boolean;
  readonly model?: string;
  readonly fallbackModel?: string;
  readonly instructions?: string;
  readonly rules: boolean;
  readonly cwd?: string;
  readonly maxTurns?: number;
  readonly budget?: number;
  readonly budgetTokens?: number;
  readonly budgetTime?: number;
  readonly permissionMode: PermissionMode;
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly addDir?: readonly string[];
  readonly economy?: Economy;
  readonly set?: readonly string[];
}

/** Throws a `UsageError` with the right form where a rule cannot be read. */
export function rulesOf({ allow = [], deny = [] }: Pick<RunChoices, "allow" | "deny">): PermissionRules {
  for (const [option, texts] of [
    ["--allow", allow],
    ["--deny", deny],
  ] as const) {
    const checked = checkRules({ allow: texts });
    if (checked.ok) continue;
    const { rule, problem } = checked.error.facts;
    const instead = rightForm(checked.error.facts.instead);
    throw new UsageError(
      `${option} ${JSON.stringify(rule)} is not a permission rule: ${problem}; use: ${option} ${JSON.stringify(instead)}`,
    );
  }
  return { allow, deny };
}

/** The advised form, which must itself be a rule. */
function rightForm(instead: unknown): string {
  return typeof instead === "string" && checkRules({ allow: [instead] }).ok ? instead : "Bash(git status:*)";
}

/** How much a run may use up. */
export function limitsOf(choices: RunChoices): Pick<RunOptions, "maxTurns" | "budget"> {
  const { maxTurns, budget: dollars, budgetTokens: tokens, budgetTime: timeMs } = choices;
  return {
    ...(maxTurns !== undefined && { maxTurns }),
    budget: {
      ...(dollars !== undefined && { dollars }),
      ...(tokens !== undefined && { tokens }),
      ...(timeMs !== undefined && { timeMs }),
    },
  };
}

/** The session to go on with. */
export interface ChosenSession {
  readonly id: string;
  /** The model it began with, where its log says so. */
  readonly model?: string;
}

/** `undefined`: a new one. Throws where what was named is not there, or belongs elsewhere. */
export async function chooseSession(
  context: CommandContext,
  choices: Pick<RunChoices, "resume" | "continue">,
): Promise<ChosenSession | undefined> {
  if (choices.resume === undefined && !choices.continue) return undefined;
  const locations = await openSessionLocations(context);
  const project = orThrow(await locations.currentProject());
  if (choices.resume !== undefined) return namedSession(locations, project, choices.resume);
  const listed = orThrow(await listSessions(locations, [project]));
  const newest = listed.find(
    ({ session, parent, problem }) =>
      parent === undefined && problem === undefined && !isDreamSession(session),
  );
  if (newest) return { id: newest.session, model: newest.model };
  throw fail("not-found", "This project has no session to continue.", {
    path: context.folder,
    fix: "Leave --continue away to begin one, or name the project's folder with --cwd.",
  }).error;
}

async function namedSession(
  locations: SessionLocations,
  project: string,
  named: string,
): Promise<ChosenSession> {
  const found = orThrow(await findSession(locations, named));
  const listed = orThrow(await listSessions(locations, [found.project]));
  const listing = listed.find(({ session }) => session === found.session);
  if (found.project === project) return { id: found.session, model: listing?.model };
  const folder = listing?.cwd;
  throw fail("not-found", `Session ${found.session} belongs to another project: ${found.project}.`, {
    path: found.session,
    fix: folder === undefined ? "Call it in that project's folder." : `Add --cwd ${folder}`,
  }).error;
}

/** The folders named after `--add-dir`, absolute. Throws where one is none. */
export async function foldersOf(
  disk: Disk,
  folder: string,
  named: readonly string[],
): Promise<readonly string[]> {
  const folders = named.map((name) => resolve(folder, name));
  for (const path of folders) {
    const real = await disk.realPath(path);
    const stat = real.ok ? await disk.stat(real.value) : real;
    if (stat.ok && stat.value.kind === "directory") continue;
    if (!stat.ok && stat.error.code !== "not-found") throw stat.error;
    const what = stat.ok ? `${path} is not a folder.` : `There is no folder ${path}.`;
    throw fail(stat.ok ? "not-directory" : "not-found", what, { path, fix: "Name a folder after --add-dir." })
      .error;
  }
  return folders;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The first steps for a person without a key, one way a line. */
export const firstSteps: readonly string[] = [
  "With a key:       export ANTHROPIC_API_KEY=…",
  "With a server of your own, such as Ollama:",
  "                  export OPENAI_BASE_URL=http://localhost:11434/v1",
  "                  palimpsest run --model openai:NAME -p …",
  "Without a model:  palimpsest demo       a recorded session",
  "                  palimpsest emulator   a server that acts as one",
];

/** Throws where the model is nobody's, or its provider needs a key that is not there: before anything begins. */
export async function checkModel(name: string, environment: Environment): Promise<void> {
  orThrow(await resolveModel(name, { environment }));
  if (providerOf(name) === "anthropic") {
    if (!environment.ANTHROPIC_API_KEY?.trim()) throw missingKey(name, "Anthropic", "ANTHROPIC_API_KEY");
    return;
  }
  const { apiKey, isLoopback, host } = resolveConnection(name, { environment });
  if (apiKey === undefined && !isLoopback) throw missingKey(name, host, "OPENAI_API_KEY");
}

function missingKey(model: string, provider: string, variable: string): PalimpsestError {
  return new PalimpsestError("unauthenticated", `There is no key for ${provider}, which serves ${model}.`, {
    path: variable,
    fix: `Set ${variable}, or do without:`,
  });
}
