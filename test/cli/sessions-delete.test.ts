import { readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { EntryDraft } from "../../packages/core/src/spec/index.ts";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import { type CliHome, cliHome, openElsewhere, userSays } from "../support/cli.ts";

const large: EntryDraft = userSays("x".repeat(100_000));

async function addAged(
  home: CliHome,
  id: string,
  days: number,
  drafts: readonly EntryDraft[] = [],
  header = {},
) {
  const path = await home.add(id, drafts, header);
  const at = new Date(Date.now() - days * 86_400_000);
  await utimes(path, at, at);
}

async function sessionsIn({ store }: CliHome): Promise<readonly string[]> {
  return must(await store.logs.list())
    .map(({ session }) => session)
    .sort();
}

const forkOf = (session: string) => ({ parent: { session, seq: 1, prefixDigest: "d" } });

describe("sessions delete", () => {
  it("deletes the log, its blobs and what lies beside it, and leaves a tombstone", async () => {
    const home = await cliHome();
    await home.add("one", [large]);
    await home.add("two", []);
    const planned = await home.run(["sessions", "delete", "one", "--dry-run"]);
    expect(planned.stdout).toMatch(/one +now +10\d kB[\s\S]*1 session would be deleted, 10\d kB\.\n$/);
    expect(await sessionsIn(home)).toEqual(["one", "two"]);
    const { code, stdout } = await home.run(["sessions", "delete", "one", "--yes"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/1 session deleted, 10\d kB\.\n$/);
    expect(await sessionsIn(home)).toEqual(["two"]);
    expect(await readdir(join(home.store.layout.root, "blobs"))).toEqual([]);
    expect(await readdir(home.store.layout.sessions)).toContain("one.tombstone.json");
    expect((await home.run(["sessions", "delete", "one", "--yes"])).stderr).toContain("was removed on");
  });

  it("asks, and where nobody can be asked it wants --yes", async () => {
    const home = await cliHome();
    await home.add("one", []);
    const { code, stdout, stderr } = await home.run(["sessions", "delete", "one"], { input: "y\n" });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toBe(
      "error: there is no terminal to ask on, so --yes is needed; use: palimpsest sessions delete one --yes (or --dry-run)\n",
    );
    expect(await sessionsIn(home)).toEqual(["one"]);
  });

  it("tells programs what went and what stayed", async () => {
    const home = await cliHome();
    await home.add("one", []);
    await home.add("two", []);
    const writer = must(await home.store.logs.open("two", () => undefined));
    const { code, stdout } = await home.run(["sessions", "delete", "one", "two", "--yes", "--json"]);
    must(await writer.close());
    expect(code).toBe(1);
    const told = JSON.parse(stdout);
    expect(Object.keys(told)).toEqual(["dryRun", "deleted", "skipped", "bytes"]);
    expect(told.deleted).toEqual([{ id: "one", project: expect.any(String), bytes: expect.any(Number) }]);
    expect(told.skipped).toEqual([
      {
        id: "two",
        project: expect.any(String),
        bytes: expect.any(Number),
        why: expect.stringMatching(/^it is open in process \d+/),
      },
    ]);
    expect(await sessionsIn(home)).toEqual(["two"]);
  });

  it("deletes no session that others were forked from, unless they go too", async () => {
    const home = await cliHome();
    await home.add("parent", []);
    await home.add("fork", [], forkOf("parent"));
    const { code, stderr } = await home.run(["sessions", "delete", "parent", "--yes"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/parent stays: fork was forked from it.*\n {2}fix: .*delete parent fork\n/);
    expect((await home.run(["sessions", "delete", "parent", "fork", "--yes"])).code).toBe(0);
    expect(await sessionsIn(home)).toEqual([]);
  });

  it("takes a session from another machine only when told to, and only when that is silent", async () => {
    const home = await cliHome();
    await home.add("one", []);
    await openElsewhere(home.store, "one", 1000);
    for (const args of [[], ["--take-over"]]) {
      const { code, stderr } = await home.run(["sessions", "delete", "one", "--yes", ...args]);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(/^kept one: .* open in process 7 on far/),
      });
    }
    await openElsewhere(home.store, "one", 120_000);
    expect((await home.run(["sessions", "delete", "one", "--yes"])).code).toBe(1);
    expect((await home.run(["sessions", "delete", "one", "--yes", "--take-over"])).code).toBe(0);
    expect(await sessionsIn(home)).toEqual([]);
  });

  it("deletes a fork that lives inside another session by its whole name", async () => {
    const home = await cliHome();
    await home.add("one", []);
    await home.add("one/agent", [userSays("an errand")]);
    const { code, stdout } = await home.run(["sessions", "delete", "one/ag", "--yes"]);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/one\/agent +now .* an errand/),
    });
    expect(await sessionsIn(home)).toEqual(["one"]);
  });

  it("deletes damaged and empty logs too, and nothing at all if one name is wrong", async () => {
    const home = await cliHome();
    await home.add("good", []);
    await writeFile(join(home.store.layout.sessions, "empty.jsonl"), "");
    await writeFile(join(home.store.layout.sessions, "nonsense.jsonl"), "nonsense");
    expect((await home.run(["sessions", "delete", "empty", "wrong", "--yes"])).code).toBe(1);
    expect(await sessionsIn(home)).toEqual(["empty", "good", "nonsense"]);
    expect((await home.run(["sessions", "delete", "empty", "nonsense", "--yes"])).code).toBe(0);
    expect(await sessionsIn(home)).toEqual(["good"]);
  });
});

describe("sessions prune", () => {
  it("deletes what is too old, then the oldest until the rest fits", async () => {
    const home = await cliHome();
    await addAged(home, "ancient", 100);
    await addAged(home, "large-old", 20, [large]);
    await addAged(home, "large-new", 10, [large]);
    await addAged(home, "small-new", 1);
    const prune = ["sessions", "prune", "--older-than", "30d", "--max-size", "150KB"];
    const planned = JSON.parse((await home.run([...prune, "--dry-run", "--json"])).stdout);
    expect(planned.deleted.map(({ id }: { id: string }) => id)).toEqual(["ancient", "large-old"]);
    expect(await sessionsIn(home)).toHaveLength(4);
    expect((await home.run(prune)).code).toBe(2);
    const { code, stdout } = await home.run([...prune, "--yes"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/2 sessions deleted, /);
    expect(await sessionsIn(home)).toEqual(["large-new", "small-new"]);
    const again = await home.run(prune);
    expect(again).toMatchObject({ code: 0, stdout: "Nothing deleted.\n" });
  });

  it("leaves open sessions and parents of younger forks, and says so", async () => {
    const home = await cliHome();
    await addAged(home, "open", 50);
    await addAged(home, "parent", 50);
    await addAged(home, "fork", 1, [], forkOf("parent"));
    const writer = must(await home.store.logs.open("open", () => undefined));
    await utimes(must(home.store.layout.log("open")), new Date(0), new Date(0));
    const { code, stdout, stderr } = await home.run(["sessions", "prune", "--older-than", "1w", "--yes"]);
    must(await writer.close());
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Nothing deleted.\n" });
    expect(stderr).toMatch(/kept open: it is open in process \d+/);
    expect(stderr).toContain("kept parent: fork was forked from it");
  });
});
