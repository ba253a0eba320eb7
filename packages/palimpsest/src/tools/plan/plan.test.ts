import { describe, expect, it } from "vitest";
import type { PermissionMode, ToolContext } from "../../../../core/src/spec/index.ts";
import { readToolPurpose } from "../../../../core/src/view/ledgers/tool-call.ts";
import { createVirtualIds } from "../../../../testing/src/virtual-clock.ts";
import { createVirtualDisk } from "../../../../testing/src/virtual-disk.ts";
import { createExitPlanModeTool } from "./index.ts";

function createScene() {
  const disk = createVirtualDisk();
  const tool = createExitPlanModeTool({
    disk,
    ids: createVirtualIds(),
    planFile: (session) => `/plans/${session}.md`,
  });
  return {
    disk,
    tool,
    call: (plan: string, mode: PermissionMode = "plan") =>
      tool.run?.({ plan }, { mode, session: { id: "s1" } } as unknown as ToolContext),
    async planText() {
      const file = await disk.open("/plans/s1.md", "read");
      const into = new Uint8Array(100);
      const read = file.ok ? await file.value.read(0, into) : file;
      return read.ok ? new TextDecoder().decode(into.subarray(0, read.value)) : read.error.code;
    },
  };
}

describe("the ExitPlanMode tool", () => {
  it("writes the plan and leaves plan mode", async () => {
    const { call, planText, disk } = createScene();
    expect(await call("1. First")).toEqual({
      content:
        "The plan is approved, and plan mode is off. Carry it out now.\nThe plan is saved in: /plans/s1.md",
      mode: "default",
    });
    expect(await planText()).toBe("1. First\n");
    await call("2. Second\n");
    expect(await planText()).toBe("2. Second\n");
    expect(await disk.list("/plans")).toEqual({ ok: true, value: ["s1.md"] });
  });

  it("does nothing where plan mode is not on", async () => {
    const { call, planText } = createScene();
    expect(await call("x", "default")).toEqual({
      content: "Plan mode is not on: there is nothing to leave. Go on with the work.",
      isError: true,
    });
    expect(await planText()).toBe("not-found");
  });

  it("stays in plan mode where the plan cannot be saved", async () => {
    const { call, disk } = createScene();
    await disk.makeDirectory("/plans/s1.md");
    expect(await call("x")).toEqual({
      content: expect.stringMatching(
        /^The plan is approved but could not be saved, so plan mode stays on\. \S/,
      ),
      isError: true,
    });
    expect(await disk.list("/plans")).toEqual({ ok: true, value: ["s1.md"] });
  });

  it("has the input that the ledgers read, and needs leave like any change", () => {
    const { tool } = createScene();
    expect(readToolPurpose({ name: tool.name, input: { plan: "p" } })).toEqual({
      purpose: "plan",
      text: "p",
    });
    expect([tool.isReadOnly, tool.subjectsOf]).toEqual([undefined, undefined]);
  });
});
