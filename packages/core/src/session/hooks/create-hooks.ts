import {
  type Clock,
  type HookCommand,
  type HookFunction,
  type HookFunctions,
  type HookInputs,
  type HookName,
  type HookScene,
  type HookSettings,
  type Hooks,
  PalimpsestError,
  type Shell,
} from "../../spec/index.ts";
import { checkValue } from "../settings/check-value.ts";
import { hooksSchema } from "../settings/hooks-schema.ts";
import { hookEnvironment } from "./hook-environment.ts";
import { matchesHook } from "./matches-hook.ts";
import { mergeAnswers, type NamedAnswer } from "./merge-answers.ts";
import { runCommand } from "./run-command.ts";
import { runFunction } from "./run-function.ts";
import { withShortTexts } from "./with-short-texts.ts";

export interface HooksOptions {
  readonly functions?: HookFunctions;
  /** Of files that are trusted: whoever calls this has seen to that. */
  readonly settings?: HookSettings;
  readonly shell: Shell;
  readonly clock: Clock;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The project's folder: programs run there, and paths of programs begin there. */
  readonly cwd: string;
}

/**
 * Hooks of one name run side by side; what they say is put together in their order, functions first. One that fails,
 * hangs or cannot be started is a warning and stops nothing. Throws on settings in a wrong form.
 */
export function createHooks(options: HooksOptions): Hooks {
  const { functions = {}, settings = {}, shell, clock, environment, cwd } = options;
  checkForm(settings);

  const functionsOf = (name: HookName) => (functions[name] ?? []) as readonly HookFunction[];

  const commandsOf = (name: HookName, input: object): readonly HookCommand[] =>
    (settings[name] ?? []).flatMap(({ matcher, hooks }) => (matchesHook(name, matcher, input) ? hooks : []));

  async function tellCommand(
    name: HookName,
    hook: HookCommand,
    input: HookScene,
    signal: AbortSignal,
  ): Promise<NamedAnswer> {
    const known = `${name} hook ${hook.command[0]}`;
    const told = toJson({ hook: name, ...input });
    if (told === undefined) return { hook: known, answer: {}, warnings: [`${known}: its input is no JSON`] };
    const seen = hookEnvironment(environment, hook, { project: cwd, session: input.session });
    const scene = { name, hook, told, cwd, environment: seen, shell, clock, signal };
    const { answer, warnings } = withShortTexts(await runCommand(scene));
    return { hook: known, answer, warnings: warnings.map((warning) => `${known}: ${warning}`) };
  }

  async function tellFunction(
    name: HookName,
    hook: HookFunction,
    input: HookInputs[HookName] & HookScene,
    signal: AbortSignal,
  ): Promise<NamedAnswer> {
    const known = `${name} hook ${hook.name || "of the program"}`;
    const { answer, warnings } = withShortTexts(await runFunction({ name, hook, input, clock, signal }));
    return { hook: known, answer, warnings: warnings.map((warning) => `${known}: ${warning}`) };
  }

  return {
    has: (name) =>
      functionsOf(name).length > 0 || (settings[name] ?? []).some(({ hooks }) => hooks.length > 0),
    async run(name, input, signal) {
      if (signal.aborted) return mergeAnswers([]);
      return mergeAnswers(
        await Promise.all([
          ...functionsOf(name).map((hook) => tellFunction(name, hook, input, signal)),
          ...commandsOf(name, input).map((hook) => tellCommand(name, hook, input, signal)),
        ]),
      );
    },
  };
}

function toJson(value: unknown): string | undefined {
  try {
    return `${JSON.stringify(value)}\n`;
  } catch {
    return undefined;
  }
}

function checkForm(settings: HookSettings): void {
  const { problems } = checkValue(settings, hooksSchema);
  if (problems.length === 0) return;
  const message = problems
    .map(({ path, problem, fix }) => `hooks.${path}: ${problem}; ${fix}`)
    .join("; also ");
  throw new PalimpsestError("invalid-input", message, { facts: { problems } });
}
