import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openFileStore } from "../../packages/core/src/stores/files/index.ts";
import { openSession } from "../../packages/palimpsest/src/loop/open-session.ts";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import { callTool, say } from "../../packages/testing/src/index.ts";
import { collect, modelAt } from "../support/agent.ts";
import { type CliHome, cliHome } from "../support/cli.ts";
import { emulate } from "../support/emulator.ts";
import { withoutControl } from "../support/session-messages.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { bytesOf, echo } from "./fork-support.ts";

const large = "a line of the parent\n".repeat(5_000);
const own = "a line of the fork\n".repeat(5_000);

/** A data root with one session and one fork of it, both with large values. */
async function begin() {
  const home = await cliHome();
  const { emulator } = await emulate({
    script: [
      callTool("Echo", { text: large }, "toolu_parent"),
      say("Read."),
      callTool("Echo", { text: own }, "toolu_fork"),
      say("Summed up."),
    ],
  });
  const options = {
    store: home.store,
    model: modelAt(emulator),
    tools: [echo],
    system: "Be brief.",
    layers: [],
  };
  const session = await openSession({ ...options, id: "one" });
  await collect(session.run("Read it."));
  const { id: fork } = await session.fork("Sum it up.", { kind: "memory" });
  await session.close();
  return { home, emulator, options, fork };
}

const sessionsIn = async ({ store }: CliHome) =>
  must(await store.logs.list())
    .map(({ session }) => session)
    .sort();

describe("a fork that is opened again", () => {
  it("sends what it would have sent, and recalls what its parent and it have", async () => {
    const { options, emulator, fork } = await begin();
    const reader = await openSession({ ...options, id: fork, readOnly: true });
    const resumed = await openSession({ ...options, id: fork, resume: true });
    const expected = [
      ...bytesOf(emulator.requests.last).messages,
      { role: "assistant", content: [{ type: "text", text: "Summed up." }] },
    ];
    for (const session of [reader, resumed]) {
      const { request, report } = await session.prepare();
      expect(JSON.parse(JSON.stringify(withoutControl(request)))).toEqual(expected);
      expect(report.repairs).toEqual([]);
      expect((await session.recall("toolu_parent", { limit: 1_000_000 })).text).toContain(large);
      expect((await session.recall("toolu_fork", { limit: 1_000_000 })).text).toContain(own);
    }
    await expect(resumed.fork("Deeper.", { kind: "agent" })).rejects.toMatchObject({ code: "denied" });
    await reader.close();
    emulator.setScript([say("It goes on.")]);
    await collect(resumed.run("Go on."));
    expect(emulator.requests.last?.status).toBe(200);
    expect(emulator.requests.last?.usage?.cache_read_input_tokens).toBeGreaterThan(50_000);
    await resumed.close();
  });
});

describe("palimpsest sessions, where there are forks,", () => {
  it("lists sessions and no forks", async () => {
    const { home } = await begin();
    const { stdout } = await home.run(["sessions", "list", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject([{ id: "one" }]);
    expect(stdout).not.toContain("one/");
  });

  it("shows a fork with where it came from, by the beginning of its name", async () => {
    const { home, fork } = await begin();
    const { code, stdout } = await home.run(["sessions", "show", fork.slice(0, -3), "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      session: fork,
      parent: { session: "one", seq: expect.any(Number) },
    });
  });

  it("exports a fork as one log that goes on elsewhere as it would have here", async () => {
    const { home, options, fork } = await begin();
    const here = await openSession({ ...options, id: fork, readOnly: true });
    const { request } = await here.prepare();
    await here.close();
    const exported = await home.run(["sessions", "export", fork]);
    expect(exported.code).toBe(0);
    const store = must(await openFileStore({ home: await temporaryFolder(), project: "elsewhere" }));
    await mkdir(store.layout.sessions, { recursive: true });
    await writeFile(must(store.layout.log("copy")), exported.stdout);
    const { model, layers } = options;
    const there = await openSession({ store, model, layers, id: "copy", resume: true });
    expect(JSON.stringify((await there.prepare()).request)).toBe(JSON.stringify(request));
    expect((await there.recall("toolu_parent", { limit: 1_000_000 })).text).toContain(large);
    await there.close();
    const numbers = exported.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).seq as number);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it("exports decisions of a fork by the numbers of the entries they name", async () => {
    const { home, options, fork } = await begin();
    const here = await openSession({ ...options, id: fork, resume: true });
    const said: string[] = [];
    for await (const entry of here.entries())
      if (entry.kind === "message" && entry.message.content === "Sum it up.") said.push(entry.id);
    await here.rewind(said[0] ?? "");
    const { request } = await here.prepare();
    await here.close();
    const exported = await home.run(["sessions", "export", fork]);
    const store = must(await openFileStore({ home: await temporaryFolder(), project: "elsewhere" }));
    await mkdir(store.layout.sessions, { recursive: true });
    await writeFile(must(store.layout.log("copy")), exported.stdout);
    const there = await openSession({ store, layers: [], model: options.model, id: "copy", resume: true });
    expect(withoutControl((await there.prepare()).request)).toEqual(withoutControl(request));
    await there.close();
  });

  it("deletes forks with their session", async () => {
    const { home, options, fork } = await begin();
    expect((await home.run(["sessions", "delete", "one", "--yes"])).code).toBe(0);
    expect(await sessionsIn(home)).toEqual([]);
    expect(await readdir(home.store.layout.sessions)).toEqual(["one.tombstone.json"]);
    for (const folder of ["blobs", "tool-results"])
      expect(await readdir(join(home.store.layout.root, folder)).catch(() => [])).toEqual([]);
    await expect(openSession({ ...options, id: fork, resume: true })).rejects.toMatchObject({
      code: "collected",
    });
  });

  it("deletes a fork alone, and its session stays", async () => {
    const { home, options, fork } = await begin();
    expect((await home.run(["sessions", "delete", fork, "--yes"])).code).toBe(0);
    const session = await openSession({ ...options, id: "one", resume: true });
    expect((await session.recall("toolu_parent", { limit: 1_000_000 })).text).toContain(large);
    await session.close();
    await expect(openSession({ ...options, id: fork, resume: true })).rejects.toMatchObject({
      code: "collected",
    });
  });

  it("keeps a session whose fork somebody writes to", async () => {
    const { home, options, fork } = await begin();
    const resumed = await openSession({ ...options, id: fork, resume: true });
    const { code, stderr } = await home.run(["sessions", "delete", "one", "--yes"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/kept one: it is open in process \d+/);
    expect(await home.store.logs.remove("one", "a test")).toMatchObject({
      ok: false,
      error: { code: "held" },
    });
    await resumed.close();
    expect((await home.run(["sessions", "delete", "one", "--yes"])).code).toBe(0);
  });

  it("prunes no session whose fork is young, and both when both are old", async () => {
    const { home, fork } = await begin();
    const old = new Date(Date.now() - 90 * 86_400_000);
    await utimes(must(home.store.layout.log("one")), old, old);
    await home.run(["sessions", "prune", "--older-than", "30d", "--yes"]);
    expect(await sessionsIn(home)).toEqual(["one"]);
    await utimes(must(home.store.layout.log(fork)), old, old);
    await home.run(["sessions", "prune", "--older-than", "30d", "--yes"]);
    expect(await readdir(home.store.layout.sessions)).toEqual(["one.tombstone.json"]);
  });
});
