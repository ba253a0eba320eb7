import { type AgentMessage, fail, ok, type Result, type StructuredMessage } from "../../../../spec/index.ts";
import { mailNumbers } from "../settings.ts";

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

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refuse(message: string, fix = "Correct the message and send it again."): Result<never> {
  return fail("invalid-input", message, { path: "message", fix });
}
