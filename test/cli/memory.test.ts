import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openMemory } from "../../packages/core/src/session/memory/open-memory.ts";
import { cliHome, runCli } from "../support/cli.ts";
import { memoryText } from "../support/memory-texts.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const names = "list show search edit log diff blame revert confirm reject doctor import export".split(" ");

async function memoryHome() {
  const { home, store, run } = await cliHome();
  const memory = await openMemory({ home, cwd: home, judgeMemory: false });
  const folder = join(store.layout.root, "memory");
  return { home, memory, folder, run: (...args: string[]) => run(["memory", ...args]) };
}

const deploys = memoryText({
  name: "Deploys",
  description: "when something is released",
  body: "On Tuesdays.\nNever on Fridays.",
});

describe("memory", () => {
  it("has help with examples that fit into 80 columns for every command", async () => {
    for (const name of names) {
      const { code, stdout, stderr } = await runCli(["help", "memory", name]);
      expect({ code, stderr }, name).toEqual({ code: 0, stderr: "" });
      expect(stdout).toContain(`Usage: palimpsest memory ${name}`);
      expect(stdout).toMatch(/Examples:\n +(# .*\n +)?(\w.*)?palimpsest memory/);
      expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
    }
  });

  it("says where it looked and how to begin when there is nothing", async () => {
    const { folder, run } = await memoryHome();
    const { code, stdout } = await run("list");
    expect(code).toBe(0);
    expect(stdout).toContain("Nothing is remembered of this project yet.");
    expect(stdout).toContain(folder);
    expect((await run("list", "--json")).stdout).toBe("[]\n");
    expect((await run("list", "--quarantine")).stdout).toBe("Nothing waits in quarantine.\n");
    expect((await run("log")).stdout).toMatch(/^Nothing was ever written to /);
    expect((await run("search", "x")).stdout).toMatch(/^Nothing found for “x”\./);
    expect((await run("search", "x", "--json")).stdout).toBe("[]\n");
    expect((await run("doctor")).stdout).toContain("Nothing is wrong.");
  });

  it("lists memories within 80 columns, and what else there is", async () => {
    const { folder, memory, run } = await memoryHome();
    await memory.write("deploys.md", deploys);
    await memory.write("fact.md", memoryText({ description: "d".repeat(100) }), {
      author: "agent",
      session: "s",
    });
    await memory.write("quarantine/odd.md", memoryText());
    await writeFile(join(folder, "none.md"), "Just words.");
    const { code, stdout, stderr } = await run("list");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const lines = stdout.split("\n");
    expect(lines[0]).toMatch(/^FILE +TYPE +BY +AGE +WHEN IT MATTERS$/);
    expect(lines[1]).toMatch(/^deploys\.md +reference +user +now +when something is released$/);
    expect(lines[2]).toMatch(/^fact\.md +reference +agent +now +! d+…$/);
    expect(lines.slice(4)).toEqual([
      "2 memories",
      "! from untrusted content, not confirmed",
      "1 in quarantine: palimpsest memory list --quarantine",
      "1 file that cannot be read as a memory: palimpsest memory doctor",
      "",
    ]);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    const [record] = JSON.parse((await run("list", "--json")).stdout);
    expect(Object.keys(record)).toEqual(
      "path name description type author session entries trust confirmed version at".split(" "),
    );
  });

  it("shows a memory by its file, the beginning of its name, or its name", async () => {
    const { memory, run } = await memoryHome();
    await memory.write("deploys.md", deploys, { author: "agent", session: "ses_1", entries: ["e1"] });
    await memory.write("deploys.md", deploys.replace("Tuesdays", "Mondays"));
    for (const named of ["deploys.md", "dep", "DEPLOYS"]) {
      const { code, stdout } = await run("show", named);
      expect(code).toBe(0);
      expect(stdout).toMatch(
        /^Deploys\nwhen something is released\ndeploys\.md · version 2 · .*\nreference · by user · trusted\n\nOn Mondays\.\nNever on Fridays\.\n$/,
      );
    }
    expect((await run("show", "dep", "--at", "1")).stdout).toContain(
      "reference · by agent · in ses_1 · from e1 · untrusted",
    );
    expect((await run("show", "dep", "--raw")).stdout).toBe((await memory.read("deploys.md")).text);
    expect(JSON.parse((await run("show", "dep", "--json")).stdout)).toMatchObject({
      path: "deploys.md",
      version: 2,
      writtenBy: "user",
      text: expect.stringContaining("---"),
    });
    expect((await run("show", "MEMORY.md")).stdout).toContain("- [Deploys](deploys.md)");
    const missing = await run("show", "nothing");
    expect([missing.code, missing.stderr]).toEqual([
      1,
      "error: There is no memory “nothing”.\n  fix: “palimpsest memory list” shows the memories, “palimpsest memory log” also removed ones.\n",
    ]);
    await memory.write("deeper.md", "Words.");
    expect((await run("show", "de")).stderr).toContain("“de” may be deeper.md, deploys.md.");
  });

  it("shows and does not obey what a memory holds", async () => {
    const { memory, run } = await memoryHome();
    await memory.write("a.md", memoryText({ body: "red \u001b[31m and \u0007 bell\ttab" }));
    for (const args of [
      ["show", "a"],
      ["diff", "a"],
      ["blame", "a"],
      ["search", "bell"],
    ]) {
      expect((await run(...args)).stdout).not.toMatch(/(?![\n\t])\p{Cc}/u);
    }
  });

  it("searches any folder without writing to it", async () => {
    const { run } = await memoryHome();
    const dir = await temporaryFolder();
    await writeFile(join(dir, "a.md"), "Plain words about deploys.");
    await mkdir(join(dir, "deep"));
    await writeFile(join(dir, "deep/b.md"), deploys);
    const { code, stdout } = await run("search", "deploys", "--dir", dir, "--json", "--limit", "5");
    expect(code).toBe(0);
    const plain = { kind: "memory", session: null, entry: null, at: null, score: expect.any(Number) };
    expect(JSON.parse(stdout)).toEqual([
      { ...plain, path: "deep/b.md", name: "Deploys", snippet: expect.any(String) },
      { ...plain, path: "a.md", name: null, snippet: "Plain words about deploys." },
    ]);
    expect((await readdir(dir)).sort()).toEqual(["a.md", "deep"]);
    expect((await run("search", "x", "--dir", join(dir, "none"))).stderr).toContain("is not a folder");
    expect((await run("list", "--dir", dir, "--project", dir)).code).toBe(2);
  });
});

describe("memory versions", () => {
  it("has log, diff, blame and revert", async () => {
    const { memory, run } = await memoryHome();
    await memory.write("a.md", memoryText({ body: "one\ntwo" }));
    await memory.write("a.md", memoryText({ body: "one\n2" }), {
      author: "agent",
      session: "ses_1",
      trust: "trusted",
    });
    const log = await run("log", "a.md");
    expect(log.stdout).toMatch(
      /^VERSION {2}WRITTEN +BY +SIZE {2}FROM\n +2 .* agent +\d+ B {2}ses_1\n +1 .* user +\d+ B\n\n2 versions\n$/,
    );
    expect(JSON.parse((await run("log", "--json", "--limit", "1")).stdout)).toHaveLength(1);
    expect((await run("diff", "a.md")).stdout).toMatch(/\n one\n-two\n\+2\n$/);
    expect((await run("diff", "a.md", "1", "1")).stdout).toBe("Versions 1 and 1 of a.md are the same.\n");
    expect(JSON.parse((await run("diff", "a.md", "--json")).stdout)).toMatchObject({ from: 1, to: 2 });
    expect((await run("blame", "a.md")).stdout).toMatch(/^1 user .* {2}one\n2 agent .* {2}2$/m);
    expect((await run("revert", "a.md")).stdout).toBe("a.md is at version 3 now\n");
    expect((await memory.read("a.md")).text).toContain("two");
    expect((await run("revert", "a.md", "--to", "9")).stderr).toContain("a.md has no version 9.");
    expect((await run("revert")).code).toBe(2);
    expect((await run("revert", "--session", "s", "--to", "1")).code).toBe(2);
  });

  it("says why a file that is taken back goes away, and brings it back as it says", async () => {
    const { memory, run } = await memoryHome();
    await memory.write("the plan.md", memoryText({ body: "the only version" }));
    expect(await run("revert", "the plan.md")).toEqual({
      code: 0,
      stdout:
        "removed the plan.md: it was not there before version 1\n  to have it again: palimpsest memory revert 'the plan.md' --to 1\n",
      stderr: "",
    });
    expect((await run("list")).stdout).not.toContain("the plan.md");
    expect((await run("revert", "the plan.md", "--to", "1")).stdout).toBe(
      "the plan.md is at version 3 now\n",
    );
    expect((await run("list")).stdout).toContain("the plan.md");
    expect((await run("revert", "the plan.md", "--to", "2")).stdout).toBe(
      "removed the plan.md, as in version 2\n  to have it again: palimpsest memory revert 'the plan.md' --to 3\n",
    );
  });

  it("brings back a file that a dream has taken for a duplicate, by its name", async () => {
    const { home, memory, run } = await memoryHome();
    const by = { author: "agent", session: "ses_1", trust: "trusted" } as const;
    const body = "The server listens on port 8123 in every region of the world that we have.";
    for (const name of ["a", "b"]) await memory.write(`${name}.md`, memoryText({ name, body }), by);
    for (const name of ["c", "d", "e"])
      await memory.write(`${name}.md`, memoryText({ name, body: `${name}${name} is ${name}.` }), by);
    const files = async () => (await run("list")).stdout.match(/^\w+\.md/gm);
    const dream = await runCli(["dream", "--scribe"], { home, cwd: home });
    expect(dream.stdout).toContain("- b.md");
    expect(await files()).toEqual(["a.md", "c.md", "d.md", "e.md"]);
    expect((await run("revert", "b.md")).stdout).toBe("b.md is at version 3 now\n");
    expect(await files()).toEqual(["a.md", "b.md", "c.md", "d.md", "e.md"]);
  });

  it("takes back a session by the beginning of its id, and says what it kept", async () => {
    const { memory, run } = await memoryHome();
    const by = { author: "agent", session: "ses_bad", trust: "trusted" } as const;
    await memory.write("new.md", memoryText(), by);
    await memory.write("clash.md", memoryText({ body: "one" }));
    await memory.write("clash.md", memoryText({ body: "bad" }), by);
    await memory.write("clash.md", memoryText({ body: "mine" }));
    const { code, stdout, stderr } = await run("revert", "--session", "ses_b");
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: "removed new.md\n",
      stderr: "kept clash.md: the same lines were changed since by user, in version 3\n",
    });
    expect((await run("revert", "--session", "nobody")).stderr).toContain(
      "No session “nobody” has written memories here.",
    );
    expect((await run("revert", "--dream", "d1")).stdout).toBe("There was nothing to undo.\n");
  });
});

