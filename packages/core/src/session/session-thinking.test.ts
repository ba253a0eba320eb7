import { describe, expect, it } from "vitest";
import { createVirtualStore } from "../../../../test/support/virtual-store.ts";
import { createVirtualClock } from "../../../testing/src/virtual-clock.ts";
import type { Decision, Layer, MessageInput, Session, Settings, Store } from "../spec/index.ts";
import { bindingControlsBeta } from "./cache/thinking-guard.ts";
import { openSession } from "./open-session.ts";

const clock = createVirtualClock();
const model = "claude-opus-5.5";
const noDropping: Settings = { catalog: { capabilities: { [model]: { dropsUnboundThinking: false } } } };
const user = (content: MessageInput["content"]): MessageInput => ({ role: "user", content });
const think = (signature: string) => ({ type: "thinking", thinking: "", signature });
const done = { type: "text", text: "Done." };
const call = (id: string) => ({ type: "tool_use", id, name: "Read", input: {} });
const result = (id: string) => ({ type: "tool_result", tool_use_id: id, content: `text of ${id}` });
const assistant = (id: string, ...content: readonly { readonly type: string }[]): MessageInput => ({
  role: "assistant",
  id,
  content,
});

/** Clears the results it is told to clear before the next request. */
function clearing() {
  const due: string[] = [];
  const layer: Layer = {
    id: "clearing",
    moments: ["before-request"],
    decide: (view) =>
      due.length === 0
        ? { verdict: "skip", reason: "nothing is due" }
        : { verdict: "act", command: view.head, run: "inline", reason: "due", frees: 1, basis: view.head },
    apply: async (basis) => {
      const parts = due.map((toolUseId) => ({ toolUseId, part: "result", label: "[cleared]" }) as const);
      const head = { layer: "clearing", reason: "due", frees: 1, basis: basis as number };
      const decision: Decision = { ...head, type: "clear", parts };
      return { ok: true, value: [{ kind: "decision", id: "dec_clear", decision }] };
    },
  };
  return { layer, due };
}

interface Setting {
  readonly settings?: Settings;
  readonly thinking?: unknown;
  readonly store?: Store;
  readonly layers?: readonly Layer[];
}

async function begin({ settings, thinking, store = createVirtualStore(), layers = [] }: Setting) {
  const request = thinking === undefined ? {} : { thinking };
  return openSession({ store, clock, id: "one", model, system: "Be brief.", settings, request, layers });
}

/** A turn with one round of tool calls, each response with thinking; the last one is answered. */
async function oneTurn(session: Session): Promise<void> {
  await session.add(user("One."));
  await session.prepare();
  await session.add(assistant("msg_1", think("s1"), call("t1")));
  await session.add(user([result("t1")]));
  await session.prepare();
  await session.add(assistant("msg_2", think("s2"), done));
}

const signatures = async (session: Session) => {
  const { request } = await session.prepare();
  return [...JSON.stringify(request.messages).matchAll(/"signature":"(\w+)"/g)].map(([, name]) => name);
};

