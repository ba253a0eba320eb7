import { describe, expect, it } from "vitest";
import { maskSecrets } from "./mask-secrets.ts";

describe("maskSecrets", () => {
  it.each([
    ["Incorrect API key provided: sk-proj-abcdefghij0123456789.", "Incorrect API key provided: [masked]"],
    ["key sk-ant-api03-AbC_dEf-0123456789 is revoked", "key [masked] is revoked"],
    ["Headers.append: 'Bearer abc.def' is invalid", "Headers.append: 'Bearer [masked]' is invalid"],
    ['{"authorization":"Basic Zm9v", "a":1}', '{"authorization":"[masked]", "a":1}'],
    ["x-api-key: hunter2, then more", "x-api-key: [masked], then more"],
    ["api_key=hunter2&x=1", "api_key=[masked]"],
    ["AIzaSyA-1234567890abcdefghij", "[masked]"],
  ])("masks the key in %s", (text, masked) => {
    expect(maskSecrets(text)).toBe(masked);
  });

  it("masks what it is told to, wherever it stands", () => {
    expect(maskSecrets("a(open-sesame)b open-sesame", ["open-sesame"])).toBe("a([masked])b [masked]");
  });

  it("reads no more of a text than anybody would be shown", () => {
    expect(maskSecrets(`bearer${" ".repeat(10_000_000)}x`).length).toBe(16_384);
  });

  it("leaves words alone, and secrets too short to be any", () => {
    const text = "prompt is too long: 200001 tokens > 200000 maximum; task-runner, the api key is missing";
    expect(maskSecrets(text, ["is", ""])).toBe(text);
  });
});
