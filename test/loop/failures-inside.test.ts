import { describe, expect, it } from "vitest";
import { type Model, PalimpsestError, type Tool } from "../../packages/core/src/spec/index.ts";
import { callTool, createVirtualDisk, fault, say } from "../../packages/testing/src/index.ts";
import { endOf } from "../support/agent.ts";
import { logPath } from "../support/virtual-store.ts";
import { asked, echo, expectGoesOn, messagesOf, providers, setStage, storyOf } from "./stage.ts";

describe.each(providers)("a run with %s", (provider) => {
  it("ends with the error of a disk that is full, wherever that happens, and the session runs again", async () => {
    const count = async () => {
      const stage = await setStage({
        provider,
        script: [callTool("Echo", { text: "hi" }), say("Done.")],
        tools: [echo],
      });
      const before = stage.disk.operations.length;
      await stage.run();
      return stage.disk.operations
        .slice(before)
        .filter(({ name, path }) => name === "append" && path === logPath("one")).length;
    };
    const appends = await count();
    expect(appends).toBeGreaterThan(4);
    for (let failing = 1; failing <= appends; failing += 1) {
      const disk = createVirtualDisk();
      const stage = await setStage({
        provider,
        disk,
        script: [callTool("Echo", { text: "hi" }), say("Done.")],
        tools: [echo],
      });
      let seen = 0;
      const mend = disk.failWhen(({ name, path }) => {
        if (name !== "append" || path !== logPath("one")) return false;
        seen += 1;
        return seen >= failing;
      }, "disk-full");
      const events = await stage.run();
      mend();
      expect(events.filter(({ type }) => type === "run-end")).toHaveLength(1);
      expect(endOf(events)).toMatchObject({ reason: "error", error: { code: "disk-full" } });
      stage.emulator.setScript([say("Better now.")]);
      expect(endOf(await stage.run("Again."))).toMatchObject({ reason: "done", text: "Better now." });
      await expectGoesOn(stage);
    }
  });

  it("ends with the error of what it cannot be set up with, each time, and never as if it were running", async () => {
    const stage = await setStage({
      provider,
      script: [say("Never said.")],
      notices: () => {
        throw new PalimpsestError("invalid-input", "There are no notices.");
      },
    });
    for (let time = 0; time < 2; time += 1) {
      const events = await stage.run();
      expect(events).toHaveLength(1);
      expect(endOf(events)).toMatchObject({ reason: "error", error: { code: "invalid-input" }, requests: 0 });
    }
    expect(asked(stage)).toEqual([]);
    expect(await messagesOf(stage.session)).toEqual([]);
  });

  it("ends with the error of a prompt that says nothing", async () => {
    const stage = await setStage({ provider, script: [say("Done.")] });
    expect(endOf(await stage.run("  "))).toMatchObject({ reason: "error", error: { code: "invalid-input" } });
    expect(endOf(await stage.run("Hello."))).toMatchObject({ reason: "done" });
  });

  it("names a source of notices that fails, and goes on", async () => {
    const take = () => Promise.reject(new Error("no such folder"));
    const stage = await setStage({ provider, script: [say("Done.")], notices: [{ name: "rules", take }] });
    const story = storyOf(await stage.run());
    expect(story.filter((line) => line === "warning: rules: no such folder")).toHaveLength(2);
    expect(story.at(-1)).toBe("run-end done");
  });

  it("is the same run whatever the tools say behind its end", async () => {
    let late: () => void = () => {};
    const talkative: Tool = {
      ...echo,
      run: async (_input, { progress }) => {
        late = () => progress("one more thing");
        return { content: "hi" };
      },
    };
    const stage = await setStage({
      provider,
      script: [callTool("Echo", { text: "hi" }), say("Done.")],
      tools: [talkative],
    });
    const run = stage.session.run("Begin.")[Symbol.asyncIterator]();
    for (let next = await run.next(); ; next = await run.next()) {
      if (next.done) throw new Error("no end");
      if (next.value.type === "run-end") break;
    }
    late();
    expect(await run.next()).toEqual({ done: true, value: undefined });
  });
});

describe("a model", () => {
  it("that breaks its word and throws ends the run with an error, and the next one works", async () => {
    let isBroken = true;
    const model: Model = {
      name: "claude-opus-4-5",
      async *stream() {
        if (isBroken) throw new TypeError("not a function");
        yield {
          ok: true,
          value: {
            type: "response-end",
            id: "msg_1",
            model: "claude-opus-4-5",
            content: [{ type: "text", text: "Hello." }],
            stopReason: "end_turn",
            usage: { input: 1, output: 1, cacheRead: 0, cacheCreation: 0 },
            billed: { input: 100, output: 10, cacheRead: 0, cacheCreation: 0 },
          },
        };
      },
    };
    const stage = await setStage({ model: () => model });
    expect(endOf(await stage.run())).toMatchObject({
      reason: "error",
      message: "Something in the run failed: not a function",
      error: { code: "crashed" },
    });
    isBroken = false;
    const end = endOf(await stage.run("Again."));
    expect(end).toMatchObject({ reason: "done", text: "Hello.", usage: { input: 100, output: 10 } });
    expect(end.dollars).toBeCloseTo((100 * 5 + 10 * 25) / 1_000_000);
  });

  it("with a large window is asked by its bare name, and stands in by its whole one", async () => {
    const stage = await setStage({
      model: "claude-sonnet-4-5[1m]",
      fallback: "claude-opus-4-6[1m]",
      script: [say("One."), fault.rateLimited({ retryAfterSeconds: 3_600 }), say("Two."), say("Three.")],
    });
    expect(endOf(await stage.run())).toMatchObject({ reason: "done", text: "One." });
    expect(stage.session.usage().thresholds.effective).toBe(980_000);
    expect(storyOf(await stage.run("Two?"))).toContain(
      "model-fallback claude-sonnet-4-5[1m] claude-opus-4-6[1m]",
    );
    expect(endOf(await stage.run("Three?"))).toMatchObject({ reason: "done", text: "Three." });
    expect(asked(stage).map(({ body }) => body?.model)).toEqual([
      "claude-sonnet-4-5",
      "claude-sonnet-4-5",
      "claude-opus-4-6",
      "claude-opus-4-6",
    ]);
    expect(asked(stage).every(({ headers }) => headers["anthropic-beta"]?.includes("context-1m"))).toBe(true);
  });
});
