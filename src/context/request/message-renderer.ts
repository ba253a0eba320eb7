import type { ContentBlock, RequestMessage, ViewItem } from "../../spec/index.ts";

/** Renders the messages of a view again and again at the cost of what changed. */
export interface MessageRenderer {
  /**
   * `changedFrom`: items before it are the very ones of the call before. The messages are valid until the next call;
   * a message whose blocks have not changed is the very same object. Messages are frozen: requests that were given out
   * have them.
   */
  render(items: readonly ViewItem[], changedFrom: number): readonly RequestMessage[];
  /** Items rendered since the beginning, for tests that count them. */
  readonly renderedItems: number;
}

export function createMessageRenderer(): MessageRenderer {
  const messages: RequestMessage[] = [];
  /** Where in the items each message begins. */
  const starts: number[] = [];
  let renderedItems = 0;

  /** How many messages end before a position, and so stay as they are. */
  function untouched(position: number): number {
    let count = starts.length;
    while (count > 0 && (starts[count] ?? Number.POSITIVE_INFINITY) > position) count -= 1;
    return count;
  }

  function toMessage(items: readonly ViewItem[], start: number, end: number): RequestMessage {
    renderedItems += end - start;
    const content: ContentBlock[] = [];
    for (let at = start; at < end; at += 1) content.push((items[at] as ViewItem).block);
    return Object.freeze({ role: (items[start] as ViewItem).role, content: Object.freeze(content) });
  }

  return {
    get renderedItems() {
      return renderedItems;
    },
    render(items, changedFrom) {
      const kept = untouched(changedFrom);
      let start = starts[kept] ?? 0;
      const former = messages.splice(kept);
      starts.length = kept;
      while (start < items.length) {
        const end = messageEnd(items, start);
        const before = former[messages.length - kept];
        messages.push(before && isMadeOf(before, items, start, end) ? before : toMessage(items, start, end));
        starts.push(start);
        start = end;
      }
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

function isMadeOf(message: RequestMessage, items: readonly ViewItem[], start: number, end: number): boolean {
  if (message.role !== items[start]?.role || message.content.length !== end - start) return false;
  for (let at = start; at < end; at += 1) if (message.content[at - start] !== items[at]?.block) return false;
  return true;
}
