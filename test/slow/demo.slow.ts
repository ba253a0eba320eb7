import { describe, expect, it } from "vitest";
import { runCli } from "../support/cli.ts";

describe("palimpsest demo, whole", () => {
  it("gives programs one document, with the numbers that a replay has", async () => {
    const { code, stdout } = await runCli(["demo", "--json"]);
    expect(code).toBe(0);
    const { session, run, comparison } = JSON.parse(stdout);
    expect(run.engine).toHaveLength(session.requests - session.cutOff);
    const names = comparison.policies.map(({ policy }: { policy: string }) => policy);
    const args = ["--policies", names.join(","), "--prices", "catalog", "--json"];
    const replay = JSON.parse(
      (await runCli(["replay", "packages/palimpsest/assets/sample-session.jsonl.gz", ...args])).stdout,
    );
    const byName = (one: { policy: string }, other: { policy: string }) =>
      one.policy < other.policy ? -1 : 1;
    expect(comparison.policies.toSorted(byName)).toEqual(replay.policies.toSorted(byName));
  });
});
