import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { runCli } from "../support/cli.ts";

describe("palimpsest demo and context", () => {
  it("play the bundled session through the engine and end by themselves, within 80 columns", async () => {
    const { code, stdout, stderr } = await runCli(["demo"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/from request \d+ of 412 on/);
    expect(stdout).toMatch(/^ {2}faithful +\d+\.\d\d +0\.\d\d +\d+\.\d\d +\d+ +\d+k /m);
    expect(stdout).toContain("words and token counts are not a model's");
    expect(stdout).toContain("palimpsest inspect packages/palimpsest/assets/sample-session.jsonl.gz");
    expect(stdout.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
    expect(stdout.split("\n").filter((line) => stringWidth(line) > 80)).toEqual([]);
  });

  it("show what fills the context, within 80 columns and as numbers", async () => {
    const { code, stdout } = await runCli(["context", "packages/palimpsest/assets/sample-session.jsonl.gz"]);
    expect(code).toBe(0);
    expect(stdout).toContain("Tool results");
    expect(stdout).toMatch(
      /\n\nSystem prompt: [\d,]+ tokens as the provider counted them, with the tools\.\n$/,
    );
    expect(
      stdout
        .split("\n")
        .slice(1)
        .filter((line) => stringWidth(line) > 80),
    ).toEqual([]);
    const usage = JSON.parse(
      (await runCli(["context", "packages/palimpsest/assets/sample-session.jsonl.gz", "--json"])).stdout,
    );
    expect(usage).toMatchObject({ percentLeft: 0, level: "blocking", thresholds: { window: 200_000 } });
    expect(usage.accounting.total).toBe(usage.count.tokens);
  });

  it("say so when there is nothing to show", async () => {
    const { code, stderr } = await runCli(["context", "no-such-session"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: .*\n {2}fix: /);
  });
});
