import { describe, expect, it } from "vitest";
import type { Message } from "../../spec/index.ts";
import { createAwaitedResponse } from "./recordable-answer.ts";

const response = (more: Partial<Message> = {}): Message => ({ type: "assistant", content: "Hi.", ...more });

describe("a response that is awaited", () => {
  it("is the next one behind a request, and no other", () => {
    const awaited = createAwaitedResponse();
    expect(awaited.take(response())).toBe(false);
    awaited.ask();
    expect(awaited.take({ type: "user", content: "And?" })).toBe(false);
    expect([awaited.take(response()), awaited.take(response())]).toEqual([true, false]);
  });

  it("is all of its entries", () => {
    const awaited = createAwaitedResponse();
    awaited.ask();
    const taken = ["a", "a", "b"].map((responseId) => awaited.take(response({ responseId })));
    expect(taken).toEqual([true, true, false]);
  });

  it("is the one that comes in place of one that was cut, too", () => {
    const awaited = createAwaitedResponse();
    awaited.ask();
    const taken = [{ isAborted: true }, { isAborted: true }, {}, {}].map((more) =>
      awaited.take(response(more)),
    );
    expect(taken).toEqual([true, true, true, false]);
  });
});
