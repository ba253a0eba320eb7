import type { RequestMessage, ViewItem } from "../../spec/index.ts";
import { toRequestBlock } from "./request-ids.ts";

/** Renders the messages of a view again and again at the cost of what changed. */
export interface MessageRenderer {
  /**
   * `changedFrom`: items before it are the very ones of the call before. The messages are valid until the next call;
   * a message whose blocks have not changed is the very same object. Messages are frozen: requests that were given out
   * have them.
   */
  render(items: readonly ViewItem[], changedFrom: number): readonly RequestMessage[];
  /** How many messages at the beginning the last call left as they were, without looking at them. */
  readonly keptMessages: number;
  /** Items rendered since the beginning, for tests that count them. */
  readonly renderedItems: number;
}

export function createMessageRenderer(): MessageRenderer {
  const messages: RequestMessage[] = [];
  /** Where in the items each message begins. */
  const starts: number[] = [];
  /** The items that they were made of. */
  const made: ViewItem[] = [];
  let renderedItems = 0;
  let keptMessages = 0;

  /** How many messages end before a position, and so stay as they are. */
  function untouched(position: number): number {
    let count = starts.length;
    while (count > 0 && (starts[count] ?? Number.POSITIVE_INFINITY) > position) count -= 1;
    return count;
  }

  function toMessage(items: readonly ViewItem[], start: number, end: number): RequestMessage {
    renderedItems += end - start;
    const content = items.slice(start, end).map(({ block }) => toRequestBlock(block));
    return Object.freeze({ role: (items[start] as ViewItem).role, content: Object.freeze(content) });
  }

  return {
    get renderedItems() {
      return renderedItems;
    },
    get keptMessages() {
      return keptMessages;
    },
    render(items, changedFrom) {
      const kept = untouched(changedFrom);
      keptMessages = kept;
      let start = starts[kept] ?? 0;
      const former = messages.splice(kept);
      const formerStarts = starts.splice(kept);
      while (start < items.length) {
        const end = messageEnd(items, start);
        const at = messages.length - kept;
        const before = former[at];
        const known = formerStarts[at] === start ? made : [];
        messages.push(
          before && isMadeOf(before, known, items, start, end) ? before : toMessage(items, start, end),
        );
        starts.push(start);
        start = end;
      }
      for (let at = starts[kept] ?? items.length; at < items.length; at += 1)
        made[at] = items[at] as ViewItem;
      made.length = items.length;
      return messages;
    },
  };
}

/** Where the neighbouring items of one role end. */
function messageEnd(items: readonly ViewItem[], start: number): number {
  let end = start + 1;
  while (end < items.length && items[end]?.role === items[start]?.role) end += 1;
  return end;
}

/** `made`: what the message was made of, at the same positions; empty where it stood elsewhere. */
function isMadeOf(
  message: RequestMessage,
  made: readonly ViewItem[],
  items: readonly ViewItem[],
  start: number,
  end: number,
): boolean {
  if (message.role !== items[start]?.role || message.content.length !== end - start) return false;
  for (let at = start; at < end; at += 1) {
    const item = items[at] as ViewItem;
    if (made[at] !== item && message.content[at - start] !== toRequestBlock(item.block)) return false;
  }
  return true;
}

/** The messages of a request: neighbouring items of one role, concatenated. Nothing is decided here. */
export function renderMessages(items: readonly ViewItem[]): readonly RequestMessage[] {
  const messages: { role: ViewItem["role"]; content: ViewItem["block"][] }[] = [];
  for (const { role, block } of items) {
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(toRequestBlock(block));
    else messages.push({ role, content: [toRequestBlock(block)] });
  }
  return messages;
}
