import type { RequestMessage } from "../../spec/index.ts";
import {
  type CheckedMessage,
  type CheckedRequest,
  checkLinks,
  checkMessage,
  checkWhole,
  hasLinks,
  linksOf,
  type MessageLinks,
} from "./check-request.ts";
import type { RequestLimits, Violation } from "./violation.ts";

/**
 * `validate` for requests that grow and change: messages that are the very same objects as in the call before, and
 * whose neighbours call and answer what they did, are not looked at again. Gives exactly what `validate` gives.
 */
interface Validator {
  /** `same`: messages before it are known to be the very objects of the call before, and are not even compared. */
  validate(request: CheckedRequest, same?: number): readonly Violation[];
  /** Images in the request validated last. */
  readonly images: number;
  /** Messages looked at, and compared, since the beginning, for tests that count them. */
  readonly checkedMessages: number;
  readonly comparedMessages: number;
}

/** A message of the request before. */
interface KnownMessage {
  readonly checked: CheckedMessage;
  readonly links: MessageLinks;
  /** Problems between it and its neighbours. */
  readonly linked: readonly Violation[];
}

export function createValidator(limits: RequestLimits): Validator {
  const former: RequestMessage[] = [];
  /** By message of the request before. */
  const known: KnownMessage[] = [];
  /** How often each id is called in the known messages. */
  const calls = new Map<string | null, number>();
  const sums = { images: 0, wide: 0, marked: 0 };
  let checkedMessages = 0;
  let comparedMessages = 0;
  let violationCount = 0;

  function count({ checked, linked }: KnownMessage, sign: 1 | -1): void {
    const { violations, totals } = checked;
    violationCount += sign * (violations.length + linked.length);
    sums.images += sign * totals.images;
    sums.wide += sign * totals.wide;
    sums.marked += sign * totals.marked;
  }

  function put(
    messages: readonly RequestMessage[],
    index: number,
    found: Omit<KnownMessage, "checked">,
  ): void {
    checkedMessages += 1;
    const before = known[index];
    if (before) count(before, -1);
    const { links, linked } = found;
    const now = { links, linked, checked: checkMessage(messages, index, limits) };
    count(now, 1);
    known[index] = now;
  }

  function forget(from: number): void {
    for (const one of known.splice(from)) {
      for (const id of one.links.calls) calls.set(id, (calls.get(id) ?? 1) - 1);
      count(one, -1);
    }
  }

  function learn(messages: readonly RequestMessage[], from: number): void {
    const links = messages.slice(from).map(linksOf);
    const isKnownCall = (id: string) => (calls.get(id) ?? 0) > 0;
    for (const [at, own] of links.entries()) {
      const index = from + at;
      const before = known[index - 1]?.links;
      const linked = checkLinks({ index, links: own, before, next: links[at + 1], isKnownCall });
      put(messages, index, { links: own, linked });
      for (const id of own.calls) calls.set(id, (calls.get(id) ?? 0) + 1);
    }
  }

  /** Looks again at messages that changed by themselves; gives the first that is another one to its neighbours. */
  function lookAgain(messages: readonly RequestMessage[], from: number): number {
    for (let index = from; index < former.length; index += 1) {
      const message = messages[index];
      comparedMessages += 1;
      if (former[index] === message) continue;
      const { links, linked } = known[index] as KnownMessage;
      if (!message || !hasLinks(message, links)) return index;
      put(messages, index, { links, linked });
    }
    return former.length;
  }

  return {
    get images() {
      return sums.images;
    },
    get checkedMessages() {
      return checkedMessages;
    },
    get comparedMessages() {
      return comparedMessages;
    },
    validate(request, given = 0) {
      const { messages } = request;
      const from = Math.min(given, former.length);
      const same = lookAgain(messages, from);
      if (same < messages.length || same < known.length) forget(Math.max(0, same - 1));
      learn(messages, known.length);
      former.length = from;
      for (let index = from; index < messages.length; index += 1)
        former.push(messages[index] as RequestMessage);
      const inMessages =
        violationCount === 0
          ? []
          : known.flatMap(({ checked, linked }) => [...checked.violations, ...linked]);
      return [...inMessages, ...checkWhole(request, sums, limits)];
    },
  };
}

/** Every violation of the API's rules, with its path. Pure. */
export function validate(request: CheckedRequest, limits: RequestLimits): readonly Violation[] {
  const { messages } = request;
  const all = messages.map(linksOf);
  const seen = new Set<string | null>();
  const isKnownCall = (id: string) => seen.has(id);
  const totals = { images: 0, wide: 0, marked: 0 };
  const violations = all.flatMap((links, index) => {
    const checked = checkMessage(messages, index, limits);
    const linked = { index, links, before: all[index - 1], next: all[index + 1], isKnownCall };
    const found = [...checked.violations, ...checkLinks(linked)];
    for (const id of links.calls) seen.add(id);
    totals.images += checked.totals.images;
    totals.wide += checked.totals.wide;
    totals.marked += checked.totals.marked;
    return found;
  });
  return [...violations, ...checkWhole(request, totals, limits)];
}
