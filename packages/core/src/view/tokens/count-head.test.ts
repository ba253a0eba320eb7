import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { apportion, countHead, headFeatures, mostHeadTokens, toolText } from "./count-tokens.ts";
import { plainEstimate } from "./estimate.ts";
import { type Features, noFeatures } from "./features.ts";

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
    expect(countHead({ features: features(300) }, undefined, plainEstimate)).toEqual({
      tokens: 400,
      source: "plain",
    });
    expect(countHead({ features: features(300) }, undefined, calibrated)).toEqual({
      tokens: 300,
      source: "calibrated",
    });
  });
});

describe("the head once the provider has counted a prompt", () => {
  it.each<[string, number, number, number, number]>([
    ["is what the messages leave, where the estimate is too high", 9_000, 5_000, 30, 4_970],
    ["is what the padded messages leave, where the estimate is too low", 900, 1_600, 30, 1_560],
    ["is as estimated, where long messages leave room for that", 3_000, 24_000, 15_000, 4_000],
    ["is never more than the prompt", 9_000, 100, 0, 100],
    ["is never less than nothing", 900, 100, 200, 0],
  ])("%s", (_what, own, tokens, messages, expected) => {
    const prompt = { tokens, messages: features(messages) };
    expect(countHead({ features: features(own) }, prompt, plainEstimate)).toEqual({
      tokens: expected,
      source: "usage",
    });
  });

  it("is the difference, where the model's own rates are known", () => {
    const prompt = { tokens: 24_000, messages: features(15_000) };
    expect(countHead({ features: features(3_000) }, prompt, calibrated)).toEqual({
      tokens: 9_000,
      source: "usage",
    });
  });
});

describe("a counted prompt that has more than its messages are estimated to have", () => {
  const system = [{ type: "text" as const, text: "You are careful." }];
  const tool = { name: "Read", input_schema: { type: "object" } };
  const of = (messages: Features, tokens: number, head = headFeatures(system, [])) => {
    const prompt = { tokens, messages };
    const counted = { features: head, mostTokens: mostHeadTokens(head, 0) };
    return countHead(counted, prompt, plainEstimate).tokens;
  };

  it("gives the head no more than its text can cost: the rest is the messages'", () => {
    expect(of(features(6_000), 17_500)).toBeLessThan(16);
    expect(of({ ...features(16), media: 0.005 }, 27_514)).toBeLessThan(16);
  });

  it("gives it what the messages cannot have either: the provider's own prompt", () => {
    expect(of(features(2), 5_000)).toBe(5_000 - 2 * 4);
    expect(of({ ...features(2), opaqueBytes: 100, toolUses: 1 }, 5_000)).toBe(5_000 - 8 - 100 - 400);
  });

  it("leaves the head room for tokenizers twice as fine, and for the words a provider puts around tools", () => {
    const text = headFeatures([{ type: "text", text: "語".repeat(1_000) }], []);
    expect(mostHeadTokens(text, 0)).toBeGreaterThan(2_000);
    const own = headFeatures(system, [tool]);
    expect(mostHeadTokens(own, 1) - mostHeadTokens(own, 0)).toBe(1_000);
  });

  it("gives it all that the messages leave where nobody knows what stands before them", () => {
    const prompt = { tokens: 17_500, messages: features(6_000) };
    expect(countHead({ features: noFeatures }, prompt, plainEstimate).tokens).toBe(9_500);
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
