import { mkdir, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { cliHome, runCli, userSays } from "../support/cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

describe("palimpsest worker", () => {
  it("says where work runs without a store that machines share", async () => {
    const home = await temporaryFolder();
    for (const args of [["worker"], ["worker", "--list"], ["worker", "--stop", "1"]]) {
      const { code, stdout, stderr } = await runCli(args, { home });
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toContain("Work runs inside each agent when sessions are files.");
    }
  });

  it("says that the store cannot be reached, without its password", async () => {
    const home = await temporaryFolder();
    const url = "postgres://me:hunter2@127.0.0.1:1/nowhere";
    const { code, stdout, stderr } = await runCli(["doctor"], { home, environment: { DATABASE_URL: url } });
    expect(code).toBe(1);
    expect(stdout).toContain("✗ store");
    expect(stdout + stderr).not.toContain("hunter2");
  });

  it("lists or stops, and not both", async () => {
    const { code, stderr } = await runCli(["worker", "--list", "--stop", "1"]);
    expect(code).toBe(2);
    expect(stderr).toContain("--list and --stop exclude each other; use: palimpsest worker");
  });

  it("has help that fits into 80 columns, and refuses kinds that there are not", async () => {
    for (const name of ["worker", "doctor"]) {
      const { code, stdout } = await runCli(["help", name]);
      expect(code).toBe(0);
      expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
    }
    const { code, stderr } = await runCli(["worker", "--kinds", "notes"]);
    expect(code).toBe(2);
    expect(stderr).toContain("It must be some of extraction, dream");
  });
});

describe("palimpsest doctor", () => {
  it("says that nothing is wrong, in 80 columns", async () => {
    const { run, add } = await cliHome();
    await add("one", [userSays("hello")]);
    const { code, stdout, stderr } = await run(["doctor"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.split("\n").map((line) => line.slice(0, 11).trimEnd())).toEqual([
      "✓ node",
      "✓ data root",
      "✓ store",
      "✓ settings",
      "✓ sessions",
      "✓ memory",
      "",
    ]);
    expect(stdout).toContain("1 session, 0 open now");
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });

  it("ends with 1 and says what is wrong, for programs too", async () => {
    const { home, run, add } = await cliHome();
    await add("one", [userSays("hello")]);
    await mkdir(`${home}/spoilt`);
    await writeFile(`${home}/spoilt/file`, "");
    const { code, stdout } = await run(["doctor", "--json", "--home", `${home}/spoilt/file`]);
    expect(code).toBe(1);
    const { isGood, checks } = JSON.parse(stdout);
    expect(isGood).toBe(false);
    expect(checks.find(({ name }: { name: string }) => name === "data root")).toMatchObject({
      state: "wrong",
    });
  });
});
