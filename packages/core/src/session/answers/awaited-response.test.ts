import { describe, expect, it } from "vitest";
import type { Message } from "../../spec/index.ts";
import { createAwaitedResponse } from "./recordable-answer.ts";

const times = { askedAtMs: 1, receivedAtMs: 5 };
const response = (more: Partial<Message> = {}): Message => ({ type: "assistant", content: "Hi.", ...more });

describe("a response that is awaited", () => {
  it("is the next one behind a request, and no other", () => {
    const awaited = createAwaitedResponse();
    expect(awaited.take(response(), 5)).toBeUndefined();
    awaited.ask(1);
    expect(awaited.take({ type: "user", content: "And?" }, 5)).toBeUndefined();
    expect([awaited.take(response(), 5), awaited.take(response(), 5)]).toEqual([times, undefined]);
  });

  it("is all of its entries", () => {
    const awaited = createAwaitedResponse();
    awaited.ask(1);
    const taken = ["a", "a", "b"].map((responseId) => awaited.take(response({ responseId }), 5));
    expect(taken).toEqual([times, times, undefined]);
  });

  it("is the one that comes in place of one that was cut, too", () => {
    const awaited = createAwaitedResponse();
    awaited.ask(1);
    const taken = [{ isAborted: true }, { isAborted: true }, {}, {}].map((more) =>
      awaited.take(response(more), 5),
    );
    expect(taken).toEqual([times, times, times, undefined]);
  });
});
