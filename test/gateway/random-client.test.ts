import { describe, expect, it } from "vitest";
import { seed } from "../support/seed.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { runRandomClient } from "./random-client.ts";

describe("a client that does at random what clients do", () => {
  it.each(["anthropic", "openai"] as const)("gets a coherent answer every time (%s)", async (protocol) => {
    const home = await temporaryFolder();
    const report = await runRandomClient({ home, seed, count: 20, protocol, windowTokens: 16_000 });
    expect(report).toMatchObject({ invalidRequests: [], incoherent: [], different: [], failures: [] });
  });

  it.each(["anthropic", "openai"] as const)("gets one too where a model compacts (%s)", async (protocol) => {
    const home = await temporaryFolder();
    const run = { home, seed, count: 20, protocol, windowTokens: 16_000, compactBy: "model" } as const;
    const report = await runRandomClient(run);
    // A transcript may be refused as too long by the provider's own count: the client does not hear of it.
    expect(report).toMatchObject({ incoherent: [], different: [], failures: [] });
  });
});
