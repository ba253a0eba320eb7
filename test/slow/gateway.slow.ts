import { describe, expect, it } from "vitest";
import { runRandomClient } from "../gateway/random-client.ts";
import { seed } from "../support/seed.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const minimum = 1_000;
const batch = 50;

describe("a client that does at random what clients do", () => {
  it(`${minimum} times: every answer is coherent, and every log gives what was sent`, async () => {
    const started = performance.now();
    let done = 0;
    let rewritten = 0;
    let compared = 0;
    /** Requests that the provider found too long, since ours is an estimate: each was compacted and sent once more. */
    let overflows = 0;
    for (let run = 0; done < minimum; run += 1) {
      const home = await temporaryFolder();
      const protocol = run % 2 === 0 ? "anthropic" : "openai";
      const windowTokens = run % 3 === 0 ? 16_000 : 24_000;
      const report = await runRandomClient({ home, seed: seed + run, count: batch, protocol, windowTokens });
      const others = report.invalidRequests.filter((one) => !one.includes("prompt is too long"));
      overflows += report.invalidRequests.length - others.length;
      expect({ ...report, invalidRequests: others }, `seed ${seed + run}, ${protocol}`).toMatchObject({
        invalidRequests: [],
        incoherent: [],
        different: [],
        failures: [],
      });
      done += batch;
      rewritten += report.rewritten;
      compared += report.compared;
    }
    const seconds = Math.round((performance.now() - started) / 1000);
    console.log(
      `behaviours of clients: reached ${done} in ${seconds} s (minimum ${minimum}), ${rewritten} requests rewritten, ${compared} logs compared with what was sent, ${overflows} found too long and sent again`,
    );
    expect(rewritten).toBeGreaterThan(minimum / 10);
    expect(overflows).toBeLessThanOrEqual(minimum / 100);
  });
});
