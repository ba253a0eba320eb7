import { describe, expect, it } from "vitest";
import { loadSdk } from "./connect.ts";

describe("loadSdk", () => {
  it("gives the official SDK", async () => {
    const sdk = await loadSdk();
    expect(sdk.ok && sdk.value.Anthropic.name).toBe("Anthropic");
  });

  it("says which package to install where it is missing", async () => {
    const missing = Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
    expect(await loadSdk(() => Promise.reject(missing))).toMatchObject({
      ok: false,
      error: {
        code: "not-found",
        message: "The package @anthropic-ai/sdk cannot be loaded.",
        fix: "Install it: npm install @anthropic-ai/sdk",
      },
    });
  });
});