describe("memory edit", () => {
  const edit = async (home: string, named: string, editor: string) =>
    runCli(["memory", "edit", named], { home, environment: { EDITOR: editor, TMPDIR: home } });

  it("opens a copy in the editor and makes a version by the user", async () => {
    const { home, memory } = await memoryHome();
    await memory.write("a.md", deploys, { author: "agent", session: "ses_1" });
    const { code, stdout } = await edit(home, "a", "sed -i s/Tuesdays/Mondays/");
    expect([code, stdout]).toEqual([0, "wrote a.md, version 2\n"]);
    expect((await memory.read("a.md")).memory).toMatchObject({
      author: "user",
      session: "ses_1",
      body: "On Mondays.\nNever on Fridays.\n",
    });
    expect((await edit(home, "a", "true")).stderr).toBe("Nothing was changed.\n");
  });

  it("begins a new memory from its name, and takes the user's own lines of the index", async () => {
    const { home, memory } = await memoryHome();
    const { stdout } = await edit(
      home,
      "How we deploy",
      `sed -i -e 's/^description: $/description: when releasing/' -e '$aOn Mondays.'`,
    );
    expect(stdout).toBe("wrote how-we-deploy.md, version 1\n");
    expect(await memory.list()).toMatchObject([
      { name: "How we deploy", description: "when releasing", body: "On Mondays.\n" },
    ]);
    expect((await edit(home, "MEMORY.md", "sed -i '1iRead this first.'")).stdout).toBe(
      "wrote MEMORY.md, version 2\n",
    );
    expect(await memory.index()).toMatch(/^Read this first\.\n\n<!--/);
  });

  it("keeps the text when it cannot be stored, and says where", async () => {
    const { home, folder, memory } = await memoryHome();
    await memory.write("a.md", deploys);
    const { code, stderr } = await edit(home, "a", "sed -i s/^type:.*/type:/");
    expect(code).toBe(1);
    const [, kept = ""] = /Your text is kept in (\S+)\.\n$/.exec(stderr) ?? [];
    expect(await readFile(kept, "utf8")).toContain("type:\n");
    const editor = join(home, "editor.sh");
    await writeFile(editor, `printf x >> "$1"; printf 'Meanwhile.\\n' >> ${join(folder, "a.md")}`);
    const meanwhile = await edit(home, "a", `sh ${editor}`);
    expect(meanwhile.stderr).toMatch(
      /a\.md was expected at version 1, but it is at version 2\.[\s\S]*kept in/,
    );
  });

  it("needs an editor that works", async () => {
    const { home, memory, run } = await memoryHome();
    await memory.write("a.md", deploys);
    expect((await run("edit", "a")).stderr).toBe(
      "error: No editor is set.\n  fix: Set EDITOR, for example EDITOR=nano, and call this again.\n",
    );
    const failing = await edit(home, "a", "false");
    expect([failing.code, failing.stderr]).toEqual([
      1,
      expect.stringContaining("ended with code 1. Nothing was written."),
    ]);
    expect(await memory.history("a.md")).toHaveLength(1);
  });
});

