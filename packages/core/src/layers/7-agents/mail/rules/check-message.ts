import { isRecord, parseJson } from "../../../../json/json-values.ts";
import {
  type AgentAddress,
  type AgentMessage,
  fail,
  ok,
  type Result,
  type StructuredMessage,
} from "../../../../spec/index.ts";
import { mailNumbers } from "../../settings.ts";

type Kind = StructuredMessage["type"];

interface Shape {
  /** A text that must be there. */
  readonly needs?: string;
  /** A text that may be there. */
  readonly may?: string;
  /** Says yes or no; a no must give the text in `may`. */
  readonly isAnswer?: true;
}

const shapes: Readonly<Record<Kind, Shape>> = {
  shutdown_request: { may: "reason" },
  shutdown_response: { may: "reason", isAnswer: true },
  plan_approval_request: { needs: "plan" },
  plan_approval_response: { may: "feedback", isAnswer: true },
};

const requestId = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

export const structuredKinds = Object.keys(shapes) as readonly Kind[];

/** A message as it may be sent or taken in; says what is wrong with any other. */
export function checkMessage(value: unknown): Result<AgentMessage> {
  if (!isRecord(value)) return refuse("A message has a content.");
  const { content, summary } = value;
  if (summary !== undefined && (typeof summary !== "string" || summary.length > 200))
    return refuse("The summary is a text of at most 200 characters.");
  const checked = typeof content === "string" ? checkText(content) : checkStructured(content);
  if (!checked.ok) return checked;
  return ok({ content: checked.value, ...(typeof summary === "string" && summary !== "" && { summary }) });
}

/** Only what is known of a kind passes, with nothing besides. */
function checkStructured(value: unknown): Result<StructuredMessage> {
  if (!isRecord(value)) return refuse("A message is a text or an object with a type.");
  const { type, requestId: id, approve, ...texts } = value;
  const shape = structuredKinds.includes(type as Kind) ? shapes[type as Kind] : undefined;
  if (!shape) {
    const named = JSON.stringify(String(type).slice(0, 100));
    return refuse(
      `${named} is not a kind of message.`,
      `Use one of ${structuredKinds.join(", ")}, or a text.`,
    );
  }
  if (typeof id !== "string" || !requestId.test(id))
    return refuse(`${type} needs a requestId of letters, digits, dots, dashes and underscores.`);
  if (shape.isAnswer ? typeof approve !== "boolean" : approve !== undefined)
    return refuse(shape.isAnswer ? `${type} needs approve: true or false.` : `${type} has no approve.`);
  const wrong = wrongText(shape, texts, String(type), approve === false);
  if (wrong !== null) return refuse(wrong);
  return ok({ type, requestId: id, ...(shape.isAnswer && { approve }), ...texts } as StructuredMessage);
}

function wrongText(
  { needs, may }: Shape,
  texts: Readonly<Record<string, unknown>>,
  type: string,
  isRefusal: boolean,
): string | null {
  for (const [name, text] of Object.entries(texts)) {
    if (name !== needs && name !== may) return `${type} has no ${JSON.stringify(name.slice(0, 100))}.`;
    if (typeof text !== "string" || !checkText(text).ok)
      return `${name} is a text of at most ${mailNumbers.maxMessageChars} characters, and not empty.`;
  }
  const missing = needs ?? (isRefusal ? may : undefined);
  return missing === undefined || missing in texts ? null : `${type} needs ${missing}.`;
}

function checkText(text: string): Result<string> {
  if (text.trim() === "") return refuse("The message is empty.");
  if (text.length <= mailNumbers.maxMessageChars) return ok(text);
  return fail(
    "too-large",
    `The message has ${text.length} characters, over the ${mailNumbers.maxMessageChars} that one may have.`,
    { path: "message", fix: "Write it into a file, and send where it is." },
  );
}

function refuse(message: string, fix = "Correct the message and send it again."): Result<never> {
  return fail("invalid-input", message, { path: "message", fix });
}

const agentName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const logPart = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** Whether an agent may be called this: letters, digits, dots, dashes and underscores, at most 64. */
export function isAgentName(name: string): boolean {
  return agentName.test(name);
}

/** Whether this names a log: `<session>` or `<session>/<agent>`. */
export function isLogId(id: string): boolean {
  const parts = id.split("/");
  return parts.length <= 2 && parts.every((part) => logPart.test(part) && !part.endsWith(".agents"));
}

/** The receiver in `to`: a name, `*`, `session:<id>` (also `bridge:<id>`) or `uds:<path>`. */
export function parseAddress(to: string): Result<AgentAddress> {
  if (to === "*") return ok({ kind: "everyone" });
  const [, scheme, rest = ""] = /^(session|bridge|uds):([\s\S]*)$/.exec(to) ?? [];
  if (scheme === "uds") return isPlainPath(rest) ? ok({ kind: "socket", path: rest }) : refuseAddress(to);
  if (scheme !== undefined) return isLogId(rest) ? ok({ kind: "session", id: rest }) : refuseAddress(to);
  return isAgentName(to) ? ok({ kind: "name", name: to }) : refuseAddress(to);
}

/** Absolute, without anything that leads elsewhere. */
function isPlainPath(path: string): boolean {
  if (!path.startsWith("/") || path.includes("\0")) return false;
  return path
    .slice(1)
    .split("/")
    .every((part) => part !== "" && part !== "." && part !== "..");
}

function refuseAddress(to: string): Result<never> {
  return fail("invalid-input", `${JSON.stringify(to.slice(0, 200))} is not an address.`, {
    path: "to",
    fix: "Give the name of an agent, * for all, session:<id>, or uds:<absolute path of a socket>.",
  });
}

/** The part of a structured message that says where an exchange stands; its words stay in the text. */
export type MessageMark = Pick<StructuredMessage, "type" | "requestId"> & { readonly approve?: boolean };

/** The first line of a received mail, for the program: it is the record that mail was received. */
interface MailLine {
  readonly id: string;
  /** The sender's log id. */
  readonly from: string;
  readonly seq: number;
  readonly mark?: MessageMark;
}

/** A line of SendMessage's result, for the program. */
interface SentLine {
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
  return (parseJson(line.slice(word.length + 2, -1)) ?? {}) as Readonly<Record<string, unknown>>;
}

function isMark(value: unknown): value is MessageMark {
  if (typeof value !== "object" || value === null) return false;
  const { type, requestId } = value as Partial<MessageMark>;
  return typeof type === "string" && typeof requestId === "string";
}
