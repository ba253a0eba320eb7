import type { ContentBlock, Message, Usage } from "../../spec/index.ts";

type Fields = Readonly<Record<string, unknown>>;
interface Check {
  readonly expected: string;
  is(value: unknown): boolean;
}

const text: Check = { expected: "a string", is: (value) => typeof value === "string" };
const optionalText: Check = { ...text, is: (value) => value === undefined || typeof value === "string" };
const anything: Check = { expected: "a value", is: (value) => value !== undefined };
const source: Check = { expected: "an object", is: isSource };
const resultContent: Check = { expected: "a string or blocks", is: isResultContent };

/** The fields that make a block what it says it is. Blocks of unknown types have none. */
const requirements: ReadonlyMap<string, readonly (readonly [string, Check])[]> = new Map(
  Object.entries<Readonly<Record<string, Check>>>({
    text: { text },
    thinking: { thinking: text, signature: optionalText },
    redacted_thinking: { data: text },
    tool_use: { id: text, name: text, input: anything },
    tool_result: { tool_use_id: text, content: resultContent },
    image: { source },
    document: { source },
  }).map(([type, checks]) => [type, Object.entries(checks)]),
);

/** What keeps a value from being a block. */
export interface BlockFault {
  /** The field; absent where the whole value is none. */
  readonly field?: string;
  readonly expected: string;
}

/** `null` where the value is a block. */
export function blockFault(block: unknown): BlockFault | null {
  if (!isFields(block)) return { expected: "a block" };
  if (typeof block.type !== "string") return { field: "type", expected: "a string" };
  const wrong = requirements.get(block.type)?.find(([name, { is }]) => !is(block[name]));
  return wrong ? { field: wrong[0], expected: wrong[1].expected } : null;
}

function isResultContent(content: unknown): boolean {
  if (content === undefined || typeof content === "string") return true;
  return Array.isArray(content) && content.every((inner) => blockFault(inner) === null);
}

function isSource(source: unknown): boolean {
  if (!isFields(source)) return false;
  return source.type === "base64" ? typeof source.data === "string" : typeof source.type === "string";
}

/**
 * A message as the projection can take it, whatever a log holds: what is no block is sent as text that shows it, and
 * usage that is none does not count. The very same message where all is well.
 */
export function soundMessage(message: Message): Message {
  const content = soundContent(message.content);
  const usage = isUsage(message.usage) ? message.usage : undefined;
  const model = typeof message.model === "string" ? message.model : undefined;
  const responseId = typeof message.responseId === "string" ? message.responseId : undefined;
  const subtype = typeof message.subtype === "string" ? message.subtype : undefined;
  const isSound =
    content === message.content &&
    usage === message.usage &&
    model === message.model &&
    responseId === message.responseId &&
    subtype === message.subtype;
  return isSound ? message : { ...message, content, usage, model, responseId, subtype };
}

function soundContent(content: unknown): Message["content"] {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return [shown(content)];
  if (content.every((block) => blockFault(block) === null)) return content;
  return content.map((block) => (blockFault(block) === null ? (block as ContentBlock) : shown(block)));
}

/** The text that stands for what is no block, and shows it. */
export function shown(value: unknown): ContentBlock {
  return { type: "text", text: `[Content that cannot be sent: ${JSON.stringify(value) ?? "nothing"}]` };
}

/** No request has had so many tokens: earlier versions wrote down whatever a server reported. */
const maxTokens = 1_000_000_000;

/** Four counts that can be counts of tokens. */
export function isUsage(usage: unknown): usage is Usage {
  if (!isFields(usage)) return false;
  const { input, output, cacheRead, cacheCreation } = usage;
  return [input, output, cacheRead, cacheCreation].every((value) => isCount(value) && value <= maxTokens);
}

export function isCount(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
