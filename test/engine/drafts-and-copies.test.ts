import { describe, expect, it } from "vitest";
import type { EntryDraft, Event, Layer, Session } from "../../packages/core/src/spec/index.ts";
import { createVirtualClock } from "../../packages/testing/src/virtual-clock.ts";
import { beginSession, resumeSession } from "../support/virtual-session.ts";
import { createVirtualStore } from "../support/virtual-store.ts";

/** Gives what it is told to, once, before a request. */
function giving(drafts: unknown): Layer {
  let isDone = false;
  return {
    id: "test",
    moments: ["before-request"],
    decide: ({ head }) => {
      if (isDone) return { verdict: "skip", reason: "done" };
      isDone = true;
      return { verdict: "act", command: null, run: "inline", reason: "due", frees: 0, basis: head };
    },
    apply: async () => ({ ok: true, value: drafts as readonly EntryDraft[] }),
  };
}

const message = { type: "user", content: "By the layer." };
const decision = { layer: "test", reason: "due", frees: 0, basis: 2 };
const compaction = { ...decision, type: "compact", attachments: [], covers: "", discoveredTools: [] };

describe("a layer's draft that nobody could read", () => {
  it.each<[string, object]>([
    [
      "has a subtype that is none",
      { kind: "message", message: { type: "attachment", subtype: 5, content: "x" } },
    ],
    ["keeps a segment that is none", { kind: "decision", decision: { ...compaction, kept: null } }],
    [
      "replaces a block by none",
      {
        kind: "decision",
        decision: {
          ...decision,
          type: "repair",
          steps: [{ repair: "replace-block", place: { entry: "a", block: 0 } }],
        },
      },
    ],
    ["has a time that is none", { kind: "message", message, at: 5 }],
  ])("is not appended, and the session goes on: one that %s", async (_, draft) => {
    const store = createVirtualStore();
    const session = await beginSession({ store, layers: [giving([draft])] });
    await session.add({ role: "user", content: "Hello." });
    expect((await session.prepare()).report.layers).toMatchObject([{ outcome: "failed" }]);
    await session.close();
    const again = await resumeSession({ store });
    expect((await again.prepare()).report.messages).toBe(1);
    await again.close();
  });

  it.each([{ v: 7 }, { blobs: 5 }, { epoch: "x" }, { seq: 999 }])(
    "says nothing about what is the engine's to say: %j",
    async (more) => {
      const store = createVirtualStore();
      const session = await beginSession({
        store,
        layers: [giving([{ kind: "message", message, ...more }])],
      });
      await session.add({ role: "user", content: "Hello." });
      const before = await session.prepare();
      await session.add({ role: "assistant", content: "Well." });
      await session.add({ role: "user", content: "Go on." });
      const after = await session.prepare();
      await session.close();
      const again = await resumeSession({ store });
      expect(JSON.stringify((await again.prepare()).request)).toBe(JSON.stringify(after.request));
      expect(JSON.stringify(before.request)).toContain("By the layer.");
      await again.close();
    },
  );
});

describe("a session", () => {
  it("can be closed after a layer tried to", async () => {
    let session: Session | undefined;
    const closing: Layer = {
      ...giving([]),
      apply: async () => {
        await expect(session?.close()).rejects.toMatchObject({ code: "conflict" });
        return { ok: true, value: [] };
      },
    };
    session = await beginSession({ layers: [closing] });
    await session.add({ role: "user", content: "Hello." });
    await session.prepare();
    await session.close();
  });

  it("gives out requests that cannot be changed in place", async () => {
    const session = await beginSession({
      system: "Be brief.",
      tools: [
        { name: "A", input_schema: {} },
        { name: "B", input_schema: {} },
      ],
    });
    await session.add({ role: "user", content: "Hello." });
    await session.add({ role: "assistant", content: "Well." });
    await session.add({ role: "user", content: "Go on." });
    const { request } = await session.prepare();
    const [first] = request.messages as unknown as { role: string; content: unknown[] }[];
    expect(() => first?.content.push({})).toThrow(TypeError);
    expect(() => {
      if (first) first.role = "assistant";
    }).toThrow(TypeError);
    expect(() => {
      const [tool] = request.tools as unknown as { name: string }[];
      if (tool) tool.name = "changed";
    }).toThrow(TypeError);
    await session.close();
  });

  it("copies what it is given", async () => {
    const tools = [{ name: "A", input_schema: { type: "object" } }];
    const system = [{ type: "text" as const, text: "Be brief." }];
    const request = { thinking: { type: "adaptive" } };
    const session = await beginSession({ tools, system, request });
    (tools[0] as { name: string }).name = "changed";
    (system[0] as { text: string }).text = "changed";
    request.thinking.type = "changed";
    await session.add({ role: "user", content: "Hello." });
    expect(JSON.stringify((await session.prepare()).request)).not.toContain("changed");
    await session.close();
  });

  it("may be used by a listener that hears of a layer's work", async () => {
    const recalled: Promise<unknown>[] = [];
    let session: Session | undefined;
    const onEvent = (event: Event) => {
      if (event.type === "decision-record" && session) recalled.push(session.recall(event.id));
    };
    const clear = { ...decision, type: "clear", parts: [] };
    session = await beginSession({ layers: [giving([{ kind: "decision", decision: clear }])], onEvent });
    await session.add({ role: "user", content: "Hello." });
    await session.prepare();
    expect(await Promise.all(recalled)).toMatchObject([{ kind: "decision" }]);
    await session.close();
  });

  it("refuses a model without a name", async () => {
    await expect(beginSession({ model: " ", clock: createVirtualClock() })).rejects.toMatchObject({
      code: "invalid-input",
      path: "model",
    });
  });
});
