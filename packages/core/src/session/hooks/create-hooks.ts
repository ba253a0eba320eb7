import { checkValue } from "../../settings/check-value.ts";
import { nearestName } from "../../settings/nearest-name.ts";
import {
  type Clock,
  fail,
  type HookAnswer,
  type HookCommand,
  type HookContext,
  type HookFunction,
  type HookFunctions,
  type HookInputs,
  type HookName,
  type HookSettings,
  type Hooks,
  type HookVerdict,
  ok,
  PalimpsestError,
  type Result,
  type Shell,
} from "../../spec/index.ts";
import { firstChars } from "../../view/quote-foreign.ts";
import { type ReadHookAnswer, readAnswer } from "./read-answer.ts";
import { defaultHookTimeoutMs, hookEnvironment, maxHookTextChars, runCommand } from "./run-command.ts";
import { hookNames, hooksSchema } from "./settings.ts";

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
    input: HookContext,
    signal: AbortSignal,
  ): Promise<NamedAnswer> {
    const known = `${name} hook ${hook.command[0]}`;
    const told = toJson({ hook: name, ...input });
    if (told === undefined) return { hook: known, answer: {}, warnings: [`${known}: its input is no JSON`] };
    const seen = hookEnvironment(environment, hook, { project: cwd, session: input.session });
    const context = { name, hook, told, cwd, environment: seen, shell, clock, signal };
    const { answer, warnings } = withShortTexts(await runCommand(context));
    return { hook: known, answer, warnings: warnings.map((warning) => `${known}: ${warning}`) };
  }

  async function tellFunction(
    name: HookName,
    hook: HookFunction,
    input: HookInputs[HookName] & HookContext,
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

/** Whatever a hook says may end before a model: one that says too much must not fill its window. */
function withShortTexts({ answer, warnings }: ReadHookAnswer): ReadHookAnswer {
  const long: string[] = [];
  const fields = Object.entries(answer).map(([field, said]) => {
    if (typeof said !== "string" || said.length <= maxHookTextChars || field === "input")
      return [field, said];
    long.push(`${field} has more than ${maxHookTextChars} characters; the rest was left out`);
    return [field, firstChars(said, maxHookTextChars)];
  });
  return { answer: Object.fromEntries(fields), warnings: [...warnings, ...long] };
}

interface FunctionRun {
  readonly name: HookName;
  readonly hook: HookFunction;
  readonly input: HookInputs[HookName] & HookContext;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Calls one function of the program. What it throws, and that it takes too long, is a warning. */
async function runFunction({ name, hook, input, clock, signal }: FunctionRun): Promise<ReadHookAnswer> {
  const over = new AbortController();
  const stop = AbortSignal.any([signal, over.signal]);
  const late = clock.sleep(defaultHookTimeoutMs, stop).then(() => ({ isLate: true }) as const);
  const called = Promise.resolve()
    .then(() => hook(input, stop))
    .then(
      (said) => ({ isLate: false, heard: readAnswer(said, name) }) as const,
      (cause: unknown) => ({ isLate: false, heard: errorAnswer(cause) }) as const,
    );
  const first = await Promise.race([called, late]);
  over.abort();
  if (signal.aborted) return { answer: {}, warnings: [] };
  if (!first.isLate) return first.heard;
  return { answer: {}, warnings: [`took more than ${defaultHookTimeoutMs} ms and was left alone`] };
}

function errorAnswer(cause: unknown): ReadHookAnswer {
  const message = cause instanceof Error ? cause.message : "it threw what is no error";
  return { answer: {}, warnings: [`failed: ${message}`] };
}

/** Which field of its input a hook's matcher looks at; `undefined`: there is nothing to match. */
const subjects: {
  readonly [Name in HookName]: (keyof HookInputs[Name] & string) | undefined;
} = {
  SessionStart: "source",
  SessionEnd: "reason",
  UserPromptSubmit: undefined,
  PermissionRequest: "tool",
  PreToolUse: "tool",
  PostToolUse: "tool",
  PreCompact: "trigger",
  PostCompact: "trigger",
  Stop: undefined,
  SubagentStart: "agent",
  SubagentStop: "agent",
};

/** Whether a rule's matcher (`Edit|Write`, `mcp__*`) takes what the hook is about; without one it takes everything. */
function matchesHook(name: HookName, matcher: string | undefined, input: object): boolean {
  const field = subjects[name];
  if (matcher === undefined || field === undefined) return true;
  const subject = String(new Map<string, unknown>(Object.entries(input)).get(field));
  return matcher.split("|").some((one) => matchesName(one, subject));
}

/** A star stands for anything. Each piece is looked for once, from left to right: no pattern takes long. */
function matchesName(pattern: string, name: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return pattern === name;
  if (!name.startsWith(first) || name.length < first.length + last.length || !name.endsWith(last))
    return false;
  const end = name.length - last.length;
  let at = first.length;
  for (const piece of rest) {
    const found = name.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}

/** One hook's answer, by the name it is known by. */
interface NamedAnswer {
  readonly hook: string;
  readonly answer: HookAnswer;
  readonly warnings: readonly string[];
}

/**
 * What all hooks said together, in their order. Who denies wins over who asks, who asks over who allows; every reason
 * to block is kept. Of several inputs the first counts, so that a project's hook does not undo what the user's own did.
 */
function mergeAnswers(heard: readonly NamedAnswer[]): HookVerdict {
  const answers = heard.map(({ answer }) => answer);
  const blocks = heard.flatMap(({ hook, answer: { block } }) =>
    block === undefined ? [] : [reasonWithHook(block, hook)],
  );
  const stopped = heard.find(({ answer }) => answer.stop !== undefined);
  const decided = decidingAnswer(answers);
  const inputs = heard.filter(({ answer }) => answer.input !== undefined);
  return {
    ...(blocks.length > 0 && { block: [...new Set(blocks)].join("\n") }),
    ...(stopped && { stop: reasonWithHook(stopped.answer.stop ?? "", stopped.hook) }),
    ...(decided?.permission && { permission: decided.permission }),
    ...(decided?.reason !== undefined && { reason: decided.reason }),
    ...(inputs[0] && { input: inputs[0].answer.input }),
    contexts: answers.flatMap(({ context }) => (context?.trim() ? [context] : [])),
    messages: answers.flatMap(({ message }) => (message?.trim() ? [message] : [])),
    warnings: [
      ...heard.flatMap(({ warnings }) => warnings),
      ...inputs
        .slice(1)
        .map(({ hook }) => `${hook}: another hook has changed the input already; this one's was ignored`),
    ],
  };
}

function reasonWithHook(reason: string, hook: string): string {
  return reason.trim() === "" ? `${hook} gave no reason.` : reason;
}

function decidingAnswer(answers: readonly HookAnswer[]): HookAnswer | undefined {
  for (const permission of ["deny", "ask", "allow"]) {
    const found = answers.find((answer) => answer.permission === permission);
    if (found) return found;
  }
  return undefined;
}

/** Hooks of the program as TypeScript would have them, for those who do not use it. */
export function checkHookFunctions(hooks: unknown): Result<void> {
  if (hooks === undefined) return ok();
  if (typeof hooks !== "object" || hooks === null || Array.isArray(hooks))
    return refuse("hooks", "an object with lists of functions by the hook's name", hooks);
  for (const [name, functions] of Object.entries(hooks)) {
    const path = `hooks.${name}`;
    if (!hookNames.includes(name as HookName)) return refuseUnknownHook(path, name);
    if (functions === undefined) continue;
    if (!Array.isArray(functions)) return refuse(path, "a list of functions", functions);
    const wrong = functions.findIndex((one) => typeof one !== "function");
    if (wrong !== -1) return refuse(`${path}[${wrong}]`, "a function", functions[wrong]);
  }
  return ok();
}

function refuse(path: string, expected: string, got: unknown): Result<never> {
  const kind = typeof got === "object" ? "an object" : `a ${typeof got}`;
  const what = got === null ? "null" : Array.isArray(got) ? "a list" : kind;
  const fix = "Write hooks: { PreToolUse: [(input) => …] }; commands belong under settings.hooks.";
  return fail("invalid-input", `${path}: expected ${expected}, got ${what}.`, { path, fix });
}

function refuseUnknownHook(path: string, name: string): Result<never> {
  const meant = nearestName(name, hookNames);
  const fix = meant === undefined ? `Known are ${hookNames.join(", ")}.` : `Did you mean ${meant}?`;
  return fail("invalid-input", `${path}: there is no such hook.`, { path, fix });
}
