import { OpenFeature } from "@openfeature/server-sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createBuiltInProvider } from "./built-in-provider.ts";

const client = OpenFeature.getClient("built-in");

beforeAll(async () => {
  const provider = createBuiltInProvider({
    environment: {
      PALIMPSEST_FLAG_CLEAR: "0",
      PALIMPSEST_FLAG_KILL_SWITCHES: "fold",
      PALIMPSEST_FLAG_SNIP: "?",
    },
    flags: { clear: true, fold: true, snip: false, "tool-result-limits": { Bash: 5 } },
  });
  await OpenFeature.setProviderAndWait("built-in", provider);
});

afterAll(() => OpenFeature.clearProviders());

describe("createBuiltInProvider", () => {
  it("answers OpenFeature from the environment before the settings", async () => {
    expect(await client.getBooleanDetails("clear", true)).toMatchObject({
      value: false,
      variant: "environment",
      reason: "STATIC",
    });
    expect(await client.getBooleanDetails("fold", false)).toMatchObject({ value: true, variant: "settings" });
    expect(await client.getBooleanDetails("snip", true)).toMatchObject({ value: false, variant: "settings" });
    expect(await client.getObjectDetails("tool-result-limits", {})).toMatchObject({ value: { Bash: 5 } });
    expect(await client.getStringDetails("kill-switches", "")).toMatchObject({ value: "fold" });
  });

  it.each(["dream", "toString", "__proto__", "nothing"])("does not know %s", async (name) => {
    expect(await client.getBooleanDetails(name, true)).toMatchObject({
      value: true,
      reason: "ERROR",
      errorCode: "FLAG_NOT_FOUND",
    });
  });

  it("says when a flag is of another type", async () => {
    expect(await client.getNumberDetails("clear", 3)).toMatchObject({ value: 3, errorCode: "TYPE_MISMATCH" });
  });
});
