import { describe, expect, it } from "vitest";
import { assistant, call, result, think, user } from "../support/session-messages.ts";
import { beginSession, resumeSession } from "../support/virtual-session.ts";
import { createVirtualStore } from "../support/virtual-store.ts";

const model = "claude-opus-5.5";
const settings = { catalog: { capabilities: { [model]: { dropsUnboundThinking: false } } } };
const request = { thinking: { type: "enabled", budget_tokens: 2000 } };
const done = { type: "text", text: "Done." };

describe("a response", () => {
  it("answers the request it names, not the one made last", async () => {
    const session = await beginSession({ model, settings });
    await session.add(user("One."));
    const { report } = await session.prepare();
    await session.add(user("Steering."));
    await session.prepare();
    const entry = await session.add(
      assistant([think("signed"), done], { prefixDigest: report.prefixDigest }),
    );
    expect(entry).toMatchObject({ message: { prefixDigest: report.prefixDigest } });
    await session.add(user("Two."));
    const after = await session.prepare();
    expect(after.report.thinking).toEqual({ choice: "strip", blocks: 1, isOff: false });
    expect(JSON.stringify(after.request.messages)).not.toContain("signed");
    await session.close();
  });

  it("that names no request answers the one made last", async () => {
    const session = await beginSession({ model, settings });
    await session.add(user("One."));
    await session.prepare();
    await session.add(user("Steering."));
    const { report } = await session.prepare();
    const entry = await session.add(assistant([think("signed"), done]));
    expect(entry).toMatchObject({ message: { prefixDigest: report.prefixDigest } });
    await session.add(user("Two."));
    const after = await session.prepare();
    expect(after.report.thinking).toBeUndefined();
    expect(JSON.stringify(after.request.messages)).toContain("signed");
    await session.close();
  });
});

describe("bound thinking of an open round", () => {
  async function openRound() {
    const store = createVirtualStore();
    const session = await beginSession({ store, model, settings, request, system: "Be brief." });
    await session.add(user("One."));
    await session.prepare();
    await session.add(assistant([think("signed"), call("t1")], { id: "msg_1", stopReason: "tool_use" }));
    await session.add(user([result("t1")]));
    await session.close();
    return store;
  }

  it("survives a reader who looks with another system prompt", async () => {
    const store = await openRound();
    const reader = await beginSession({ store, settings, readOnly: true, system: "Be long." });
    expect((await reader.prepare()).report.thinking).toEqual({ choice: "strip", blocks: 1, isOff: true });
    await reader.close();
    const again = await resumeSession({ store, settings });
    const prepared = await again.prepare();
    expect(prepared.report.thinking).toBeUndefined();
    expect(prepared.request.messages[1]?.content).toMatchObject([think("signed"), call("t1")]);
    await again.close();
  });

  it("is given up where the tools are others, and the round goes on without thinking", async () => {
    const store = await openRound();
    const tools = [{ name: "Read", input_schema: {} }];
    const again = await resumeSession({ store, settings, tools });
    const first = await again.prepare();
    expect(first.report.thinking).toEqual({ choice: "strip", blocks: 1, isOff: true });
    expect(first.request.thinking).toEqual({ type: "disabled" });
    await again.add(assistant([done, call("t2")], { id: "msg_2", stopReason: "tool_use" }));
    await again.add(user([result("t2")]));
    expect((await again.prepare()).request.thinking).toEqual({ type: "disabled" });
    await again.close();
  });
});

describe("thinking of a model that binds it", () => {
  it("is sent to another model that does not", async () => {
    const store = createVirtualStore();
    const session = await beginSession({ store, model, settings });
    await session.add(user("One."));
    await session.prepare();
    await session.add(assistant([think("signed"), done], { model }));
    await session.add(user("Two."));
    await session.close();
    const again = await resumeSession({ store, model: "claude-opus-4-5" });
    const { request: sent } = await again.prepare();
    expect(sent.messages[1]?.content).toMatchObject([think("signed"), done]);
    await again.close();
  });
});
