import { describe, expect, it } from "vitest";
import type { Entry, Message } from "../spec/index.ts";
import { createAnsweredRequests } from "./answered-requests.ts";

const usage = { input: 1, output: 1, cacheRead: 20, cacheCreation: 3 };

const response = (prefixDigest: string | undefined, more: Partial<Message> = {}, second = 0): Entry => ({
  v: 1,
  kind: "message",
  id: `e${second}`,
  seq: second,
  epoch: 1,
  at: new Date(second * 1_000).toISOString(),
  message: { type: "assistant", content: "", ...(prefixDigest && { prefixDigest }), ...more },
});

describe("answered requests", () => {
  it("are found by the digest of what they had", () => {
    const requests = createAnsweredRequests();
    requests.see(response("one", { usage, model: "m" }, 5));
    expect(requests.find("one")).toEqual({ cachedTokens: 23, model: "m", atMs: 5_000 });
    expect(requests.find("two")).toBeUndefined();
  });

  it("keep what one part of a response measured, at the time of the last", () => {
    const requests = createAnsweredRequests();
    requests.see(response("one", { usage }, 1));
    requests.see(response("one", {}, 2));
    expect(requests.find("one")).toEqual({ cachedTokens: 23, atMs: 2_000 });
  });

  it.each<[string, Entry]>([
    ["cut", response("one", { isAborted: true })],
    ["of a sub-agent", response("one", { isSidechain: true })],
    ["made up locally", response("one", { model: "<synthetic>" })],
    ["the user's", response("one", { type: "user" })],
    ["of unknown origin", response(undefined)],
  ])("are none where the message is %s", (_name, entry) => {
    const requests = createAnsweredRequests();
    requests.see(entry);
    expect(requests.find("one")).toBeUndefined();
  });

  it("are the newest 64, and a copy goes on by itself", () => {
    const requests = createAnsweredRequests();
    for (let number = 1; number <= 64; number += 1) requests.see(response(`${number}`));
    requests.see(response("1"));
    const copy = requests.copy();
    copy.see(response("65"));
    expect(["1", "2", "3", "65"].map((digest) => copy.find(digest) !== undefined)).toEqual([
      true,
      false,
      true,
      true,
    ]);
    expect(["2", "65"].map((digest) => requests.find(digest) !== undefined)).toEqual([true, false]);
  });
});
