import { type ContentBlock, isBlock, type RequestMessage } from "@palimpsest/core/spec";

/** One message of a client, in the shape of the Messages API. */
export interface Turn {
  readonly role: "user" | "assistant";
  readonly content: string | readonly ContentBlock[];
  /** What the client sent for it, where that is another protocol's. */
  readonly raw?: readonly unknown[];
}

/** Whether there is thinking in a message. */
export function isThoughtThrough(content: Turn["content"]): boolean {
  return typeof content !== "string" && content.some(isThinking);
}

const isThinking = (block: ContentBlock) => isBlock(block, "thinking") || isBlock(block, "redacted_thinking");

type Part = readonly unknown[];

/**
 * What makes two messages the same, whoever wrote them down: cache markers, the order of fields, empty texts, how a text
 * is cut into blocks and thinking, which clients may leave out, say nothing.
 */
export function canonicalMessage({ role, content }: Pick<RequestMessage | Turn, "role" | "content">): string {
  return JSON.stringify([role, joined(partsOf(content))]);
}

function partsOf(content: string | readonly ContentBlock[] | undefined): readonly Part[] {
  if (content === undefined) return [];
  return typeof content === "string" ? [["text", content]] : content.flatMap(partOf);
}

function partOf(block: ContentBlock): readonly Part[] {
  if (isBlock(block, "text")) return [["text", block.text]];
  if (isThinking(block)) return [];
  if (isBlock(block, "tool_use")) return [["call", block.id, block.name, ordered(block.input)]];
  if (isBlock(block, "tool_result")) {
    const { tool_use_id: id, content, is_error: isError } = block;
    return [["result", id, joined(partsOf(content)), isError === true]];
  }
  return [["other", ordered(block)]];
}

/** Neighbouring texts are one; white space around it does not count. */
function joined(parts: readonly Part[]): readonly Part[] {
  const made: (Part | { text: string })[] = [];
  for (const part of parts) {
    const last = made.at(-1);
    if (part[0] !== "text") made.push(part);
    else if (last && "text" in last) last.text += part[1];
    else made.push({ text: String(part[1]) });
  }
  return made.flatMap((part): readonly Part[] => {
    if (!("text" in part)) return [part];
    const text = part.text.trim();
    return text === "" ? [] : [["text", text]];
  });
}

/** Fields in order of their names, without markers and without what is not there. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(
    ([name, field]) => name !== "cache_control" && field !== null && field !== undefined,
  );
  return fields.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, field]) => [name, ordered(field)]);
}
