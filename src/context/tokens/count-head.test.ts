import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { apportion } from "./apportion.ts";
import { countHead } from "./count-head.ts";
import { plainEstimate } from "./estimate.ts";
import { type Features, noFeatures } from "./features.ts";
import { headFeatures, toolText } from "./head-features.ts";

const features = (plain: number): Features => ({ ...noFeatures, plain });
const calibrated = ({ plain }: Features) => ({ tokens: plain, source: "calibrated" }) as const;

describe("the head before the provider has counted it", () => {
  it("is counted as text, tool definitions too: four bytes a token", () => {
    const system = [{ type: "text" as const, text: "x".repeat(400) }];
    const tool = { name: "Read", description: "y".repeat(300), input_schema: { type: "object" } };
    const bytes = JSON.stringify(tool).length;
    expect(headFeatures(system, [tool, tool]).plain).toBe(100 + 2 * Math.ceil(bytes / 4));
    expect(toolText(tool)).toEqual({ type: "text", text: JSON.stringify(tool) });
    expect(headFeatures([], [])).toEqual(noFeatures);
  });

  it("is padded where only the plain rule is known", () => {
    expect(countHead(features(300), undefined, plainEstimate)).toEqual({ tokens: 400, source: "plain" });
    expect(countHead(features(300), undefined, calibrated)).toEqual({ tokens: 300, source: "calibrated" });
  });
});

describe("the head once the provider has counted a prompt", () => {
  it.each<[string, number, number, number, number]>([
    ["is what the messages leave, where the estimate is too high", 9_000, 5_000, 30, 4_970],
    ["is what the padded messages leave, where the estimate is too low", 900, 5_000, 30, 4_960],
    ["is as estimated, where long messages leave room for that", 3_000, 24_000, 15_000, 4_000],
    ["is never more than the prompt", 9_000, 100, 0, 100],
    ["is never less than nothing", 900, 100, 200, 0],
  ])("%s", (_what, own, tokens, messages, expected) => {
    const prompt = { tokens, messages: features(messages) };
    expect(countHead(features(own), prompt, plainEstimate)).toEqual({ tokens: expected, source: "usage" });
  });

  it("is the difference, where the model's own rates are known", () => {
    const prompt = { tokens: 24_000, messages: features(15_000) };
    expect(countHead(features(3_000), prompt, calibrated)).toEqual({ tokens: 9_000, source: "usage" });
  });
});

describe("apportion", () => {
  it("gives whole numbers that add up, each within one of its part, and nothing to nothing", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 1e6 })), fc.nat({ max: 1e7 }), (amounts, total) => {
        const whole = amounts.reduce((sum, amount) => sum + amount, 0);
        const parts = apportion(amounts, total);
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(whole === 0 ? 0 : total);
        for (const [at, part] of parts.entries()) {
          const amount = amounts[at] ?? 0;
          expect(Number.isInteger(part)).toBe(true);
          expect(Math.abs(part - (whole === 0 ? 0 : (amount / whole) * total))).toBeLessThan(1.000_001);
          if (amount === 0) expect(part).toBe(0);
        }
      }),
    );
  });
});
