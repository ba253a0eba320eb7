import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { runCli } from "../support/cli.ts";

describe("palimpsest demo and context", () => {
  it("tell the story of the bundled session within 80 columns", async () => {
    const { code, stdout } = await runCli(["demo"]);
    expect(code).toBe(0);
    expect(stdout).toContain("From request ");
    expect(stdout.split("\n").filter((line) => stringWidth(line) > 80)).toEqual([]);
  });

  it("give the story to programs", async () => {
    const { stdout } = await runCli(["demo", "--json"]);
    const story = JSON.parse(stdout);
    expect(story.requests).toBeGreaterThanOrEqual(300);
    expect(story.turns.length).toBeGreaterThanOrEqual(8);
    expect(story.contextTokens).toHaveLength(story.requests);
  });

  it("show what fills the context, within 80 columns and as numbers", async () => {
    const { code, stdout } = await runCli(["context", "assets/sample-session.jsonl.gz"]);
    expect(code).toBe(0);
    expect(stdout).toContain("Tool results");
    expect(
      stdout
        .split("\n")
        .slice(1)
        .filter((line) => stringWidth(line) > 80),
    ).toEqual([]);
    const usage = JSON.parse((await runCli(["context", "assets/sample-session.jsonl.gz", "--json"])).stdout);
    expect(usage).toMatchObject({ percentLeft: 0, level: "blocking", thresholds: { window: 200_000 } });
    expect(usage.accounting.total).toBeGreaterThan(200_000);
  });

  it("say so when there is nothing to show", async () => {
    const { code, stderr } = await runCli(["context", "no-such-session"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: .*\n {2}fix: /);
  });
});
