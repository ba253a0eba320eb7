import { isRecord, parseJson, shortestAnswer } from "@palimpsest/core/internal";

/** A request of the Messages API with the shortest answer that it may have. */
export interface ShortRequest {
  readonly body: Buffer;
  readonly answerTokens: number;
}

/**
 * The same request, to the byte, but for how long its answer may be and how it comes. Nothing where a read would be more
 * than a read, or at other prices: the model has to call a tool, its thinking leaves room for tools that the provider
 * runs, or it is asked for at the speed that costs more.
 */
export function shortenRequest(body: Buffer): ShortRequest | null {
  const members = membersOf(body);
  const value = (name: string): unknown => {
    const member = members?.findLast((one) => one.name === name);
    return member && parseJson(body.toString("utf8", member.start, member.end));
  };
  const most = value("max_tokens");
  if (!members || typeof most !== "number") return null;
  const choice = value("tool_choice");
  if (isRecord(choice) && (choice.type === "any" || choice.type === "tool")) return null;
  if (value("speed") === "fast") return null;
  const answerTokens = Math.min(most, shortestAnswer({ thinking: value("thinking") }));
  if (answerTokens > 1 && hasProviderTools(value("tools"), value("mcp_servers"))) return null;
  const changes: Readonly<Record<string, string>> = { max_tokens: String(answerTokens), stream: "false" };
  return { body: withValues(body, members, changes), answerTokens };
}

function hasProviderTools(tools: unknown, servers: unknown): boolean {
  if (Array.isArray(servers) && servers.length > 0) return true;
  const isOwn = ({ type }: { readonly type?: unknown }) => type === undefined || type === "custom";
  return Array.isArray(tools) && tools.some((tool) => isRecord(tool) && !isOwn(tool));
}

/** A member of an object: its name, and where its value begins and ends in the text. */
interface Member {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

function withValues(
  body: Buffer,
  members: readonly Member[],
  values: Readonly<Record<string, string>>,
): Buffer {
  const pieces: Buffer[] = [];
  let at = 0;
  for (const { name, start, end } of members) {
    if (!Object.hasOwn(values, name)) continue;
    pieces.push(body.subarray(at, start), Buffer.from(values[name] as string));
    at = end;
  }
  return Buffer.concat([...pieces, body.subarray(at)]);
}

const [quote, backslash, comma, open, close] = [0x22, 0x5c, 0x2c, 0x7b, 0x7d];
const openings: ReadonlySet<number | undefined> = new Set([open, 0x5b]);
const closings: ReadonlySet<number | undefined> = new Set([close, 0x5d]);
const spaces: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** The members of a whole JSON object, in their order, those of the same name too; `null` where it is none. */
function membersOf(text: Buffer): readonly Member[] | null {
  const members: Member[] = [];
  let at = skipSpace(text, 0);
  if (text[at] !== open) return null;
  at = skipSpace(text, at + 1);
  while (text[at] === quote) {
    const nameEnd = skipString(text, at);
    const name = parseJson(text.toString("utf8", at, nameEnd));
    const start = skipSpace(text, skipSpace(text, nameEnd) + 1);
    const end = skipValue(text, start);
    if (typeof name !== "string" || end === start) return null;
    members.push({ name, start, end });
    at = skipSpace(text, end);
    if (text[at] === comma) at = skipSpace(text, at + 1);
  }
  return text[at] === close ? members : null;
}

function skipSpace(text: Buffer, from: number): number {
  let at = from;
  while (spaces.has(text[at])) at += 1;
  return at;
}

/** Behind the string that begins here. */
function skipString(text: Buffer, from: number): number {
  for (let end = text.indexOf(quote, from + 1); end !== -1; end = text.indexOf(quote, end + 1)) {
    let escapes = 0;
    while (text[end - 1 - escapes] === backslash) escapes += 1;
    if (escapes % 2 === 0) return end + 1;
  }
  return text.length;
}

/** Behind the value that begins here. */
function skipValue(text: Buffer, from: number): number {
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const letter = text[at];
    if (letter === quote) at = skipString(text, at);
    else if (closings.has(letter) && depth === 0) return at;
    else {
      if (openings.has(letter)) depth += 1;
      else if (closings.has(letter)) depth -= 1;
      else if (depth === 0 && (letter === comma || spaces.has(letter))) return at;
      at += 1;
    }
    const isWhole = depth === 0 && (letter === quote || closings.has(letter));
    if (isWhole) return at;
  }
  return at;
}
