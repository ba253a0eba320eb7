import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
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

  it("names blobs that are gone, and puts back those that another session has", async () => {
    const { run, store } = await cliHome();
    const tools = must(await store.blobs.put("one", Buffer.from("tools ".repeat(200))));
    const system = must(await store.blobs.put("one", Buffer.from("prompt ".repeat(200))));
    const session = { id: "one", project: "", system, tools };
    must(await must(await store.logs.create({ kind: "session", session })).close());
    must(
      await must(await store.logs.create({ kind: "session", session: { ...session, id: "two" } })).close(),
    );
    must(await store.blobs.put("two", Buffer.from("tools ".repeat(200))));
    must(await store.blobs.removeAll("one"));
    const lines = (put: string) => [
      "Lost or damaged in one: 2 blobs that its entries stand on.",
      `  the system prompt (${system.blob}, 1,400 bytes): no copy was found`,
      `  the tools (${tools.blob}, 1,200 bytes): ${put} from session two`,
    ];
    const planned = await run(["sessions", "repair", "one", "--dry-run"]);
    expect(planned.stdout.split("\n").slice(0, 3)).toEqual(lines("would be put back"));
    const repaired = await run(["sessions", "repair", "one"]);
    expect(repaired.stdout.split("\n").slice(0, 3)).toEqual(lines("put back"));
    const again = JSON.parse((await run(["sessions", "repair", "one", "--json"])).stdout);
    expect(again).toMatchObject({ repaired: false, lostBlobs: [{ blob: system.blob }] });
  });

  it("names blobs in whose place something else stands, and goes on", async () => {
    const { run, store } = await cliHome();
    const put = async (text: string) => must(await store.blobs.put("one", Buffer.from(text.repeat(200))));
    const [system, tools] = [await put("prompt "), await put("tools ")];
    const session = { id: "one", project: "", system, tools };
    must(await must(await store.logs.create({ kind: "session", session })).close());
    must(
      await must(await store.logs.create({ kind: "session", session: { ...session, id: "two" } })).close(),
    );
    must(await store.blobs.put("two", Buffer.from("tools ".repeat(200))));
    const folder = must(store.layout.blobs("one"));
    for (const { blob } of [system, tools]) {
      await rm(`${folder}/${blob}`);
      await mkdir(`${folder}/${blob}`);
    }
    const { code, stdout } = await run(["sessions", "repair", "one"]);
    expect(code).toBe(0);
    const [title, ...lines] = stdout.split("\n");
    expect(title).toBe("Lost or damaged in one: 2 blobs that its entries stand on.");
    expect(lines[0]).toMatch(
      /the system prompt .*: it cannot be read\. .*: it is a folder\. no copy was found$/,
    );
    expect(lines[1]).toMatch(/the tools .*there is a copy in session two, which cannot be put back: /);
    const told = JSON.parse((await run(["sessions", "repair", "one", "--json"])).stdout);
    expect(told).toMatchObject({
      repaired: false,
      lostBlobs: [
        { blob: system.blob, isUnreadable: true },
        { blob: tools.blob, isUnreadable: true, copyIn: "session two", notPutBack: expect.any(String) },
      ],
    });
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