describe("memory in quarantine, doctor, import, export", () => {
  it("confirms and rejects", async () => {
    const { memory, run } = await memoryHome();
    for (const name of ["good", "bad"])
      await memory.write(`quarantine/${name}.md`, memoryText({ name }), { author: "agent" });
    expect((await run("list", "--quarantine")).stdout).toContain("2 memories in quarantine");
    expect((await run("confirm", "good")).stdout).toBe("confirmed good.md\n");
    expect((await run("reject", "bad.md")).stdout).toBe(
      "rejected quarantine/bad.md; its versions are kept\n",
    );
    expect(await memory.list()).toMatchObject([{ path: "good.md", isConfirmed: true }]);
    expect((await run("reject", "bad")).stderr).toContain("bad.md does not wait in quarantine.");
    expect(JSON.parse((await run("confirm", "good", "--json")).stdout)).toMatchObject([
      { path: "good.md", confirmed: true },
    ]);
  });

  it("finds what is wrong and brings the index in step", async () => {
    const { home, folder, memory, run } = await memoryHome();
    await writeFile(join(home, "here.ts"), "");
    await memory.write("a.md", "See ./here.ts and ./gone.ts.");
    await writeFile(join(folder, "b.md"), memoryText({ body: "Other." }));
    const { code, stdout } = await run("doctor");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^KIND +FOUND +OF +RATE\nduplicate +0 +2 +0 %\n/);
    expect(stdout).toContain(
      "- a.md (stale-path): names ./gone.ts, which is not there\n- b.md (orphan): MEMORY.md does not list it\n",
    );
    expect(stdout).toContain("secret              0   2   0 %");
    const report = JSON.parse((await run("doctor", "--reindex", "--json")).stdout);
    expect(report).toMatchObject({
      memories: 2,
      reindexed: true,
      rates: { orphan: { count: 0, of: 2, rate: 0 } },
    });
  });

  it("exports and imports as JSON and as files", async () => {
    const { home, memory, run } = await memoryHome();
    await memory.write("a.md", deploys);
    await memory.write("deep/b.md", "Words.");
    const out = join(home, "all.json");
    expect((await run("export", "-o", out)).stderr).toBe(`wrote 3 files to ${out}\n`);
    expect((await run("export", "-o", out)).stderr).toContain("exists already");
    const copy = join(home, "copy");
    expect((await run("export", "--folder", copy)).code).toBe(0);
    expect((await readdir(copy)).sort()).toEqual(["MEMORY.md", "a.md", "deep"]);
    expect((await run("export", "--folder", copy)).stderr).toContain("is not empty");
    for (const source of [out, copy]) {
      const dir = await temporaryFolder();
      expect((await run("import", source, "--dir", dir, "--dry-run")).stdout).toMatch(
        /^Would import 2 memories, as untrusted\.\n/,
      );
      const { code, stdout } = await run("import", source, "--dir", dir, "--trusted");
      expect([code, stdout]).toEqual([
        0,
        expect.stringMatching(
          /^Imported 2 memories\.\n {2}a\.md\n {2}deep\/b\.md\n {2}not MEMORY\.md: it is generated\n$/,
        ),
      ]);
      expect(
        (await (await openMemory({ dir })).list()).map(({ path, author, trust }) => [path, author, trust]),
      ).toEqual([
        ["a.md", "import", "trusted"],
        ["deep/b.md", "import", "trusted"],
      ]);
    }
    const piped = await runCli(["memory", "import", "-", "--dir", await temporaryFolder(), "--json"], {
      home,
      input: (await run("export")).stdout,
    });
    expect(JSON.parse(piped.stdout)).toMatchObject({
      imported: [{ path: "quarantine/a.md" }, { path: "deep/b.md" }],
    });
    await writeFile(out, "{");
    expect((await run("import", out)).stderr).toContain("is not JSON");
    expect((await run("import", join(home, "none"))).code).toBe(1);
  });
});
