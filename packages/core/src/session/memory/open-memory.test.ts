import { mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { memoryText } from "../../../../../test/support/memory-texts.ts";
import { failure, openMemoryFolder } from "../../../../../test/support/open-memory-folder.ts";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { must } from "../../../../testing/src/conformance/outcomes.ts";
import { indexMarker } from "../../memory/build-index.ts";
import { openFileStore } from "../../stores/files/index.ts";
import { openMemory } from "./open-memory.ts";

const feedback = memoryText({
  name: "Short answers",
  type: "feedback",
  body: "Answer in three lines.\n\n**Why:** they read on a phone.\n\n**How to apply:** details only when asked.",
});

describe("openMemory", () => {
  it("writes a memory as a file, and the index in the same step", async () => {
    const { memory, fileOf } = await openMemoryFolder({ judgeMemory: false });
    const written = await memory.write("short.md", feedback, {
      author: "agent",
      session: "ses_1",
      entries: ["e1", "e2"],
    });
    expect(written).toEqual({
      memory: {
        path: "short.md",
        name: "Short answers",
        description: "when it matters",
        type: "feedback",
        body: expect.stringContaining("**Why:**"),
        author: "agent",
        session: "ses_1",
        entries: ["e1", "e2"],
        trust: "untrusted",
        version: 1,
        at: "2026-01-01T00:00:00.000Z",
      },
      version: expect.objectContaining({
        version: 1,
        author: "agent",
        session: "ses_1",
        source: "entries: e1 e2",
      }),
    });
    expect(await fileOf("MEMORY.md")).toBe(
      `${indexMarker}\n- [Short answers](short.md): when it matters (untrusted)\n`,
    );
    expect(await memory.list()).toEqual([written.memory]);
    expect(await memory.index()).toBe(await fileOf("MEMORY.md"));
    expect((await memory.read("short.md")).memory).toEqual(written.memory);
    await memory.remove("short.md");
    expect(await fileOf("MEMORY.md")).toBe(`${indexMarker}\n`);
  });

  it("finds a project's folder in a store, by home and cwd, and by its slug", async () => {
    const home = await temporaryFolder();
    const store = must(await openFileStore({ home, cwd: home }));
    const project = store.layout.root.split("/").at(-1) ?? "";
    const byStore = await openMemory({ store, project });
    await byStore.write("a.md", "Words.");
    for (const memory of [await openMemory({ home, cwd: home }), await openMemory({ home, project })]) {
      expect((await memory.list()).map(({ path }) => path)).toEqual(["a.md"]);
    }
    expect(await readdir(join(store.layout.root, "memory"))).toContain("a.md");
    expect((await failure(openMemory({ dir: home, store }))).code).toBe("invalid-input");
    expect((await failure(openMemory({ dir: "" }))).code).toBe("invalid-input");
  });

  it.each(["../../elsewhere", "", "a/b", ".."])(
    "refuses the name “%s” for a project: it leads out of the data root",
    async (project) => {
      const home = await temporaryFolder();
      await expect(openMemory({ home, project })).rejects.toMatchObject({
        code: "invalid-input",
        message: `“${project}” cannot name a project.`,
      });
      expect(await readdir(home)).toEqual([]);
    },
  );

  it("refuses two places at once, and names them", async () => {
    const [dir, databaseUrl] = [await temporaryFolder(), "postgres://me@db/agents"];
    const refused = { code: "invalid-input", message: expect.stringContaining("dir and databaseUrl") };
    await expect(openMemory({ dir, databaseUrl })).rejects.toMatchObject(refused);
  });

  it("refuses a stale write with what stands there now, so that it can be planned again", async () => {
    const { memory } = await openMemoryFolder();
    const first = await memory.write("a.md", memoryText({ body: "One." }), { expect: 0 });
    const second = await memory.write("a.md", memoryText({ body: "Two." }), {
      expect: first.version.version,
    });
    const stale = await failure(memory.write("a.md", memoryText({ body: "Three." }), { expect: 1 }));
    expect([stale.code, stale.facts]).toEqual([
      "conflict",
      {
        expected: 1,
        present: 2,
        version: second.version.version,
        author: "user",
        text: (await memory.read("a.md")).text,
      },
    ]);
    expect((await failure(memory.remove("a.md", { expect: 1 }))).facts).toMatchObject({ version: 2 });
    expect((await failure(memory.write("a.md", "x", { expect: 0 }))).code).toBe("conflict");
    await memory.write("a.md", memoryText({ body: "Three." }), { expect: 2 });
    expect((await memory.history("a.md")).map(({ version }) => version)).toEqual([1, 2, 3]);
  });

  it("takes a hand edit as a version by the user, and a file put there as a memory", async () => {
    const { dir, memory } = await openMemoryFolder();
    await memory.write("a.md", memoryText({ body: "One." }), { author: "agent", trust: "trusted" });
    await writeFile(join(dir, "a.md"), (await memory.read("a.md")).text.replace("One.", "By hand."));
    await writeFile(join(dir, "b.md"), memoryText({ name: "B" }));
    expect((await memory.list()).map(({ path, author, version }) => [path, author, version])).toEqual([
      ["a.md", "user", 2],
      ["b.md", "user", 1],
    ]);
    expect((await memory.history()).map(({ path, author }) => `${path} ${author}`).sort()).toEqual([
      "MEMORY.md agent",
      "a.md agent",
      "a.md user",
      "b.md user",
    ]);
    expect(await memory.reindex()).toBe(true);
    expect(await memory.reindex()).toBe(false);
    expect(await memory.index()).toContain("- [B](b.md)");
  });

  it("keeps the user's own lines of the index, by hand and by call", async () => {
    const { dir, memory, fileOf } = await openMemoryFolder();
    await writeFile(join(dir, "MEMORY.md"), "# Mine\n\nRead this first.\n");
    await memory.write("a.md", memoryText());
    expect(await fileOf("MEMORY.md")).toBe(
      `# Mine\n\nRead this first.\n\n${indexMarker}\n- [Topic](a.md): when it matters\n`,
    );
    await memory.writeOwnLines("New words.");
    expect(await fileOf("MEMORY.md")).toBe(
      `New words.\n\n${indexMarker}\n- [Topic](a.md): when it matters\n`,
    );
    expect((await failure(memory.write("MEMORY.md", "x"))).code).toBe("invalid-path");
    expect((await failure(memory.remove("MEMORY.md"))).code).toBe("denied");
    expect((await failure(memory.writeOwnLines("line\n".repeat(300)))).code).toBe("too-large");
    expect((await failure(memory.writeOwnLines("x", { expect: 1 }))).code).toBe("conflict");
  });

  it("refuses at the limits and writes nothing: 100 KB a file, 150 characters a line, 200 lines, 25 KB", async () => {
    const { dir, memory } = await openMemoryFolder();
    const codes = async (call: Promise<unknown>) => {
      const { code, fix } = await failure(call);
      return [code, fix];
    };
    const long = memoryText({ body: "x".repeat(100_000) });
    expect(await codes(memory.write("a.md", long))).toEqual([
      "too-large",
      expect.stringMatching(/^Shorten it by \d+ bytes, or split/),
    ]);
    expect(await codes(memory.write("a.md", memoryText({ description: "d".repeat(150) })))).toEqual([
      "too-large",
      "Shorten the description, or the name, by 18 characters.",
    ]);
    await memory.writeOwnLines("line\n".repeat(198));
    await memory.write("a.md", memoryText()).catch(() => undefined);
    expect(await codes(memory.write("b.md", memoryText()))).toEqual([
      "too-large",
      expect.stringContaining("Remove or merge"),
    ]);
    await memory.writeOwnLines("x".repeat(24_900));
    expect(await codes(memory.write("b.md", memoryText()))).toEqual([
      "too-large",
      expect.stringContaining("Shorten descriptions"),
    ]);
    expect((await readdir(dir)).filter((name) => name.endsWith(".md")).sort()).toEqual(["MEMORY.md"]);
  });

  it("loads an index within its limits: the newest and the most used stay", async () => {
    const { dir, clock, memory } = await openMemoryFolder();
    await mkdir(dir, { recursive: true });
    for (let index = 0; index < 220; index += 1) {
      await writeFile(join(dir, `m${String(index).padStart(3, "0")}.md`), memoryText({ name: `M${index}` }));
    }
    await memory.list();
    await clock.advance(60_000);
    expect((await failure(memory.write("m219.md", memoryText({ name: "Longer name" })))).code).toBe(
      "too-large",
    );
    await memory.write("m219.md", memoryText({ name: "M219", body: "New words." }));
    for (let times = 0; times < 3; times += 1) memory.use("m218.md");
    await memory.close();
    const loaded = await (await openMemory({ dir, durable: false, clock })).loadIndex();
    expect(loaded.leftOut).toBeGreaterThan(20);
    expect(loaded.text.split("\n").length).toBeLessThanOrEqual(201);
    expect(loaded.text).toContain("(m218.md)");
    expect(loaded.text).toContain("(m219.md)");
    expect(loaded.text).toContain(`${loaded.leftOut} memories are not shown`);
    await memory.remove("m000.md");
    expect((await memory.index()).split("\n")).toHaveLength(221);
  });

  it("lists files that are no memories for the doctor, and loses none", async () => {
    const { dir, memory, fileOf } = await openMemoryFolder();
    await memory.write("a.md", "See b.md");
    await writeFile(join(dir, "odd.md"), "No front matter.\n");
    await mkdir(join(dir, "logs/2026/01"), { recursive: true });
    await writeFile(join(dir, "logs/2026/01/2026-01-05.md"), "- did something\n");
    const { invalid } = await memory.survey();
    expect(invalid.map(({ path, problem }) => [path, problem])).toEqual([
      ["odd.md", "it has no front matter"],
    ]);
    expect((await memory.doctor()).findings).toEqual([
      { kind: "invalid", path: "odd.md", detail: "it has no front matter" },
    ]);
    expect((await memory.search("front matter")).map(({ path }) => path)).toEqual(["odd.md"]);
    expect(await fileOf("odd.md")).toBe("No front matter.\n");
  });

  it("refuses what is no memory's path, climbs out, or goes through a link", async () => {
    const { dir, memory } = await openMemoryFolder();
    const outside = await temporaryFolder();
    await symlink(outside, join(dir, "away"));
    const paths = [
      "a.txt",
      "logs/2026/01/2026-01-05.md",
      "../a.md",
      "/a.md",
      "a/../../b.md",
      "%2e%2e/a.md",
      "a\0.md",
      "away/a.md",
      "x".repeat(300),
    ];
    for (const path of paths)
      expect([path, (await failure(memory.write(path, "Words."))).code]).toEqual([path, "invalid-path"]);
    expect((await failure(memory.read("away/a.md"))).code).toBe("invalid-path");
    expect((await failure(memory.write("a.md", "\ud800"))).code).toBe("invalid-input");
    expect((await failure(memory.write("a.md", "---\nname: x\n"))).code).toBe("invalid-input");
    expect(await readdir(outside)).toEqual([]);
  });

  it("masks secrets before anything is written, names included", async () => {
    const maskSecrets = (text: string) => ({
      text: text.replaceAll("hunter2", "[masked]"),
      masked: text.split("hunter2").length - 1,
      kinds: text.includes("hunter2") ? ["password"] : [],
    });
    const { dir, memory, fileOf } = await openMemoryFolder({ maskSecrets });
    const written = await memory.write(
      "a.md",
      memoryText({ description: "hunter2 works", body: "Use hunter2." }),
    );
    expect(written).toMatchObject({
      masked: 2,
      memory: { description: "[masked] works", body: "Use [masked].\n" },
    });
    expect(await fileOf("a.md")).not.toContain("hunter2");
    await writeFile(join(dir, "b.md"), memoryText({ body: "It is hunter2." }));
    await memory.reindex();
    const { findings, unchecked } = await memory.doctor();
    expect(findings).toEqual([{ kind: "secret", path: "b.md", detail: "holds a secret: password" }]);
    expect(unchecked).toEqual(["stale-path"]);
  });

  it("tells which paths are gone, from the folder of work up to the root of its repository", async () => {
    const project = await temporaryFolder();
    await mkdir(join(project, ".git"));
    await mkdir(join(project, "src/deep"), { recursive: true });
    await writeFile(join(project, "src/here.ts"), "");
    const { memory } = await openMemoryFolder({ cwd: join(project, "src/deep") });
    await memory.write(
      "a.md",
      "See src/here.ts, src/gone.ts, /etc/nowhere-at-all and [this](b.md), [that](c.md).",
    );
    await memory.write("b.md", "Words.");
    expect((await memory.doctor()).findings.map(({ detail }) => detail)).toEqual([
      "names c.md, which is not there",
      "names src/gone.ts, which is not there",
      "names /etc/nowhere-at-all, which is not there",
    ]);
  });
});

describe("crashes", () => {
  it("heals an index that was left behind with the next write of another handle", async () => {
    const { dir, memory } = await openMemoryFolder();
    await memory.write("a.md", memoryText({ name: "A" }));
    const left = await memory.read("MEMORY.md");
    await memory.write("b.md", memoryText({ name: "B", body: "Other words." }));
    await writeFile(join(dir, "MEMORY.md"), left.text);
    const next = await openMemory({ dir, durable: false });
    expect((await next.doctor()).findings).toEqual([
      { kind: "orphan", path: "b.md", detail: "MEMORY.md does not list it" },
    ]);
    await next.write("a.md", memoryText({ name: "A", body: "New." }));
    expect((await next.doctor()).findings).toEqual([]);
    await rm(join(dir, "MEMORY.md"));
    expect(await next.reindex()).toBe(true);
  });
});
