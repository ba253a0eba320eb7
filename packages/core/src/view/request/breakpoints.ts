import {
  type ContentBlock,
  isBlock,
  type ModelRequest,
  type RequestMessage,
  type ViewItem,
} from "../../spec/index.ts";
import type { CacheTtl } from "../economics/request-gaps.ts";

/** The API takes at most this many: end of tools, end of system, and two in the messages. */
export const maxBreakpoints = 4;

/** Where a marked item stands among the items of the view. */
export interface BreakpointLocations {
  /** The newest block that may be marked; absent when there is none. */
  readonly newest?: number;
  /** The block that the request before had as its newest, while it is still where it was. */
  readonly former?: number;
}

/**
 * Chooses the marked blocks: the newest one, and exactly the one that was the newest before (`former`), so that the prefix
 * written by the request before is found without looking back.
 */
export function placeBreakpoints(items: readonly ViewItem[], former: number | null): BreakpointLocations {
  const newest = newestMarkable(items);
  if (newest === -1) return {};
  const marked = former === null || former >= newest ? undefined : items[former];
  return marked && isMarkable(marked.block) ? { newest, former: former ?? 0 } : { newest };
}

/** The first message that has a marker; how many there are where none has. `blocks`: how many all of them have. */
export function firstMarkedMessage(
  messages: readonly RequestMessage[],
  { newest, former = newest }: BreakpointLocations,
  blocks: number,
): number {
  let index = messages.length;
  for (let start = blocks; former !== undefined && start > former; ) {
    index -= 1;
    start -= (messages[index] as RequestMessage).content.length;
  }
  return index;
}

/** Position of the newest item that may be marked, among so many; -1 without one. */
export function newestMarkable(items: readonly ViewItem[], among = items.length): number {
  let position = among - 1;
  while (position >= 0 && !isMarkable((items[position] as ViewItem).block)) position -= 1;
  return position;
}

/** Thinking cannot be marked, and neither can an empty text nor what the model does not see. */
function isMarkable(block: ContentBlock): boolean {
  if (block.type === "cache_edits") return false;
  if (isBlock(block, "thinking") || isBlock(block, "redacted_thinking")) return false;
  return !isBlock(block, "text") || block.text !== "";
}

/**
 * A copy of the request with its markers; the request itself, and every block in it, stays as it was. `blocks`: how many
 * its messages have.
 */
export function withBreakpoints(
  request: ModelRequest,
  locations: BreakpointLocations,
  ttl: CacheTtl,
  blocks: number,
): ModelRequest {
  const { system, tools } = request;
  const mark = <Block extends object>(block: Block): Block => ({
    ...block,
    cache_control: { type: "ephemeral", ttl },
  });
  const markLast = <Block extends object>(list: readonly Block[]) =>
    list.map((block, index) => (index === list.length - 1 ? mark(block) : block));
  const messages = [...request.messages];
  let end = blocks;
  const positions = [locations.newest, locations.former].filter((position) => position !== undefined);
  for (let at = messages.length - 1; at >= 0 && positions.length > 0; at -= 1) {
    const message = messages[at] as RequestMessage;
    const start = end - message.content.length;
    const marked: number[] = [];
    while (positions[0] !== undefined && positions[0] >= start) marked.push((positions.shift() ?? 0) - start);
    if (marked.length > 0)
      messages[at] = {
        ...message,
        content: message.content.map((block, index) => (marked.includes(index) ? mark(block) : block)),
      };
    end = start;
  }
  return {
    ...request,
    messages,
    ...(system && system.length > 0 && { system: markLast(system) }),
    ...(tools && tools.length > 0 && { tools: markLast(tools) }),
  };
}

/** A block without anybody's cache markers, inside a result too; the very same one where there are none. */
export function withoutMarkers(block: ContentBlock): ContentBlock {
  const bare = withoutMarker(block) as ContentBlock;
  if (!isBlock(bare, "tool_result") || !Array.isArray(bare.content)) return bare;
  const content = bare.content.map(withoutMarker) as readonly ContentBlock[];
  const isSame = content.every((inner, index) => inner === bare.content?.[index]);
  return isSame ? bare : { ...bare, content };
}

/** The same for anything that may have a marker: a tool, a text of the system prompt. */
export function withoutMarker<Value extends object>(value: Value): Value {
  if (!("cache_control" in value)) return value;
  const { cache_control: _marker, ...bare } = value;
  return bare as Value;
}
