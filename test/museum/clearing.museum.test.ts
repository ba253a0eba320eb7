import { describe, expect, it } from "vitest";
import { createMicrocompactLayer } from "../../packages/core/src/layers/2-microcompact/index.ts";
import { addRound, beginToolSession } from "../support/tool-rounds.ts";
import { readJsonFixture } from "./read-fixture.ts";

describe("museum", () => {
  it("16: old results are cleared in a batch that pays, not one at every step", async () => {
    const { steps, resultChars, tool } = readJsonFixture<{
      steps: number;
      resultChars: number;
      tool: string;
    }>("16-one-result-a-step.json");
    const layers = [createMicrocompactLayer()];
    const { session, events } = await beginToolSession({ layers, model: "claude-sonnet-4-5[1m]" });
    let broken = 0;
    for (let step = 0; step < steps; step += 1) {
      const input = { file_path: `/${step}` };
      await addRound(session, [
        { id: `t${step}`, tool, input, content: `${step} `.padEnd(resultChars, "x") },
      ]);
      const { report } = await session.prepare();
      if (step > 0 && report.sharedBlocks < step) broken += 1;
    }
    const clears = events.flatMap((event) => (event.type === "results-clear" ? [event] : []));
    expect(clears.length).toBeGreaterThan(0);
    expect(clears.length).toBeLessThan(steps / 6);
    expect(broken).toBeLessThanOrEqual(clears.length);
    for (const { tokensSaved } of clears) expect(tokensSaved).toBeGreaterThan((4 * resultChars) / 4);
    await session.close();
  });
});
