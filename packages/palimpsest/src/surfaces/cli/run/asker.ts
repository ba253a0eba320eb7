import { setImmediate } from "node:timers/promises";
import {
  fail,
  type LoopEvent,
  ok,
  type PermissionAnswer,
  type PermissionQuestion,
  type PermissionRules,
  type Result,
  type RunOptions,
  type UserAnswer,
  type UserQuestion,
} from "@palimpsest/core/spec";
import { toRule } from "../../../tools/permissions/index.ts";
import type { Terminal } from "../terminal.ts";
import type { Lane } from "./lane.ts";
import { permissionLines, userQuestionLines } from "./question-lines.ts";

export interface AskerOptions {
  readonly terminal: Terminal;
  /** Real paths of the folders the agent works in. */
  readonly workspace: readonly string[];
  /** Nothing else is on the terminal while a question is. */
  readonly lane: Lane;
}

export interface Asker extends Required<Pick<RunOptions, "onPermission" | "onQuestion">> {
  /** A question for permission is asked when its event is heard: behind everything that came before it. */
  hear(event: LoopEvent): Promise<void>;
}

/** Asks the person at the terminal what the model may do, and what it wants to know. */
export function createAsker(options: AskerOptions): Asker {
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
