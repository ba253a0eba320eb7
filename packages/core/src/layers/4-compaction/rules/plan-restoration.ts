import type { Ledgers, Message, Notice, Restorable, TodoRecord } from "../../../spec/index.ts";
import { firstChars, showLine } from "../../../view/quote-foreign.ts";
import type { Measure } from "../../../view/tokens/measure.ts";
import type { CompactionNumbers } from "../settings.ts";

export const nothingRestorable: Restorable = { tasks: [], skills: [], tools: [], rules: [] };

/** A file as it is now, or why it is not brought back. */
export type FileRead =
  | { readonly path: string; readonly text: string; readonly files?: Message["files"] }
  | { readonly path: string; readonly skipped: string };

export interface RestorationReport {
  readonly restored: readonly { readonly path: string; readonly tokens: number; readonly isCut: boolean }[];
  /** By path, or by what it is. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
}

interface Restoration extends RestorationReport {
  readonly attachments: readonly Message[];
  readonly tokens: number;
}

export interface RestorationInput extends WorkState {
  readonly files: readonly FileRead[];
  readonly others: Restorable;
  readonly maxTokens: number;
  readonly numbers: CompactionNumbers;
  readonly measure: Measure;
}

/**
 * Content to restore, in its order: files, tasks, to-dos, plan, skills, tools, rules. What cannot be read from disk
 * again is given room first; files and skills share what is left. What does not fit is left out and reported.
 */
export function planRestoration(input: RestorationInput): Restoration {
  const { files, others, maxTokens, numbers, measure } = input;
  const skipped: { path: string; reason: string }[] = [];
  let left = maxTokens;

  function whole(messages: readonly Message[]): readonly Message[] {
    return messages.filter((message) => {
      const tokens = messageTokens(message, measure);
      if (tokens <= left) {
        left -= tokens;
        return true;
      }
      skipped.push({ path: message.subtype ?? "", reason: `its ${tokens} tokens are more than are left` });
      return false;
    });
  }

  const lasting = whole(lastingAttachments(input));
  const rules = whole(others.rules.map(toAttachment));
  const tools = whole(others.tools.map(toAttachment));
  const tasks = whole(others.tasks.map(toAttachment));
  const restored: { path: string; tokens: number; isCut: boolean }[] = [];
  const fileMessages: Message[] = [];
  let filesLeft = Math.min(left, numbers.restoredFilesTokens);
  for (const file of files) {
    if ("skipped" in file) {
      skipped.push({ path: file.path, reason: file.skipped });
      continue;
    }
    const made = fileAttachment(file, numbers.restoredFileTokens, measure);
    const tokens = made ? messageTokens(made.message, measure) : 0;
    if (!made || tokens > filesLeft) {
      skipped.push({ path: file.path, reason: made ? `${tokens} tokens are more than are left` : "no room" });
      continue;
    }
    filesLeft -= tokens;
    left -= tokens;
    fileMessages.push(made.message);
    restored.push({ path: file.path, tokens, isCut: made.isCut });
  }
  let skillsLeft = Math.min(left, numbers.restoredSkillsTokens);
  const skills = others.skills.flatMap((skill) => {
    const message = attachment(
      skill.subtype,
      headOf(skill.text, Math.min(numbers.restoredSkillTokens, skillsLeft), measure),
    );
    const tokens = messageTokens(message, measure);
    if (message.content === "" || tokens > skillsLeft) {
      skipped.push({ path: skill.subtype, reason: "no room" });
      return [];
    }
    skillsLeft -= tokens;
    left -= tokens;
    return [message];
  });
  const attachments = [...fileMessages, ...tasks, ...lasting, ...skills, ...tools, ...rules];
  return { attachments, restored, skipped, tokens: maxTokens - left };
}

/** Tokens of an attachment as it is sent, with what wraps it. */
export function messageTokens({ content, subtype = "" }: Message, measure: Measure): number {
  const wrapper = measure(`<attachment type="${subtype}">\n\n</attachment>`);
  return wrapper + measure(content);
}

/** A file as it is now, cut where it is long; `null` where there is no room for any of it. */
export function fileAttachment(
  { path, text, files }: { readonly path: string; readonly text: string; readonly files?: Message["files"] },
  maxTokens: number,
  measure: Measure,
): { readonly message: Message; readonly isCut: boolean } | null {
  const title = `${showLine(path)} (as it is now)\n`;
  const room = maxTokens - messageTokens(attachment("file", title), measure);
  const body = headOf(text, room, measure);
  if (body === "" && text !== "") return null;
  const isCut = body !== text;
  const message = attachment("file", `${title}${body}`);
  return { message: files && !isCut ? { ...message, files } : message, isCut };
}

/** The beginning of a text in so many tokens, with a line that says what is left out; empty where there is no room. */
function headOf(text: string, maxTokens: number, measure: Measure): string {
  if (measure(text) <= maxTokens) return text;
  let low = 0;
  let high = text.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (measure(cutAt(text, middle)) <= maxTokens) low = middle;
    else high = middle;
  }
  return low === 0 ? "" : cutAt(text, low);
}

function cutAt(text: string, chars: number): string {
  const head = firstChars(text, chars);
  return `${head}\n[… ${text.length - head.length} characters left out …]`;
}

const toAttachment = ({ subtype, text }: Notice): Message => attachment(subtype, text);

function attachment(subtype: string, content: string): Message {
  return { type: "attachment", subtype, content };
}

const marks: Readonly<Record<TodoRecord["status"], string>> = {
  pending: "[ ]",
  in_progress: "[>]",
  completed: "[x]",
  cancelled: "[-]",
};

/** To-dos and plan, and what became of the requests that they belong to. */
interface WorkState extends Partial<Pick<Ledgers, "todosRequest" | "planRequest" | "intents">> {
  readonly todos: readonly TodoRecord[];
  readonly plan?: Ledgers["plan"];
}

/** Cancelled work is marked as such, so that nobody goes on with it. */
function calledOff({ intents = [] }: WorkState, request: string | undefined): string {
  const state = intents.findLast(({ entry }) => entry === request)?.state;
  return state === "cancelled" || state === "superseded"
    ? ` of a ${state} request, not to be gone on with`
    : "";
}

function todoText(ledgers: WorkState): string {
  const lines = ledgers.todos.map(({ status, content }) => `${marks[status]} ${showLine(content)}`);
  const off = calledOff(ledgers, ledgers.todosRequest);
  return `The to-do list${off} ([ ] open, [>] in progress, [x] done, [-] cancelled):\n${lines.join("\n")}`;
}

function planText(ledgers: WorkState, { text, path }: NonNullable<Ledgers["plan"]>): string {
  const off = calledOff(ledgers, ledgers.planRequest);
  return path === undefined ? `The plan${off}:\n${text}` : `The plan${off}, in ${showLine(path)}:\n${text}`;
}

/** Tokens of what the work is steered by. */
export function lastingTokens(ledgers: WorkState, measure: Measure): number {
  return lastingAttachments(ledgers).reduce((sum, message) => sum + messageTokens(message, measure), 0);
}

/** The attachments that guide the work: the list of to-dos and the plan, where there are any. */
export function lastingAttachments(ledgers: WorkState): readonly Message[] {
  const { todos, plan } = ledgers;
  return [
    ...(todos.length === 0 ? [] : [attachment("todos", todoText(ledgers))]),
    ...(plan ? [attachment("plan", planText(ledgers, plan))] : []),
  ];
}
