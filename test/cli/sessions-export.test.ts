import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { inlineLargeValues } from "../../packages/core/src/log/large-values.ts";
import { openSession } from "../../packages/core/src/session/open-session.ts";
import type { Entry, EntryDraft } from "../../packages/core/src/spec/index.ts";
import { type FileStore, openFileStore } from "../../packages/core/src/stores/files/index.ts";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import { cliHome, userSays } from "../support/cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { claudeLine, jsonLines } from "../support/transcripts.ts";

const large = "large ".repeat(20_000);
const drafts: readonly EntryDraft[] = [
  userSays("read it"),
  {
    kind: "message",
    message: { type: "assistant", content: [{ type: "tool_use", id: "t", name: "Read", input: {} }] },
  },
  {
    kind: "message",
    message: { type: "user", content: [{ type: "tool_result", tool_use_id: "t", content: large }] },
  },
  { kind: "message", message: { type: "assistant", content: "read" } },
];

async function wholeEntries(store: FileStore, session: string): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  must(await store.logs.scan(session, (entry) => entries.push(entry)));
  return Promise.all(
    entries.map(async (entry) => must(await inlineLargeValues(entry, session, store.blobs))),
  );
}

/** Puts an exported log into an empty data root and opens it there. */
async function openElsewhere(bytes: Uint8Array, session: string): Promise<readonly Entry[]> {
  const store = must(await openFileStore({ home: await temporaryFolder(), project: "elsewhere" }));
  await mkdir(store.layout.sessions, { recursive: true });
  await writeFile(must(store.layout.log(session)), bytes);
  const entries: Entry[] = [];
  const writer = must(await store.logs.open(session, (entry) => entries.push(entry)));
  expect(writer.report).toMatchObject({ corruptLines: 0, fencedLines: 0, salvaged: 0, tornBytes: 0 });
  must(await writer.append([userSays("and on it goes")]));
  must(await writer.close());
  return entries;
}

