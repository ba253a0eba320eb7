import { describe, expect, it } from "vitest";
import { readMessagesRequest } from "./anthropic-protocol.ts";

const hour = { type: "ephemeral", ttl: "1h" };
const usual = { type: "ephemeral" };
const marked = (control: object) => [{ type: "text", text: "Hi.", cache_control: control }];

function ttlOf(more: object): string | undefined {
  const body = { model: "m", messages: [{ role: "user", content: "Hello." }], ...more };
  const read = readMessagesRequest(body, {});
  return read.ok ? read.value.cacheTtl : "unread";
}

describe("the time for which a client marks its conversation", () => {
  it.each<[string, object, string | undefined]>([
    ["not said without a marker", {}, undefined],
    ["five minutes where a marker has none", { system: marked(usual) }, "5m"],
    ["what the system prompt's marker says", { system: marked(hour) }, "1h"],
    [
      "what the newest marker says",
      { system: marked(hour), messages: [{ role: "user", content: marked(usual) }] },
      "5m",
    ],
    ["what automatic caching is asked for", { cache_control: hour }, "1h"],
    ["not said where a marker is no object", { system: marked("1h" as unknown as object) }, undefined],
  ])("is %s", (_what, more, expected) => {
    expect(ttlOf(more)).toBe(expected);
  });

  it("names the dearest marker too, where that is another", () => {
    const dearestOf = (system: object, newest: object) => {
      const messages = [{ role: "user", content: marked(newest) }];
      const read = readMessagesRequest({ model: "m", system: marked(system), messages }, {});
      return read.ok && [read.value.cacheTtl, read.value.dearestTtl];
    };
    expect(dearestOf(hour, usual)).toEqual(["5m", "1h"]);
    expect(dearestOf(hour, hour)).toEqual(["1h", undefined]);
    expect(dearestOf(usual, usual)).toEqual(["5m", undefined]);
  });
});
