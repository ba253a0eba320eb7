import { describe, expect, it } from "vitest";
import { lastingAttachments } from "../../packages/core/src/layers/4-compaction/rules/plan-restoration.ts";
import type { EntryBody, MessageEntry, ToolContext } from "../../packages/core/src/spec/index.ts";
import { createLedgers } from "../../packages/core/src/view/ledgers/ledgers.ts";
import { createExitPlanModeTool } from "../../packages/palimpsest/src/tools/plan/index.ts";
import { createVirtualDisk, createVirtualIds } from "../../packages/testing/src/index.ts";

describe("a plan that was approved", () => {
  it("is brought back behind a compaction with the path that the tool has said", async () => {
    const tool = createExitPlanModeTool({
      disk: createVirtualDisk(),
      ids: createVirtualIds(),
      planFile: (session) => `/home/plans/${session}.md`,
    });
    const input = { plan: "1. Write a reader." };
    const context = { mode: "plan", session: { id: "one" } } as unknown as ToolContext;
    const outcome = await tool.run?.(input, context);
    const block = { type: "tool_use", id: "t1", name: tool.name, input };
    const result = { type: "tool_result", tool_use_id: "t1", content: outcome?.content };
    const bodies = [
      { kind: "message", message: { type: "user", content: "Plan it." } },
      { kind: "message", message: { type: "assistant", content: [block] } },
      { kind: "message", message: { type: "user", content: [result] } },
    ] as unknown as readonly EntryBody[];
    const writer = createLedgers();
    for (const [index, body] of bodies.entries()) {
      const head = { v: 1, seq: index + 1, epoch: 1, id: `e${index + 1}`, at: "2026-01-01T00:00:00.000Z" };
      writer.add({ ...head, ...body } as MessageEntry);
    }
    const ledgers = writer.ledgers();
    expect(ledgers.plan).toEqual({ text: "1. Write a reader.", path: "/home/plans/one.md" });
    expect(lastingAttachments(ledgers)).toMatchObject([
      { subtype: "plan", content: "The plan, in /home/plans/one.md:\n1. Write a reader." },
    ]);
  });
});
