import { describe, expect, it } from "vitest";
import { createVirtualStore } from "../../../../test/support/virtual-store.ts";
import { createVirtualClock } from "../../../testing/src/virtual-clock.ts";
import type { Decision, Layer, MessageInput } from "../spec/index.ts";
import { openSession } from "./open-session.ts";

const clock = createVirtualClock();
const user = (content: MessageInput["content"]): MessageInput => ({ role: "user", content });
const measured = (id: string, tokens: number): MessageInput => ({
  role: "assistant",
  id,
  content: "Well.",
  usage: { input: tokens, output: 0, cacheRead: 0, cacheCreation: 0 },
});

/** Makes the decision it is given before the next request. */
function deciding() {
  let next: ((basis: number) => Decision) | null = null;
  const layer: Layer = {
    id: "test",
    moments: ["before-request"],
    decide: ({ head }) =>
      next
        ? {
            verdict: "act",
            command: next(head),
            run: "inline",
            reason: "due",
            frees: 0,
            basis: head,
          }
        : { verdict: "skip", reason: "not due" },
    apply: async (decision) => {
      next = null;
      return { ok: true, value: [{ kind: "decision", id: "dec_1", decision: decision as Decision }] };
    },
  };
  return {
    layer,
    make(decision: (basis: number) => Decision) {
      next = decision;
    },
  };
}

const compaction =
  (tokensBefore: number, tokensAfter: number) =>
  (basis: number): Decision => ({
    type: "compact",
    layer: "test",
    reason: "due",
    frees: 0,
    basis,
    trigger: "auto",
    strategy: "test",
    tokensBefore,
    tokensAfter,
    summary: { type: "user", content: "what happened" },
    covers: "",
    attachments: [],
    discoveredTools: [],
  });

async function begin(...layers: readonly Layer[]) {
  return openSession({ store: createVirtualStore(), clock, id: "one", layers });
}

describe("undo", () => {
  it("is refused where the former view does not fit, and says by how much", async () => {
    const { layer, make } = deciding();
    const session = await begin(layer);
    await session.add(user("Hello."));
    make(compaction(176_000, 10));
    await session.prepare();
    const now = session.usage().count.tokens;
    const overBy = now + 176_000 - 10 - 177_000 + 1;
    expect(overBy).toBeLessThan(0);
    await session.add(measured("msg_1", 2_000));
    await expect(session.undo()).rejects.toMatchObject({
      code: "too-large",
      facts: { limit: 177_000, tokens: 177_990, overBy: 991 },
    });
    await session.prepare();
    await session.close();
  });

  it("of a compaction counts by the last response before it, not by those that saw the summary", async () => {
    const { layer, make } = deciding();
    const session = await begin(layer);
    await session.add(user("Hello."));
    await session.add(measured("msg_1", 50_000));
    await session.add(user("Go on."));
    make(compaction(50_000, 100));
    await session.prepare();
    await session.add(measured("msg_2", 300));
    expect(session.usage().count.tokens).toBe(300);
    const { tokensBefore, tokensAfter } = await session.undo();
    expect(tokensBefore).toBe(300);
    expect(tokensAfter).toBeGreaterThan(50_000);
    expect(tokensAfter).toBeLessThan(50_020);
    expect(session.usage().count.source).toBe("usage");
    await session.close();
  });

  it("of a clearing brings back what it had freed", async () => {
    const { layer, make } = deciding();
    const session = await begin(layer);
    await session.add(user("Hello."));
    await session.add({
      role: "assistant",
      content: [{ type: "tool_use", id: "t1", name: "Read", input: {} }],
    });
    await session.add(user([{ type: "tool_result", tool_use_id: "t1", content: "a long file" }]));
    await session.add(measured("msg_1", 50_000));
    await session.add(user("Go on."));
    const before = session.usage().count.tokens;
    const head = { layer: "test", reason: "due" };
    const parts = [{ toolUseId: "t1", part: "result", label: "[cleared]" }] as const;
    make((basis) => ({ ...head, type: "clear", frees: 20_000, basis, parts }));
    await session.prepare();
    expect(session.usage().count.tokens).toBe(before - 20_000);
    await session.undo("dec_1");
    expect(session.usage().count.tokens).toBe(before);
    await session.close();
  });

  it("of a rewind, or a rewind itself, counts by the newest response that is in the view", async () => {
    const session = await begin();
    await session.add(user("Hello."));
    const first = await session.add(measured("msg_1", 1_000));
    await session.add(user("Go on."));
    await session.add(measured("msg_2", 9_000));
    await session.rewind(first.id);
    expect(session.usage().count).toEqual({ tokens: 1_000, source: "usage" });
    const rewound: string[] = [];
    for await (const entry of session.entries()) if (entry.kind === "decision") rewound.push(entry.id);
    await session.undo(rewound[0]);
    expect(session.usage().count).toEqual({ tokens: 9_000, source: "usage" });
    await session.close();
  });
});