describe("sessions export", () => {
  it("writes a complete log that opens elsewhere, its large values in it", async () => {
    const { home, store, add, run } = await cliHome();
    const system = must(await store.blobs.put("one", Buffer.from("You are careful."), { durable: true }));
    await add("one", drafts, { system });
    const out = join(home, "one.jsonl");
    const { code, stdout, stderr } = await run(["sessions", "export", "one", "--out", "one.jsonl"]);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "", stderr: `wrote 5 entries to ${out}\n` });
    const [first, ...entries] = await openElsewhere(await readFile(out), "one");
    expect(entries).toEqual((await wholeEntries(store, "one")).slice(1));
    expect(first).toMatchObject({ session: { id: "one", system: { ...system, text: "You are careful." } } });
    expect((await stat(out)).mode & 0o777).toBe(0o600);
  });

  it("writes a log that goes on elsewhere as it went here, with what it began and what it changed to", async () => {
    const { home, store, run } = await cliHome();
    const request = { thinking: { type: "adaptive" } };
    const first = await openSession({ store, id: "one", system: "Be brief.", request });
    await first.add({ role: "user", content: "Hello." });
    await first.close();
    const second = await openSession({ store, id: "one", resume: true, system: "Be long." });
    const before = await second.prepare();
    await second.close();
    await run(["sessions", "export", "one", "--out", "one.jsonl"]);
    const elsewhere = must(await openFileStore({ home: await temporaryFolder(), project: "elsewhere" }));
    await mkdir(elsewhere.layout.sessions, { recursive: true });
    await writeFile(must(elsewhere.layout.log("one")), await readFile(join(home, "one.jsonl")));
    const again = await openSession({ store: elsewhere, id: "one", resume: true });
    expect(JSON.stringify((await again.prepare()).request)).toBe(JSON.stringify(before.request));
    await again.close();
  });

  it("compresses by name, and writes to stdout without one", async () => {
    const { home, add, run } = await cliHome();
    await add("one", drafts);
    await run(["sessions", "export", "one", "-o", "one.jsonl.gz"]);
    const piped = await run(["sessions", "export", "one"]);
    expect({ code: piped.code, stderr: piped.stderr }).toEqual({ code: 0, stderr: "" });
    expect(gunzipSync(await readFile(join(home, "one.jsonl.gz"))).toString()).toBe(piped.stdout);
    expect(piped.stdout.split("\n")).toHaveLength(6);
  });

  it("writes what was said as messages", async () => {
    const { add, run } = await cliHome();
    await add("one", drafts);
    const { stdout } = await run(["sessions", "export", "one", "--format", "messages"]);
    expect(JSON.parse(stdout)).toEqual([
      { role: "user", content: [{ type: "text", text: "read it" }] },
      { role: "assistant", content: [{ type: "tool_use", id: "t", name: "Read", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: large }] },
      { role: "assistant", content: [{ type: "text", text: "read" }] },
    ]);
    await add("quiet", []);
    expect((await run(["sessions", "export", "quiet", "--format", "messages"])).stdout).toBe("[]\n");
  });

  it("puts a fork behind its parent's entries, up to where it was forked", async () => {
    const { store, add, run } = await cliHome();
    await add("parent", drafts);
    const parent = { session: "parent", seq: 3, prefixDigest: "digest" };
    await add("fork", [userSays("another way")], { parent, cwd: "/of/the/fork" });
    await add("grandchild", [userSays("a third way")], {
      parent: { session: "fork", seq: 2, prefixDigest: "digest" },
    });
    const exported = await run(["sessions", "export", "grandchild"]);
    const entries = await openElsewhere(Buffer.from(exported.stdout), "grandchild");
    const [first, ...rest] = entries;
    expect(first).toMatchObject({ seq: 1, kind: "session", session: { id: "grandchild" } });
    expect(first).not.toHaveProperty("session.parent");
    const said = rest.map((entry) => [
      entry.seq,
      entry.kind === "message" ? entry.message.content : entry.kind,
    ]);
    const [, one, two] = await wholeEntries(store, "parent");
    expect(said).toEqual([
      [2, one?.kind === "message" && one.message.content],
      [3, two?.kind === "message" && two.message.content],
      [5, "another way"],
      [7, "a third way"],
    ]);
    must(await store.logs.remove("parent", "gone"));
    const orphan = await run(["sessions", "export", "fork"]);
    expect(orphan).toMatchObject({ code: 1, stdout: "" });
    expect(orphan.stderr).toMatch(/Session fork was forked from parent, which cannot be read: .*removed/);
  });

  it("turns a foreign transcript into a log of our own", async () => {
    const { run } = await cliHome();
    const input = jsonLines(
      claudeLine.user("u1", "hi"),
      claudeLine.assistant("a1", [{ type: "text", text: "hello" }]),
    );
    const { code, stdout } = await run(["sessions", "export", "-"], { input });
    expect(code).toBe(0);
    const entries = await openElsewhere(Buffer.from(stdout), "s-1");
    expect(entries.map(({ kind }) => kind)).toEqual(["session", "message", "message"]);
  });

  it("replaces no file unless forced, and leaves nothing half-written behind", async () => {
    const { home, add, run } = await cliHome();
    await add("one", drafts);
    const folder = join(home, "out");
    await mkdir(join(folder, "inner"), { recursive: true });
    await writeFile(join(folder, "kept"), "mine");
    const cases = [
      [["one", "-o", "out/kept"], /exists already[\s\S]*--force/],
      [["one", "-o", "out/inner"], /is a folder/],
      [["one", "-o", "out/inner", "--force"], /is a folder/],
      [["one", "-o", "out/missing/x"], /it does not exist/],
      [["nothing", "-o", "out/x"], /There is no file/],
      [["out", "-o", "out/x"], /is a folder/],
    ] as const;
    for (const [args, reason] of cases) {
      const { code, stdout, stderr } = await run(["sessions", "export", ...args]);
      expect({ code, stdout }, stderr).toEqual({ code: 1, stdout: "" });
      expect(stderr).toMatch(reason);
    }
    expect(await readFile(join(folder, "kept"), "utf8")).toBe("mine");
    expect((await readdir(folder)).sort()).toEqual(["inner", "kept"]);
    expect((await run(["sessions", "export", "one", "-o", "out/kept", "--force"])).code).toBe(0);
    expect(await readFile(join(folder, "kept"), "utf8")).toContain('"kind":"session"');
    expect((await readdir(folder)).sort()).toEqual(["inner", "kept"]);
  });

  it("says what could not be read, and keeps the reference", async () => {
    const { store, add, run } = await cliHome();
    await add("one", drafts);
    for (const sha256 of must(await store.blobs.list("one"))) {
      must(await store.disk.remove(`${must(store.layout.blobs("one"))}/${sha256}`));
    }
    const { code, stdout, stderr } = await run(["sessions", "export", "one"]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/could not be read, and stays a reference: entry msg_/);
    expect(await openElsewhere(Buffer.from(stdout), "one")).toHaveLength(5);
  });
});
