import { describe, expect, it } from "vitest";
import { say } from "../../packages/testing/src/index.ts";
import { collect, modelAt, openAgent } from "../support/agent.ts";
import { emulate } from "../support/emulator.ts";

describe("countExactly", () => {
  it("gives what the model's own endpoint counts, which is what the request then has", async () => {
    const { emulator } = await emulate({ script: [say("Yes.")] });
    const session = await openAgent({ model: modelAt(emulator), system: "Be brief." });
    await session.add({ role: "user", content: "Are you there? ".repeat(50) });
    const counted = await session.countExactly();
    await collect(session.run("And now?"));
    const asked = emulator.requests.where(({ endpoint }) => endpoint === "messages").at(-1);
    expect(emulator.requests.where(({ endpoint }) => endpoint === "count_tokens")).toHaveLength(1);
    expect(counted).toBeGreaterThan(100);
    expect(asked?.promptTokens).toBeGreaterThan(counted);
    expect(asked?.promptTokens).toBeLessThan(counted + 20);
  });

  it("says so where nobody counts", async () => {
    const { emulator } = await emulate({ script: [] });
    const session = await openAgent({ model: modelAt(emulator, "openai") });
    await session.add({ role: "user", content: "Hello." });
    await expect(session.countExactly()).rejects.toMatchObject({
      code: "invalid-input",
      fix: expect.any(String),
    });
  });
});
