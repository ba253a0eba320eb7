import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import type { ProjectStore } from "../../packages/core/src/spec/index.ts";
import { openFileStores } from "../../packages/core/src/stores/files/index.ts";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import { runCli } from "../support/cli.ts";
import { messageDraft, sessionDraft } from "../support/entries.ts";
import { databasePassword, newDatabaseUrl } from "../support/postgres/both-stores.ts";
import { describeOnPostgres } from "../support/postgres/use-postgres.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const project = "p-1";
const childPath = fileURLToPath(new URL("../children/copy-store.mjs", import.meta.url));

/** A project in files with something of everything. */
async function fullHome(): Promise<{ readonly home: string; readonly store: ProjectStore }> {
  const home = await temporaryFolder();
  const store = (await openFileStores(home)).store(project);
  for (const session of ["one", "one/fork", "two", "gone"]) {
    const writer = must(await store.logs.create(sessionDraft(session)));
    must(await writer.append([messageDraft(`hello from ${session}`), messageDraft("\u2028 \0 \ud800")]));
    const { blob } = must(await store.blobs.put(session, Buffer.from(`a result of ${session}`)));
    must(await store.blobs.name(session, blob, "toolu_01"));
    must(await store.notesCopies.write(session, `# Notes of ${session}`));
    must(await writer.close());
  }
  must(await must(await store.logs.open("two", () => undefined)).close());
  must(await store.logs.remove("gone", "test"));
  const memory = store.tree("memory");
  must(await memory.write("a.md", "one", { author: "user" }));
  must(await memory.write("a.md", "two", { author: "agent", session: "one", source: "m1", expect: 1 }));
  must(await memory.write("deep/b é.md", "kept", { author: "user" }));
  must(await memory.remove("deep/b é.md", { author: "user" }));
  const at = new Date().toISOString();
  for (const number of [1, 2, 3])
    must(await store.mailbox.send({ id: `m${number}`, from: "two", to: "one", at, body: { number } }));
  must(await must(await store.consolidateLock.acquire()).complete());
  return { home, store };
}

/** What a store has, as bytes. */
async function contentsOf({ archive }: ProjectStore): Promise<Readonly<Record<string, string>>> {
  const pieces = [];
  for (const session of must(await archive.sessions())) pieces.push(...must(await archive.piecesOf(session)));
  pieces.push(...must(await archive.others()));
  const contents: Record<string, string> = {};
  for (const piece of pieces)
    contents[JSON.stringify(piece)] = Buffer.from(must(await archive.read(piece)) ?? []).toString("latin1");
  return contents;
}

async function logsOf(home: string): Promise<Readonly<Record<string, string>>> {
  const folder = join(home, "projects", project, "sessions");
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".jsonl"));
  return Object.fromEntries(
    await Promise.all(
      names.sort().map(async (name) => [name, await readFile(join(folder, name), "latin1")] as const),
    ),
  );
}

const migrate = (home: string, from: string, to: string, ...more: readonly string[]) =>
  runCli(["migrate-store", "--from", from, "--to", to, "--project", project, ...more], { home });

describeOnPostgres("migrate-store", () => {
  it("brings a project into a database and back to the byte, and the second time changes nothing", async () => {
    const [{ home, store }, url, back] = [await fullHome(), await newDatabaseUrl(), await temporaryFolder()];
    const first = await migrate(home, "files", url);
    expect(first, first.stdout).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toContain("Everything is there, the same to the byte.");
    expect(first.stdout).not.toContain(databasePassword);
    expect(
      first.stdout
        .split("\n")
        .slice(2)
        .filter((line) => line.length > 80),
    ).toEqual([]);
    const second = await migrate(home, "files", url);
    expect(second.stdout).toContain("Everything was there already");
    const returned = await migrate(back, url, "files", "--json");
    expect(returned.code).toBe(0);
    expect(JSON.parse(returned.stdout).projects).toMatchObject([
      { project, sessions: 4, present: 0, skipped: [] },
    ]);
    const copy = (await openFileStores(back)).store(project);
    expect(await contentsOf(copy)).toEqual(await contentsOf(store));
    expect(await logsOf(back)).toEqual(await logsOf(home));
    const options = { home: back, environment: { DATABASE_URL: url } };
    const shown = await runCli(["sessions", "show", "two", "--project", project, "--json"], options);
    expect(JSON.parse(shown.stdout)).toMatchObject({ corrupt: 0 });
    const listed = await runCli(["memory", "log", "--project", project, "--json"], options);
    expect(listed.code).toBe(0);
  });

  it("leaves an open session out, names it, and fails", async () => {
    const [{ home, store }, url] = [await fullHome(), await newDatabaseUrl()];
    const writer = must(await store.logs.open("two", () => undefined));
    const { code, stdout } = await migrate(home, "files", url);
    expect(code).toBe(1);
    expect(stdout).toContain("session two was not copied");
    must(await writer.close());
    expect((await migrate(home, "files", url)).code).toBe(0);
  });

  it("goes on after its process was killed, wherever that was", async () => {
    const [{ home, store }, url, back] = [await fullHome(), await newDatabaseUrl(), await temporaryFolder()];
    for (const pieces of [1, 4, 9]) {
      const child = spawn(process.execPath, [childPath, home, url, project], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const closed = once(child, "close");
      let told = 0;
      for await (const _line of createInterface({ input: child.stdout })) {
        told += 1;
        if (told === pieces) child.kill("SIGKILL");
      }
      await closed;
    }
    expect((await migrate(home, "files", url)).code).toBe(0);
    expect((await migrate(back, url, "files")).code).toBe(0);
    expect(await contentsOf((await openFileStores(back)).store(project))).toEqual(await contentsOf(store));
  });

  it("takes two stores that differ, and says when there is nothing to copy", async () => {
    const home = await temporaryFolder();
    expect(await migrate(home, "files", "files")).toMatchObject({ code: 2 });
    const url = await newDatabaseUrl();
    const empty = await runCli(["migrate-store", "--from", "files", "--to", url], { home });
    expect([empty.code, empty.stdout.includes("There is nothing to copy.")]).toEqual([0, true]);
    expect((await migrate(home, "files", "mysql://x/y")).stderr).toContain("--to takes");
    const help = await runCli(["help", "migrate-store"]);
    expect(help.stdout).toMatch(/Examples:\n[\s\S]*palimpsest migrate-store/);
    expect(help.stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });
});
