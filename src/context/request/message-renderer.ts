import type { RequestMessage, ViewItem } from "../../spec/index.ts";

/** Renders the messages of a view again and again at the cost of what changed. */
export interface MessageRenderer {
  /**
   * `changedFrom`: items before it are the very ones of the call before. The messages are valid until the next call;
   * a message that has not changed is the very same object. Messages are frozen: requests that were given out have
   * them.
   */
  render(items: readonly ViewItem[], changedFrom: number): readonly RequestMessage[];
  /** Items rendered since the beginning, for tests that count them. */
  readonly renderedItems: number;
}

interface OpenMessage {
  readonly role: ViewItem["role"];
  readonly content: ViewItem["block"][];
}

export function createMessageRenderer(): MessageRenderer {
  const messages: OpenMessage[] = [];
  /** Where in the items each message begins. */
  const starts: number[] = [];
  let renderedItems = 0;

  /** How many messages end before a position, and so stay as they are. */
  function untouched(position: number): number {
    let count = starts.length;
    while (count > 0 && (starts[count] ?? Number.POSITIVE_INFINITY) > position) count -= 1;
    return count;
  }

  return {
    get renderedItems() {
      return renderedItems;
    },
    render(items, changedFrom) {
      const kept = untouched(changedFrom);
      const from = starts[kept] ?? 0;
      messages.length = kept;
      starts.length = kept;
      for (let index = from; index < items.length; index += 1) {
        const { role, block } = items[index] as ViewItem;
        const last = index === from ? undefined : messages.at(-1);
        renderedItems += 1;
        if (last?.role === role) last.content.push(block);
        else {
          messages.push({ role, content: [block] });
          starts.push(index);
        }
      }
      for (const message of messages.slice(kept)) {
        Object.freeze(message.content);
        Object.freeze(message);
      }
      return messages;
    },
  };
}
