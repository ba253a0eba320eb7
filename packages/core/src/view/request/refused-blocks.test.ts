import { describe, expect, it } from "vitest";
import type { ContentBlock, ViewItem } from "../../spec/index.ts";
import { refusedBlockSteps } from "./refused-blocks.ts";

const user: ContentBlock = { type: "text", text: "Go on." };
const text: ContentBlock = { type: "text", text: "I look." };
const call = (id: string, more: object = {}) => ({ type: "tool_use", id, name: "Read", input: {}, ...more });
const result = (id: string) => ({ type: "tool_result", tool_use_id: id, content: "ok" });
const thinking = (signature: string) => ({ type: "thinking", thinking: "Hm.", signature });
const mcpCall = { type: "mcp_tool_use", id: "m1", name: "n", server_name: "s", input: {} };
const mcpResult = { type: "mcp_tool_result", tool_use_id: "m1", content: [] };
const fallback = { type: "fallback", from: { model: "a" }, to: { model: "b" } };

/** Messages of the two in turn, the user's first. */
function toItems(...messages: readonly (readonly ContentBlock[])[]): readonly ViewItem[] {
  return messages.flatMap((content, message) =>
    content.map((block, index) => ({
      ...{ role: message % 2 === 0 ? ("user" as const) : ("assistant" as const), entry: `e${message}` },
      ...{ seq: message, index, block, json: JSON.stringify(block) },
    })),
  );
}

/** The places that a refusal of the first block of the answer changes. */
function changed(
  messages: readonly (readonly ContentBlock[])[],
  words = "messages.1.content.0: no",
  betas?: readonly string[],
): readonly string[] {
  return refusedBlockSteps(toItems(...messages), words, { ...(betas && { betas }) }).map((step) =>
    "place" in step ? `${step.place.entry}.${step.place.block}` : step.repair,
  );
}

describe("with a block that a provider refuses go", () => {
  it("all blocks whose betas the request lacks, of whatever type", () => {
    const messages = [[user], [fallback, mcpCall, mcpResult, text], [user], [fallback, text], [user]];
    expect(changed(messages)).toEqual(["e1.0", "e1.1", "e1.2", "e3.0"]);
    expect(changed(messages, undefined, ["mcp-client-2026-09-15"])).toEqual(["e1.0", "e3.0"]);
  });

  it("all blocks of the same beta, though the request has it", () => {
    const messages = [[user], [mcpCall, mcpResult, fallback], [user]];
    const betas = ["mcp-client-2026-09-15", "server-side-fallback-2026-07-01"];
    expect(changed(messages, undefined, betas)).toEqual(["e1.0", "e1.1"]);
  });

  it("all blocks of answers that nobody knows, and none of the user's", () => {
    const odd = (type: string) => ({ type });
    const messages = [
      [user, odd("moon")],
      [odd("hologram"), text, odd("moon")],
      [user],
      [odd("sun")],
      [user],
    ];
    expect(changed(messages)).toEqual(["e1.0", "e1.2", "e3.0"]);
    expect(changed(messages, "messages.0.content.1: no")).toEqual(["e0.1"]);
  });

  it("all thinking, since a provider takes all of it or nothing", () => {
    const hidden = { type: "redacted_thinking", data: "cmVk" };
    expect(changed([[user], [thinking("a"), text], [user], [hidden, thinking("b"), text], [user]])).toEqual([
      "e1.0",
      "e3.0",
      "e3.1",
    ]);
  });

  it("thinking of its message alone where only the message is named", () => {
    expect(
      changed([[user], [thinking("a"), text], [user], [thinking("b"), text], [user]], "messages.1: no"),
    ).toEqual(["e1.0"]);
  });

  it("blocks whose field has the same value, with the other halves of their calls", () => {
    const messages = [
      [user],
      [call("t1", { name: "Räd" }), call("t2")],
      [result("t1"), result("t2")],
      [call("t3", { name: "Räd" })],
      [result("t3"), user],
    ];
    expect(changed(messages, "messages.1.content.0.tool_use.name: no")).toEqual([
      "e1.0",
      "e2.0",
      "e3.0",
      "e4.0",
    ]);
    expect(changed(messages, "messages.1.content.0.tool_use.type: no")).toEqual(["e1.0", "e2.0"]);
    expect(changed(messages)).toEqual(["e1.0", "e2.0"]);
  });

  it("the nearest other half, where an id comes again", () => {
    const messages = [[user], [call("t")], [result("t")], [call("t")], [result("t")], [text], [user]];
    expect(changed(messages, "messages.3.content.0: no")).toEqual(["e3.0", "e4.0"]);
    expect(changed(messages, "messages.2.content.0: no")).toEqual(["e1.0", "e2.0"]);
  });

  it("the call of a server's result, and a result of a server's call", () => {
    const search = { type: "server_tool_use", id: "s1", name: "web_search", input: {} };
    const found = { type: "web_search_tool_result", tool_use_id: "s1", content: [] };
    const other = { type: "web_fetch_tool_result", tool_use_id: "s2", content: {} };
    expect(changed([[user], [found, text], [user]])).toEqual(["e1.0"]);
    expect(changed([[user], [search, found, other], [user]])).toEqual(["e1.0", "e1.1"]);
    expect(changed([[user], [search, found, other], [user]], "messages.1.content.1: no")).toEqual([
      "e1.0",
      "e1.1",
    ]);
  });

  it("no call, where only a field of its other half goes", () => {
    const messages = [[user], [call("t1", { caller: 1 })], [result("t1")]];
    expect(changed(messages, "messages.1.content.0.tool_use.caller: no")).toEqual(["e1.0"]);
  });
});