describe("thinking that is bound to its prefix", () => {
  it("is sent as it was while nothing before it changes", async () => {
    const session = await begin({});
    await oneTurn(session);
    await session.add(user("Two."));
    expect(await signatures(session)).toEqual(["s1", "s2"]);
    expect((await session.prepare()).report.thinking).toBeUndefined();
    await session.close();
  });

  it("survives a restart", async () => {
    const store = createVirtualStore();
    const session = await begin({ store });
    await oneTurn(session);
    await session.add(user("Two."));
    await session.close();
    const again = await openSession({ store, clock, id: "one", resume: true });
    expect(await signatures(again)).toEqual(["s1", "s2"]);
    await again.close();
  });

  it("is left for the API to drop where it can, and every later request says so", async () => {
    const { layer, due } = clearing();
    const session = await begin({ layers: [layer], thinking: { type: "adaptive" } });
    await oneTurn(session);
    await session.add(user("Two."));
    due.push("t1");
    const { request, report } = await session.prepare();
    due.pop();
    expect(report.thinking).toEqual({ choice: "drop-block", blocks: 1, isOff: false });
    const binding = { block_binding: { prefix_mismatch_behavior: "drop_block" } };
    expect(request).toMatchObject({
      thinking: { type: "adaptive", ...binding },
      betas: [bindingControlsBeta],
    });
    await session.add(assistant("msg_3", think("s3"), done));
    await session.add(user("Three."));
    const next = await session.prepare();
    expect(next.request).toMatchObject({ thinking: binding });
    expect(next.report.thinking).toMatchObject({ blocks: 1 });
    await session.close();
  });

  it("is stripped, all of it, where the API cannot drop it and no round is open", async () => {
    const { layer, due } = clearing();
    const session = await begin({ layers: [layer], settings: noDropping, thinking: { type: "adaptive" } });
    await oneTurn(session);
    await session.add(user("Two."));
    due.push("t1");
    const { report, request } = await session.prepare();
    due.pop();
    expect(report.thinking).toEqual({ choice: "strip", blocks: 1, isOff: false });
    expect(JSON.stringify(request.messages)).not.toContain("signature");
    await session.add(assistant("msg_3", think("s3"), call("t3")));
    await session.add(user([result("t3")]));
    expect(await signatures(session)).toEqual(["s3"]);
    await session.close();
  });

  it("makes an edit wait while a round is open", async () => {
    const { layer, due } = clearing();
    const session = await begin({ layers: [layer], settings: noDropping });
    await oneTurn(session);
    await session.add(user("Two."));
    await session.prepare();
    await session.add(assistant("msg_3", think("s3"), call("t3")));
    await session.add(user([result("t3")]));
    due.push("t1");
    const { report, request } = await session.prepare();
    expect(report.layers).toMatchObject([{ layer: "clearing", outcome: "waiting", frees: 0 }]);
    expect(JSON.stringify(request.messages)).toContain("text of t1");
    await session.add(assistant("msg_4", think("s4"), done));
    await session.add(user("Three."));
    const after = await session.prepare();
    expect(after.report).toMatchObject({ layers: [{ outcome: "act" }], thinking: { choice: "strip" } });
    expect(JSON.stringify(after.request.messages)).not.toContain("text of t1");
    await session.close();
  });

  it("lets an edit behind all thinking through while a round is open", async () => {
    const { layer, due } = clearing();
    const session = await begin({ layers: [layer], settings: noDropping });
    await session.add(user("One."));
    await session.prepare();
    await session.add(assistant("msg_1", think("s1"), call("t1")));
    await session.add(user([result("t1")]));
    due.push("t1");
    const { report, request } = await session.prepare();
    expect(report.layers).toMatchObject([{ outcome: "act" }]);
    expect(JSON.stringify(request.messages)).toContain("[cleared]");
    await session.close();
  });

  it("forbids an undo while a round is open, and says when to try again", async () => {
    const { layer, due } = clearing();
    const session = await begin({ layers: [layer], settings: noDropping });
    await oneTurn(session);
    await session.add(user("Two."));
    due.push("t1");
    await session.prepare();
    due.pop();
    await session.add(assistant("msg_3", think("s3"), call("t3")));
    await session.add(user([result("t3")]));
    await expect(session.undo("dec_clear")).rejects.toMatchObject({
      code: "conflict",
      fix: "Undo it once the turn has ended.",
    });
    expect(await signatures(session)).toEqual(["s3"]);
    await session.close();
  });

  it("never bricks a session: a changed system prompt in an open round costs the thinking", async () => {
    const store = createVirtualStore();
    const session = await begin({
      store,
      settings: noDropping,
      thinking: { type: "enabled", budget_tokens: 2000 },
    });
    await session.add(user("One."));
    await session.prepare();
    await session.add(assistant("msg_1", think("s1"), call("t1")));
    await session.add(user([result("t1")]));
    await session.close();
    const again = await openSession({
      store,
      clock,
      id: "one",
      resume: true,
      system: "Be long.",
      settings: noDropping,
    });
    const { request, report } = await again.prepare();
    expect(report.thinking).toEqual({ choice: "strip", blocks: 1, isOff: true });
    expect(request.thinking).toEqual({ type: "disabled" });
    await again.add(assistant("msg_2", call("t2")));
    await again.add(user([result("t2")]));
    expect((await again.prepare()).report.thinking).toEqual({ blocks: 0, isOff: true });
    await again.add(assistant("msg_3", done));
    await again.add(user("Two."));
    const next = await again.prepare();
    expect(next.report.thinking).toBeUndefined();
    expect(next.request.thinking).toEqual({ type: "enabled", budget_tokens: 2000 });
    await again.close();
  });

  it("is kept as it is on models that do not bind it", async () => {
    const { layer, due } = clearing();
    const session = await openSession({
      store: createVirtualStore(),
      clock,
      id: "one",
      model: "claude-opus-4-5",
      layers: [layer],
    });
    await oneTurn(session);
    await session.add(user("Two."));
    due.push("t1");
    expect(await signatures(session)).toEqual(["s1", "s2"]);
    await session.close();
  });
});

describe("fields of every request", () => {
  it("are kept with the session, and those it fills itself are refused", async () => {
    const store = createVirtualStore();
    const session = await begin({ store, thinking: { type: "adaptive" } });
    await session.close();
    const again = await openSession({ store, clock, id: "one", resume: true });
    await again.add(user("One."));
    expect((await again.prepare()).request.thinking).toEqual({ type: "adaptive" });
    await again.close();
    await expect(openSession({ store, id: "two", request: { messages: [] } })).rejects.toMatchObject({
      code: "invalid-input",
      path: "request.messages",
    });
  });
});
