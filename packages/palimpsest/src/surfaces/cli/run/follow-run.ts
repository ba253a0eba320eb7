import { setImmediate } from "node:timers/promises";
import { maskSecrets } from "@palimpsest/core/internal";
import {
  fail,
  type LoopEvent,
  ok,
  type PalimpsestError,
  type PermissionAnswer,
  type PermissionQuestion,
  type PermissionRules,
  type Result,
  type RunEnd,
  type RunOptions,
  type Session,
  type UserAnswer,
  type UserQuestion,
} from "@palimpsest/core/spec";
import { toRule } from "../../../tools/permissions/index.ts";
import type { Terminal } from "../../local/terminal.ts";
import { createHarmlessStream, toHarmlessText, toJson, toJsonLine } from "../../terminal/escape-terminal.ts";
import { permissionLines, userQuestionLines } from "../../terminal/question-lines.ts";
import type { RunChoices } from "./run-choices.ts";
import { type RunOutput, withProgress } from "./watched-output.ts";

export interface FollowedRun {
  readonly session: Session;
  readonly prompt: string;
  readonly output: RunChoices["output"];
  readonly limits: Pick<RunOptions, "maxTurns" | "budget">;
  readonly terminal: Terminal;
  readonly cwd: string;
  /** Real paths of the folders the agent works in. */
  readonly workspace: readonly string[];
}

/** Runs the prompt and lets its events be seen; a person at the terminal is asked. */
export async function followRun(followed: FollowedRun): Promise<RunEnd> {
  const { session, prompt, limits, terminal, workspace } = followed;
  const output = outputOf(followed);
  const lane = createLane();
  const asker = createAsker({ terminal, workspace, lane });
  const { onPermission, onQuestion } = asker;
  const asking = terminal.isInteractive ? { onPermission, onQuestion } : {};
  let end: RunEnd | undefined;
  for await (const event of session.run(prompt, { ...limits, ...asking, signal: terminal.signal })) {
    await lane.take(async () => {
      await output.hear(event);
      if (event.type === "permission-ask") await output.settle();
      await asker.hear(event);
    });
    if (event.type === "run-end") end = event;
  }
  if (!end) throw fail("crashed", "The run ended without saying how.").error;
  await output.finish(end);
  return end;
}

/** The events themselves are the progress where they are printed. */
function outputOf({ output, session, terminal, cwd }: FollowedRun): RunOutput {
  if (output === "stream-json") return createStreamOutput(terminal);
  const plain = output === "json" ? createJsonOutput(session.id, terminal) : createTextOutput(terminal);
  return withProgress(plain, terminal, cwd);
}

/** One document at the end. */
function createJsonOutput(session: string, terminal: Terminal): RunOutput {
  return {
    hear: async () => undefined,
    settle: async () => undefined,
    finish: (end) => terminal.write(toJson(toEndDocument(session, end))),
  };
}

/** Every event on a line of its own, as it happens. */
function createStreamOutput(terminal: Terminal): RunOutput {
  return {
    hear: (event) => terminal.write(toJsonLine(toEventDocument(event))),
    settle: async () => undefined,
    finish: async () => undefined,
  };
}

/** Prints the model's text: on a screen as it comes, else its last answer at the end. */
function createTextOutput(terminal: Terminal): RunOutput {
  return terminal.isScreen ? createScreenOutput(terminal) : createPipeOutput(terminal);
}

function createPipeOutput(terminal: Terminal): RunOutput {
  return {
    hear: async () => undefined,
    settle: async () => undefined,
    async finish({ text }) {
      const shown = toHarmlessText(text, "pipe");
      if (shown !== "") await terminal.write(shown.endsWith("\n") ? shown : `${shown}\n`);
    },
  };
}

function createScreenOutput(terminal: Terminal): RunOutput {
  const stream = createHarmlessStream("screen");
  let isMidLine = false;

  async function write(text: string): Promise<void> {
    if (text === "") return;
    await terminal.write(text);
    isMidLine = !text.endsWith("\n");
  }

  async function settle(): Promise<void> {
    await write(stream.end());
    if (isMidLine) await write("\n");
  }

  return {
    async hear(event: LoopEvent) {
      if (event.type === "block-delta" && event.delta.type === "text")
        await write(stream.push(event.delta.text));
      else if (event.type === "response-end" || event.type === "response-cut") await settle();
    },
    settle,
    finish: settle,
  };
}

/** An error as programs get it: without stack, cause and keys. */
interface ErrorDocument {
  readonly code: string;
  readonly message: string;
  readonly fix?: string;
}

function toErrorDocument({ code, message, fix }: PalimpsestError): ErrorDocument {
  return {
    code: code ?? "crashed",
    message: maskSecrets(message),
    ...(fix !== undefined && { fix: maskSecrets(fix) }),
  };
}

