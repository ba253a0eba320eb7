import { describe, expect, it } from "vitest";
import { fail } from "../../packages/core/src/spec/index.ts";
import { createVirtualClock, say } from "../../packages/testing/src/index.ts";
import { collect, endOf, modelAt, openAgent } from "../support/agent.ts";
import { emulate } from "../support/emulator.ts";

const small = { capabilities: { "*": { contextWindow: 20_000, maxOutput: 5_000 } } };

describe("a model of which nothing is known", () => {
  it("is asked about at its server before the first request, and its window holds", async () => {
    const { emulator } = await emulate({
      catalog: small,
      models: ["my-model"],
      script: [say("Yes."), say("No.")],
    });
    const session = await openAgent({ model: modelAt(emulator, "openai", "my-model") });
    expect(session.usage().thresholds.window).toBe(200_000);
    expect(endOf(await collect(session.run("Are you there?")))).toMatchObject({ reason: "done" });
    expect(session.usage().thresholds.window).toBe(20_000);
    await collect(session.run("And now?"));
    expect([...emulator.requests].map(({ endpoint }) => endpoint)).toEqual([
      "models",
      "chat_completions",
      "chat_completions",
    ]);
  });

  it("runs with what is assumed where the server does not say, or takes too long", async () => {
    const { emulator } = await emulate({ models: ["my-model"], script: [say("Yes."), say("Yes.")] });
    const model = modelAt(emulator, "openai", "my-model");
    const silent = { ...model, capabilities: async () => fail("server-error", "It is broken.") };
    const first = await openAgent({ model: silent, id: "first" });
    expect(endOf(await collect(first.run("Are you there?")))).toMatchObject({ reason: "done" });
    expect(first.usage().thresholds.window).toBe(200_000);

    const clock = createVirtualClock();
    const slow = {
      ...model,
      capabilities: async (signal?: AbortSignal) => {
        const aborted = new Promise((resolve) => signal?.addEventListener("abort", resolve));
        await clock.advance(3_000);
        await aborted;
        return fail("aborted", "Nobody waits any more.");
      },
    };
    const second = await openAgent({ model: slow, id: "second", clock });
    expect(endOf(await collect(second.run("Are you there?")))).toMatchObject({ reason: "done" });
  });
});
