import { readdir, readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { must } from "../../src/testing/conformance/outcomes.ts";
import { cliHome, linesOf, openElsewhere, userSays } from "../support/cli.ts";

async function damagedHome() {
  const home = await cliHome();
  const path = await home.add("one", [userSays("one"), userSays("two"), userSays("three")]);
  const lines = await linesOf(path);
  await writeFile(
    path,
    [...lines.slice(0, 2), "no entry", ...lines.slice(3), '{"v":1'].join("\n").replace(/\n\n/, "\n"),
  );
  return { ...home, path };
}

describe("sessions repair", () => {
  it("says what it would do and does nothing, then does it, then finds nothing to do", async () => {
    const { path, store, run } = await damagedHome();
    const before = await readFile(path, "utf8");
    const planned = await run(["sessions", "repair", "one", "--dry-run"]);
    expect(planned.code).toBe(0);
    expect(planned.stdout).toMatch(
      /^Would repair one: 1 corrupt line, an unfinished last line of 6 bytes\.\n/,
    );
    expect(await readFile(path, "utf8")).toBe(before);
    expect(await readdir(store.layout.sessions)).toEqual(["one.jsonl", "one.lease"]);

    const repaired = await run(["sessions", "repair", "one"]);
    expect(repaired).toMatchObject({ code: 0, stderr: "" });
    expect(repaired.stdout).toMatch(/^Repaired one: 1 corrupt line/);
    expect(repaired.stdout).toContain("in force: 3 entries, none changed");
    for (const kind of ["corrupt", "torn"]) expect(repaired.stdout).toContain(`kept in: ${path}.${kind}`);
    expect(await readFile(`${path}.corrupt`, "utf8")).toContain("no entry");
    const report = must(await store.logs.scan("one", () => undefined));
    expect(report).toMatchObject({ entries: 3, corruptLines: 0, tornBytes: 0 });

    expect((await run(["sessions", "repair", "one"])).stdout).toBe(
      "Nothing to repair: all 3 entries of one are whole.\n",
    );
  });

  it("tells programs the same", async () => {
    const { path, run } = await damagedHome();
    const planned = JSON.parse((await run(["sessions", "repair", "one", "--dry-run", "--json"])).stdout);
    expect(planned).toMatchObject({
      session: "one",
      path,
      repaired: false,
      dryRun: true,
      corruptLines: 1,
      tornBytes: 6,
    });
    const repaired = JSON.parse((await run(["sessions", "repair", "one", "--json"])).stdout);
    expect(repaired).toMatchObject({
      session: "one",
      entries: 3,
      corruptLines: 1,
      fencedLines: 0,
      asides: [`${path}.corrupt`, `${path}.torn`],
      rewritten: true,
      repaired: true,
      dryRun: false,
    });
    const again = JSON.parse((await run(["sessions", "repair", "one", "--json"])).stdout);
    expect(again).toMatchObject({ repaired: false, rewritten: false, damages: [] });
  });

  it("does not rewrite a log that was taken over by force", async () => {
    const { store, run } = await damagedHome();
    await openElsewhere(store, "one", 120_000);
    expect((await run(["sessions", "repair", "one"])).stderr).toMatch(
      /open in process 7 on far[\s\S]*--take-over/,
    );
    const { code, stderr } = await run(["sessions", "repair", "one", "--take-over"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /was taken over by force, and its former writer may still be alive\.\n {2}fix: End that process/,
    );
  });

  it("leaves a session alone that another process has open, and one in which nothing can be read", async () => {
    const { store, path, run } = await damagedHome();
    const writer = must(await store.logs.open("one", () => undefined));
    for (const args of [[], ["--take-over"]]) {
      const { code, stdout, stderr } = await run(["sessions", "repair", "one", ...args]);
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toMatch(/^error: Session one is open in process \d+ on .*\n {2}fix: Close it there/);
    }
    must(await writer.close());
    await writeFile(path, "nonsense\n");
    const { code, stderr } = await run(["sessions", "repair", "one"]);
    expect(code).toBe(1);
    expect(stderr).toContain("no readable entry; it was left as it is");
    expect(await readFile(path, "utf8")).toBe("nonsense\n");
    expect((await run(["sessions", "repair", "other"])).stderr).toContain("There is no session “other”");
  });
});