/** The document of `--output json`. */
function toEndDocument(session: string, end: RunEnd): object {
  const { reason, text, requests, usage, dollars, durationMs, message, error } = end;
  return {
    session,
    end: reason,
    text,
    requests,
    usage,
    dollars,
    durationMs: Math.round(durationMs),
    ...(message !== undefined && { message: maskSecrets(message) }),
    ...(error && { error: toErrorDocument(error) }),
  };
}

/** An event as a line of `--output stream-json`. */
function toEventDocument(event: LoopEvent): object {
  if (event.type === "tool-end") return { ...event, durationMs: Math.round(event.durationMs) };
  if (event.type !== "run-end") return event;
  const { error, message, ...end } = event;
  return {
    ...end,
    durationMs: Math.round(end.durationMs),
    ...(message !== undefined && { message: maskSecrets(message) }),
    ...(error && { error: toErrorDocument(error) }),
  };
}

interface AskerOptions {
  readonly terminal: Terminal;
  /** Real paths of the folders the agent works in. */
  readonly workspace: readonly string[];
  /** Nothing else is on the terminal while a question is. */
  readonly lane: Lane;
}

interface Asker extends Required<Pick<RunOptions, "onPermission" | "onQuestion">> {
  /** A question for permission is asked when its event is heard: behind everything that came before it. */
  hear(event: LoopEvent): Promise<void>;
}

/** Asks the person at the terminal what the model may do, and what it wants to know. */
function createAsker(options: AskerOptions): Asker {
  const { lane, terminal } = options;
  const waiting = new Map<string, (answer: PermissionAnswer) => void>();
  return {
    onPermission: ({ toolUseId }) => new Promise((resolve) => waiting.set(toolUseId, resolve)),
    async onQuestion(questions) {
      await setImmediate();
      return lane.take(() => askQuestions(questions, terminal));
    },
    async hear(event) {
      if (event.type !== "permission-ask") return;
      const { question } = event;
      const answer = await askPermission(question, options);
      waiting.get(question.toolUseId)?.(answer);
      waiting.delete(question.toolUseId);
    },
  };
}

/** Never throws: somebody waits for the answer. */
async function askPermission(
  question: PermissionQuestion,
  { terminal, workspace }: AskerOptions,
): Promise<PermissionAnswer> {
  const rules = toRule(question, workspace);
  for (const line of permissionLines(question, rules, terminal)) terminal.say(line);
  const choices = rules ? "[y]es, [a]lways, [n]o" : "[y]es, [n]o";
  try {
    const typed = await terminal.ask(`  ${choices}, or say why not: `);
    return toAnswer(typed?.trim() ?? "", rules);
  } catch (cause) {
    const why = terminal.signal.aborted ? "The user interrupted" : `Nobody could be asked: ${String(cause)}`;
    return { behavior: "deny", reason: why };
  }
}

/** Anything that is neither yes nor no says why not. */
export function toAnswer(typed: string, rules: PermissionRules | undefined): PermissionAnswer {
  if (/^y(?:es)?$/i.test(typed)) return { behavior: "allow" };
  if (rules && /^a(?:lways)?$/i.test(typed)) return { behavior: "allow", rules };
  const reason = typed.replace(/^no?(?:[\s,:]+|$)/i, "").trim();
  return { behavior: "deny", ...(reason !== "" && { reason: `The user says: ${reason}` }) };
}

async function askQuestions(
  questions: readonly UserQuestion[],
  terminal: Terminal,
): Promise<Result<readonly UserAnswer[]>> {
  const answers: UserAnswer[] = [];
  try {
    for (const question of questions) {
      for (const line of userQuestionLines(question, terminal)) terminal.say(line);
      const many = question.multiSelect ? "numbers" : "a number";
      const typed = await terminal.ask(`  ${many}, or your own words: `);
      if (typed === null) return fail("closed", "The person has ended the input.");
      answers.push({ question: question.question, answers: chosenOf(typed, question) });
    }
    return ok(answers);
  } catch (cause) {
    if (!terminal.signal.aborted) throw cause;
    return fail("aborted", "The person interrupted instead of answering.");
  }
}

/** Labels by their numbers; what is no list of numbers is the person's own words. */
export function chosenOf(typed: string, { options, multiSelect }: UserQuestion): readonly string[] {
  const words = typed.trim();
  if (words === "") return [];
  const numbers = /^\d+(?:[\s,]+\d+)*$/.test(words) ? words.split(/[\s,]+/).map(Number) : [];
  const labels = numbers.map((number) => options[number - 1]?.label);
  const isChoice = labels.length > 0 && labels.every((label) => label !== undefined);
  if (!isChoice || (!multiSelect && labels.length > 1)) return [words];
  return labels as readonly string[];
}

/** One thing at a time, in the order of asking. */
interface Lane {
  take<T>(work: () => Promise<T>): Promise<T>;
}

function createLane(): Lane {
  let last: Promise<unknown> = Promise.resolve();
  return {
    take(work) {
      const done = last.then(work);
      last = done.catch(() => undefined);
      return done;
    },
  };
}
