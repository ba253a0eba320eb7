import { describe, expect, it } from "vitest";
import { createCatalog } from "../catalog/index.ts";
import { PalimpsestError } from "../spec/index.ts";
import type { WindowNumbers } from "./window/settings.ts";
import { resolveWindow, type WindowInput } from "./window/window.ts";

const catalog = createCatalog();
const beta = "context-1m-2025-08-07";
const variable = "PALIMPSEST_CONTEXT_WINDOW";

function resolve(model: string, more: Partial<WindowInput> = {}) {
  return resolveWindow({ model, capabilities: catalog.capabilities(model), ...more });
}

describe("resolveWindow", () => {
  it("takes the suffix before everything else", () => {
    const environment = { [variable]: "1000000" };
    expect(resolve("claude-sonnet-4-5[1m]", { environment })).toEqual({
      tokens: 1_000_000,
      source: "model-suffix",
      betas: [beta],
      warnings: [],
    });
    expect(resolve("anything[1M] ").source).toBe("model-suffix");
    expect(resolve("anything-[1m]-else").source).toBe("default");
    expect(resolve("anything[2m]").source).toBe("default");
  });

  it("refuses the suffix of a model that is known to have no such window", () => {
    expect(resolve("claude-opus-4-5[1m]")).toEqual({
      tokens: 200_000,
      source: "capabilities",
      refusal: "“[1m]” asks for a window of 1000000 tokens, and claude-opus-4-5 has 200000.",
      warnings: [],
    });
    const capabilities = { known: true, value: { contextWindow: 200_000, longWindow: true } };
    expect(resolve("claude-opus-4-5[1m]", { capabilities }).source).toBe("model-suffix");
    expect(resolve("claude-opus-4-6[1m]").source).toBe("model-suffix");
    expect(resolve("claude-opus-4-5[1m]", { numbers: { longWindowTokens: 200_000 } }).source).toBe(
      "model-suffix",
    );
  });

  it("takes the capabilities of a known model before beta header and environment", () => {
    expect(resolve("claude-opus-4-5-20251101", { betas: [beta] })).toEqual({
      tokens: 200_000,
      source: "capabilities",
      warnings: [],
    });
    expect(resolve("gpt-4o")).toEqual({ tokens: 128_000, source: "capabilities", warnings: [] });
  });

  it("takes what the Models API reports", () => {
    const capabilities = { known: true, value: { contextWindow: 350_000 } };
    expect(resolve("brand-new", { capabilities })).toMatchObject({ tokens: 350_000, source: "capabilities" });
  });

  it("takes the beta header where the model is unknown", () => {
    const environment = { [variable]: "8000" };
    expect(resolve("brand-new", { betas: ["other", beta], environment })).toMatchObject({
      tokens: 1_000_000,
      source: "beta-header",
    });
    expect(resolve("brand-new", { betas: ["other-context-1m-"] }).source).toBe("default");
  });

  it("takes the environment where the model is unknown", () => {
    expect(resolve("llama3:8b", { environment: { [variable]: " 32768 " } })).toEqual({
      tokens: 32_768,
      source: "environment",
      variable,
      warnings: [],
    });
  });

  it("takes 200,000 where nobody knows", () => {
    expect(resolve("llama3:8b")).toEqual({ tokens: 200_000, source: "default", warnings: [] });
  });

  it.each(["0", "-1", "32k", "1e5", "32768.5", "all", "0x10", "99999999999999999999"])(
    "ignores the variable with a warning when it is %s",
    (value) => {
      const message = `${variable} is ignored: "${value}" is not a whole number of tokens over 0.`;
      expect(resolve("llama3:8b", { environment: { [variable]: value } })).toEqual({
        tokens: 200_000,
        source: "default",
        warnings: [{ setting: variable, value, message }],
      });
    },
  );

  it.each(["", "  ", undefined])("takes the variable %j as not given", (value) => {
    expect(resolve("llama3:8b", { environment: { [variable]: value } }).warnings).toEqual([]);
  });

  it("warns when the variable says something else than what is known", () => {
    expect(resolve("gpt-4o", { environment: { [variable]: "64000" } })).toEqual({
      tokens: 128_000,
      source: "capabilities",
      warnings: [
        {
          setting: variable,
          value: "64000",
          message: `${variable} is ignored: the window is known to be 128000 tokens (capabilities).`,
        },
      ],
    });
    expect(resolve("gpt-4o", { environment: { [variable]: "128000" } }).warnings).toEqual([]);
  });

  it("has numbers that can be set", () => {
    const numbers = { longWindowTokens: 2_000_000, defaultWindowTokens: 100_000 };
    expect(resolve("a[1m]", { numbers }).tokens).toBe(2_000_000);
    expect(resolve("a", { numbers }).tokens).toBe(100_000);
    expect(resolve("a", { numbers: { defaultWindowTokens: undefined } }).tokens).toBe(200_000);
  });

  it.each([
    [{ defaultWindowTokens: 0 }, "numbers.defaultWindowTokens"],
    [{ autoBufferTokens: -1 }, "numbers.autoBufferTokens"],
    [{ scaleBelowTokens: 0.5 }, "numbers.scaleBelowTokens"],
    [{ autoBuffer: 1 }, "numbers.autoBuffer"],
  ])("refuses the numbers %j", (numbers, path) => {
    expect(() => resolve("a", { numbers: numbers as Partial<WindowNumbers> })).toThrow(
      expect.toSatisfy(
        (error) => PalimpsestError.isInstance(error) && error.path === path && error.fix !== undefined,
      ),
    );
  });
});
