import { mkdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openFileStore } from "../../packages/core/src/stores/files/index.ts";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import { cliHome, linesOf, userSays } from "../support/cli.ts";

async function age(path: string, days: number): Promise<void> {
  const at = new Date(Date.now() - days * 86_400_000);
  await utimes(path, at, at);
}

const title = (words: string) => ({ kind: "note", note: { topic: "title", title: words } }) as const;

describe("sessions list", () => {
  it("says where it looked and how to get one when there is none", async () => {
    const { home, store, run } = await cliHome();
    const { code, stdout, stderr } = await run(["sessions", "list"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("This project has no sessions yet.");
    expect(stdout).toContain(store.layout.sessions);
    expect(stdout).toContain("openSession");
    expect((await run(["sessions", "list", "--json"])).stdout).toBe("[]\n");
    expect((await run(["sessions", "list", "--all"])).stdout).toContain(`${home}/projects`);
  });

  it("shows id, age, size, model and title or first prompt, newest first", async () => {
    const { add, run } = await cliHome();
    await age(
      await add("session-old", [userSays("the first words")], { model: "claude-opus-4-5-20251101" }),
      3,
    );
    await age(await add("session-new", [userSays("other words"), title("A title")]), 0.1);
    const { code, stdout } = await run(["sessions", "list"]);
    expect(code).toBe(0);
    const [header, first, second, blank, footer] = stdout.split("\n");
    expect(header).toMatch(/^ID +AGE +SIZE +MODEL +TITLE$/);
    expect(first).toMatch(/^session-n +2 h ago +\d+ B +A title$/);
    expect(second).toMatch(/^session-o +3 d ago +\d+ B +claude-opus-4-5 +the first words$/);
    expect([blank, footer]).toEqual(["", expect.stringMatching(/^2 sessions, logs of [\d.]+ k?B$/)]);
    expect((await run(["sessions", "list", "--limit", "1"])).stdout).toContain("1 of 2 sessions");
  });

  it("gives programs every field, in one order", async () => {
    const { home, store, add, run } = await cliHome();
    const path = await add("one", [userSays("hello"), title("Hello")], { model: "m" });
    await age(path, 1);
    const [listed, ...others] = JSON.parse((await run(["sessions", "list", "--json"])).stdout);
    expect(others).toEqual([]);
    expect(Object.keys(listed)).toEqual([
      "id",
      "project",
      "bytes",
      "modifiedAt",
      "createdAt",
      "title",
      "state",
      "firstPrompt",
      "model",
      "cwd",
      "parent",
      "problem",
    ]);
    expect(listed).toMatchObject({
      id: "one",
      project: store.layout.root.split("/").at(-1),
      title: "Hello",
      firstPrompt: "hello",
      model: "m",
      cwd: home,
      parent: null,
      problem: null,
    });
  });

  it("shows damaged, empty and impossible logs with their problem", async () => {
    const { store, add, run } = await cliHome();
    const path = await add("damaged", [userSays("one"), userSays("two")]);
    const lines = await linesOf(path);
    await writeFile(path, [lines[0], "\0\0\0", lines[2], ""].join("\n"));
    await writeFile(join(store.layout.sessions, "empty.jsonl"), "");
    await writeFile(join(store.layout.sessions, "nonsense.jsonl"), "no log\n");
    await mkdir(join(store.layout.sessions, "folder.jsonl"));
    const { code, stdout } = await run(["sessions", "list", "--json"]);
    expect(code).toBe(0);
    const problems = Object.fromEntries(
      JSON.parse(stdout).map(({ id, problem }: { id: string; problem: string }) => [id, problem]),
    );
    expect(problems).toEqual({
      damaged: "it has a damaged line",
      empty: "it is empty",
      nonsense: "its first entry is damaged or missing",
      folder: expect.stringContaining("it is a folder"),
    });
    expect((await run(["sessions", "list"])).stdout).toMatch(/damaged .*! it has a damaged line: two/);
  });

  it("shows other projects with --all and by folder or slug, and knows no other", async () => {
    const { home, add, run } = await cliHome();
    await add("here", [userSays("mine")]);
    const folder = join(home, "shop");
    await mkdir(folder);
    const other = must(await openFileStore({ home, cwd: folder }));
    must(
      await must(
        await other.logs.create({ kind: "session", session: { id: "there", project: "shop" } }),
      ).close(),
    );
    const slug = other.layout.root.split("/").at(-1) ?? "";
    const ids = async (...args: string[]) =>
      JSON.parse((await run(["sessions", "list", "--json", ...args])).stdout).map(
        ({ id }: { id: string }) => id,
      );
    expect(await ids()).toEqual(["here"]);
    expect((await ids("--all")).sort()).toEqual(["here", "there"]);
    expect(await ids("--project", "shop")).toEqual(["there"]);
    expect(await ids("--project", slug)).toEqual(["there"]);
    const all = await run(["sessions", "list", "--all"]);
    expect(all.stdout).toContain(slug);
    const empty = await run(["sessions", "list"], { cwd: folder.replace(/shop$/, "") });
    expect(empty.stdout).toContain("here");
    const unknown = await run(["sessions", "list", "--project", "nowhere"]);
    expect(unknown).toMatchObject({ code: 1, stdout: "" });
    expect(unknown.stderr).toMatch(/^error: “nowhere” is neither a folder nor a project.*\n {2}fix: /);
  });

  it("lets no escape code of a title reach the terminal, and stays within 80 columns", async () => {
    const { add, run } = await cliHome();
    await add("evil", [title(`\u001b]0;owned\u0007\u001b[2J\u202e${"日本語".repeat(40)}`)]);
    for (const args of [["list"], ["show", "evil"], ["show", "evil", "--entries"], ["list", "--json"]]) {
      const { stdout } = await run(["sessions", ...args]);
      expect(stdout.replaceAll("\n", "")).not.toMatch(/\p{Cc}|\u202e/u);
    }
    const { stdout } = await run(["sessions", "list"]);
    expect(stdout).toContain("␛]0;owned␇␛[2J\\u202e日本語");
  });
});
