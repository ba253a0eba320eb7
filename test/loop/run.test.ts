import { describe, expect, it } from "vitest";
import type { Tool } from "../../packages/core/src/spec/index.ts";
import { callTool, say } from "../../packages/testing/src/index.ts";
import { collect, endOf, modelAt, openAgent, type Provider, typesOf } from "../support/agent.ts";
import { emulate } from "../support/emulator.ts";

const echo: Tool = {
  name: "Echo",
  description: "Gives back what it is given.",
  input_schema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  isReadOnly: true,
  run: async (input) => ({ content: (input as { text: string }).text }),
};

describe.each<Provider>(["anthropic", "openai"])("a run with %s", (provider) => {
  it("asks, runs a tool, asks again and ends with the answer", async () => {
    const { emulator } = await emulate({ script: [callTool("Echo", { text: "hi" }), say("It said hi.")] });
    const session = await openAgent({ model: modelAt(emulator, provider), tools: [echo] });
    const events = await collect(session.run("Say hi."));
    expect(endOf(events)).toMatchObject({ reason: "done", text: "It said hi.", requests: 2 });
    expect(typesOf(events).filter((type) => !type.startsWith("block"))).toEqual([
      "run-start",
      "model-start",
      "response-start",
      "response-end",
      "tool-start",
      "tool-end",
      "model-start",
      "response-start",
      "response-end",
      "run-end",
    ]);
    expect([...emulator.requests].map(({ status }) => status)).toEqual([200, 200]);
  });
});
