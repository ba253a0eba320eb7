import type { ContentBlock, RequestMessage } from "../../spec/index.ts";
import { isBlock } from "../../spec/index.ts";
import { checkMessage } from "./check-message.ts";
import { type CheckedRequest, checkWhole } from "./check-whole.ts";
import type { RequestLimits, Totals, Violation } from "./violation.ts";

/**
 * `validate` for requests that grow: messages that are the very same objects as in the call before, and whose
 * neighbours are, are not looked at again. Gives exactly what `validate` gives.
 */
export interface Validator {
  validate(request: CheckedRequest): readonly Violation[];
  /** Images in the request validated last. */
  readonly images: number;
  /** Messages looked at since the beginning, for tests that count them. */
  readonly checkedMessages: number;
}

/** What is known of one message of the request before. */
interface Known {
  readonly message: RequestMessage;
  readonly calls: readonly string[];
  readonly totals: Totals;
  readonly violations: readonly Violation[];
}

export function createValidator(limits: RequestLimits): Validator {
  const known: Known[] = [];
  /** How often each id is called in the known messages. */
  const calls = new Map<string, number>();
  const sums = { images: 0, wide: 0, marked: 0 };
  let checkedMessages = 0;
  let violationCount = 0;

  function forget(from: number): void {
    for (const { calls: ids, totals, violations } of known.splice(from)) {
      for (const id of ids) calls.set(id, (calls.get(id) ?? 1) - 1);
      violationCount -= violations.length;
      sums.images -= totals.images;
      sums.wide -= totals.wide;
      sums.marked -= totals.marked;
    }
  }

  function learn(message: RequestMessage, index: number, messages: readonly RequestMessage[]): void {
    checkedMessages += 1;
    const ids = message.content.flatMap((block: ContentBlock) =>
      isBlock(block, "tool_use") ? block.id : [],
    );
    const isKnown = (id: string) => (calls.get(id) ?? 0) > 0;
    const { violations, totals } = checkMessage(messages, index, limits, isKnown);
    for (const id of ids) calls.set(id, (calls.get(id) ?? 0) + 1);
    violationCount += violations.length;
    sums.images += totals.images;
    sums.wide += totals.wide;
    sums.marked += totals.marked;
    known.push({ message, calls: ids, totals, violations });
  }

  return {
    get images() {
      return sums.images;
    },
    get checkedMessages() {
      return checkedMessages;
    },
    validate(request) {
      const { messages } = request;
      let same = 0;
      while (same < known.length && known[same]?.message === messages[same]) same += 1;
      forget(Math.max(0, same - 1));
      for (let index = known.length; index < messages.length; index += 1) {
        learn(messages[index] as RequestMessage, index, messages);
      }
      const inMessages = violationCount === 0 ? [] : known.flatMap(({ violations }) => violations);
      return [...inMessages, ...checkWhole(request, sums, limits)];
    },
  };
}
