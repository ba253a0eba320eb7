import type { StructuredMessage } from "../../../../spec/index.ts";

/** The part of a structured message that says where an exchange stands; its words stay in the text. */
export type MessageMark = Pick<StructuredMessage, "type" | "requestId"> & { readonly approve?: boolean };

/** What the first line of a received mail says, for the program: it is the record that mail was received. */
export interface MailLine {
  readonly id: string;
  /** The sender's log id. */
  readonly from: string;
  readonly seq: number;
  readonly mark?: MessageMark;
}

/** What a line of SendMessage's result says, for the program. */
export interface SentLine {
  readonly id: string;
  /** The receiver's log id. */
  readonly to: string;
  readonly mark?: MessageMark;
}

export const formatMailLine = (line: MailLine) => `[mail ${JSON.stringify(line)}]`;
export const formatSentLine = (line: SentLine) => `[sent ${JSON.stringify(line)}]`;

/** Of the first line of an attachment of kind `mail`; `undefined` where it is none. */
export function readMailLine(text: string): MailLine | undefined {
  const { id, from, seq, mark } = readLine(text, "mail");
  if (typeof id !== "string" || typeof from !== "string" || typeof seq !== "number") return undefined;
  return { id, from, seq, ...(isMark(mark) && { mark }) };
}

/** Of the last line of a result of SendMessage. */
export function readSentLine(text: string): SentLine | undefined {
  const { id, to, mark } = readLine(text.slice(text.lastIndexOf("\n") + 1), "sent");
  if (typeof id !== "string" || typeof to !== "string") return undefined;
  return { id, to, ...(isMark(mark) && { mark }) };
}

export function markOf(message: unknown): MessageMark | undefined {
  if (typeof message === "string") return undefined;
  const { type, requestId, approve } = message as MessageMark;
  return { type, requestId, ...(approve !== undefined && { approve }) };
}

function readLine(text: string, word: "mail" | "sent"): Readonly<Record<string, unknown>> {
  const [line = ""] = text.split("\n", 1);
  if (!line.startsWith(`[${word} {`) || !line.endsWith("}]")) return {};
  try {
    return JSON.parse(line.slice(word.length + 2, -1)) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

function isMark(value: unknown): value is MessageMark {
  if (typeof value !== "object" || value === null) return false;
  const { type, requestId } = value as Partial<MessageMark>;
  return typeof type === "string" && typeof requestId === "string";
}
