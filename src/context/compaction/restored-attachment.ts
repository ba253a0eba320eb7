import type { Ledgers, Message, Notice, TodoRecord } from "../../spec/index.ts";
import { firstChars } from "../first-chars.ts";
import type { Measure } from "./measure.ts";

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
  const title = `${path} (as it is now)\n`;
  const room = maxTokens - messageTokens(attachment("file", title), measure);
  const body = headOf(text, room, measure);
  if (body === "" && text !== "") return null;
  const isCut = body !== text;
  const message = attachment("file", `${title}${body}`);
  return { message: files && !isCut ? { ...message, files } : message, isCut };
}

/** The beginning of a text in so many tokens, with a line that says what is left out; empty where there is no room. */
export function headOf(text: string, maxTokens: number, measure: Measure): string {
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

export const toAttachment = ({ subtype, text }: Notice): Message => attachment(subtype, text);

export function attachment(subtype: string, content: string): Message {
  return { type: "attachment", subtype, content };
}

const marks: Readonly<Record<TodoRecord["status"], string>> = {
  pending: "[ ]",
  in_progress: "[>]",
  completed: "[x]",
  cancelled: "[-]",
};

function todoText(todos: readonly TodoRecord[]): string {
  const lines = todos.map(({ status, content }) => `${marks[status]} ${content}`);
  return `The to-do list ([ ] open, [>] in progress, [x] done, [-] cancelled):\n${lines.join("\n")}`;
}

function planText({ text, path }: NonNullable<Ledgers["plan"]>): string {
  return path === undefined ? `The plan:\n${text}` : `The plan, in ${path}:\n${text}`;
}

/** Tokens of what the work is steered by. */
export function lastingTokens({ todos, plan }: Pick<Ledgers, "todos" | "plan">, measure: Measure): number {
  return lastingAttachments(todos, plan).reduce((sum, message) => sum + messageTokens(message, measure), 0);
}

/** What the work is steered by: the list of to-dos and the plan, where there are any. */
export function lastingAttachments(todos: readonly TodoRecord[], plan: Ledgers["plan"]): readonly Message[] {
  return [
    ...(todos.length === 0 ? [] : [attachment("todos", todoText(todos))]),
    ...(plan ? [attachment("plan", planText(plan))] : []),
  ];
}
