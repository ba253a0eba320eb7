import { expect, it, onTestFinished } from "vitest";
import { openSession } from "../../packages/core/src/session/open-session.ts";
import { ok } from "../../packages/core/src/spec/index.ts";
import { createLoop } from "../../packages/palimpsest/src/loop/create-loop.ts";
import type { LoopSetup } from "../../packages/palimpsest/src/loop/run.ts";
import { say } from "../../packages/testing/src/index.ts";
import { collect, endOf, modelAt } from "../support/agent.ts";
import { emulate } from "../support/emulator.ts";
import { createVirtualStore } from "../support/virtual-store.ts";

const silence = { contexts: [], messages: [], warnings: [] };

it("is set up once, and again only where that failed", async () => {
  const { emulator } = await emulate({ script: [say("One."), say("Two.")] });
  const model = modelAt(emulator);
  const setup: LoopSetup = {
    modelFor: async () => ok(model),
    tools: () => undefined,
    hooks: { has: () => false, run: async () => silence },
    notices: [],
    judge: () => ({ behavior: "allow", reason: "" }),
    resolve: async (subjects) => ({ subjects, paths: [] }),
    random: () => 0,
  };
  let times = 0;
  const loop = createLoop({
    setupFor: async () => {
      times += 1;
      if (times === 1) throw new Error("the folder is gone");
      return setup;
    },
  });
  const session = await openSession({ store: createVirtualStore(), layers: [], id: "one", model, loop });
  onTestFinished(() => session.close());
  const ends = [];
  for (const prompt of ["First.", "Second.", "Third."]) ends.push(endOf(await collect(session.run(prompt))));
  expect(ends.map(({ reason, text }) => [reason, text])).toEqual([
    ["error", ""],
    ["done", "One."],
    ["done", "Two."],
  ]);
  expect(ends[0]?.message).toBe("Something in the run failed: the folder is gone");
  expect(times).toBe(2);
});
