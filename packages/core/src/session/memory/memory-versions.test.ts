import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { memoryText } from "../../../../../test/support/memory-texts.ts";
import { failure, openMemoryFolder } from "../../../../../test/support/open-memory-folder.ts";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { indexMarker } from "../../memory/build-index.ts";

const feedback = memoryText({
  name: "Short answers",
  type: "feedback",
  body: "Answer in three lines.\n\n**Why:** they read on a phone.\n\n**How to apply:** details only when asked.",
});

describe("versions", () => {
  const lines = (...body: string[]) => memoryText({ body: body.join("\n") });

  it("shows what changed, and who brought each line", async () => {
    const { dir, memory } = await openMemoryFolder();
    await memory.write("a.md", lines("one", "two"));
    await memory.write("a.md", lines("one", "2", "three"), {
      author: "agent",
      session: "s",
      trust: "trusted",
    });
    await writeFile(join(dir, "a.md"), (await memory.read("a.md")).text.replace("three", "drei"));
    expect(await memory.diff("a.md")).toMatchObject({
      from: 2,
      to: 3,
      added: 1,
      removed: 1,
      text: expect.stringContaining("-three\n+drei\n"),
    });
    expect((await memory.diff("a.md", { from: 0, to: 1 })).text).toContain(
      "--- a.md version 0\n+++ a.md version 1\n",
    );
    const blamed = (await memory.blame("a.md")).map(
      ({ line, version }) => `${version.version} ${version.author} ${line}`,
    );
    expect(blamed).toEqual(
      expect.arrayContaining(["1 user one", "2 agent 2", "3 user drei", "2 agent session: s"]),
    );
    expect((await failure(memory.diff("a.md", { from: 9 }))).code).toBe("not-found");
    expect((await failure(memory.history("never.md"))).code).toBe("not-found");
  });

  it("takes a file back to a version, and that back again", async () => {
    const { memory } = await openMemoryFolder();
    await memory.write("a.md", lines("one"));
    await memory.write("a.md", lines("two"));
    await memory.remove("a.md");
    expect(await memory.revert({ path: "a.md" })).toEqual({
      reverted: [{ path: "a.md", version: 4, isRemoved: false }],
      skipped: [],
    });
    expect((await memory.read("a.md")).text).toContain("two");
    await memory.revert({ path: "a.md", version: 1 });
    expect((await memory.read("a.md")).memory?.body).toBe("one\n");
    await memory.revert({ path: "a.md", version: 3 });
    expect(await memory.list()).toEqual([]);
    expect(await memory.index()).toBe(`${indexMarker}\n`);
    expect((await failure(memory.revert({ path: "a.md", version: 6 }))).code).toBe("invalid-input");
    expect((await failure(memory.revert({ path: "a.md", version: 77 }))).code).toBe("not-found");
  });

  it("takes back all that a session wrote, and keeps what others wrote since", async () => {
    const { memory } = await openMemoryFolder();
    const by = { author: "agent", session: "bad", trust: "trusted" } as const;
    for (const path of ["changed.md", "gone.md", "mixed.md", "clash.md"]) {
      await memory.write(path, lines("1", "2", "3", "4", "5", "6"));
    }
    await memory.write("new.md", lines("made"), by);
    await memory.write("changed.md", lines("1", "2", "3", "4", "5", "bad"), by);
    await memory.remove("gone.md", by);
    const swap = (text: string, from: string, to: string) => text.replace(`\n${from}\n`, `\n${to}\n`);
    for (const [path, mine] of [
      ["mixed.md", "1"],
      ["clash.md", "6"],
    ] as const) {
      const { text } = await memory.read(path);
      await memory.write(path, swap(text, "6", "bad"), by);
      const now = (await memory.read(path)).text;
      await memory.write(path, swap(now, mine === "6" ? "bad" : mine, "good"), { session: "fine" });
    }
    const report = await memory.revert({ session: "bad" });
    expect(report.reverted.map(({ path, isRemoved }) => [path, isRemoved])).toEqual([
      ["changed.md", false],
      ["gone.md", false],
      ["mixed.md", false],
      ["new.md", true],
    ]);
    expect(report.skipped).toEqual([
      { path: "clash.md", why: "the same lines were changed since by user, in version 3" },
    ]);
    expect((await memory.read("changed.md")).memory?.body).toBe("1\n2\n3\n4\n5\n6\n");
    expect((await memory.read("mixed.md")).memory?.body).toBe("good\n2\n3\n4\n5\n6\n");
    expect((await memory.list()).map(({ path }) => path)).toEqual([
      "changed.md",
      "clash.md",
      "gone.md",
      "mixed.md",
    ]);
    expect(await memory.index()).toBe((await memory.read("MEMORY.md")).text);
    expect((await memory.revert({ session: "bad" })).reverted).toEqual([]);
  });

  it("takes back a dream whole", async () => {
    const { memory } = await openMemoryFolder();
    await memory.write("a.md", lines("kept"));
    const dream = { author: "dream", source: "dream:d1", trust: "trusted" } as const;
    await memory.write("b.md", lines("dreamt"), dream);
    await memory.remove("a.md", dream);
    expect((await memory.revert({ group: "d1" })).reverted).toHaveLength(2);
    expect((await memory.list()).map(({ path, body }) => [path, body])).toEqual([["a.md", "kept\n"]]);
    expect(await memory.revert({ group: "other" })).toEqual({ reverted: [], skipped: [] });
  });
});

describe("import and export", () => {
  it("brings everything from one folder to another", async () => {
    const one = await openMemoryFolder();
    await one.memory.write("a.md", feedback, { session: "ses_1", entries: ["e1"], isConfirmed: true });
    await one.memory.write("deep/b.md", "Words.", { author: "agent" });
    const document = await one.memory.export();
    expect(document).toMatchObject({
      format: "palimpsest-memory",
      version: 1,
      exportedAt: "2026-01-01T00:00:00.000Z",
    });
    expect(document.files.map(({ path }) => path)).toEqual(["MEMORY.md", "a.md", "deep/b.md"]);
    const two = await openMemoryFolder();
    const report = await two.memory.import(
      { document: JSON.parse(JSON.stringify(document)) },
      { trust: "trusted" },
    );
    expect(report).toEqual({
      imported: [{ path: "a.md" }, { path: "deep/b.md" }],
      skipped: [{ path: "MEMORY.md", why: "it is generated" }],
    });
    expect((await two.memory.list()).map(({ version, at, ...said }) => said)).toEqual(
      (await one.memory.list()).map(({ version, at, ...said }) => ({
        ...said,
        author: "import",
        trust: "trusted",
      })),
    );
    const again = await two.memory.import({ document });
    expect(again.imported).toEqual([]);
    expect(again.skipped.map(({ why }) => why)).toEqual([
      "it is generated",
      "it is here already",
      "it is here already",
    ]);
  });

  it("takes a folder of plain files, never through links, and says what it left", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "plain.md"), "# Deploys\n\nOn Tuesdays.\n");
    await writeFile(join(folder, "bad.md"), "---\nname: x\ntype: user\n---\nBody\n");
    await writeFile(join(folder, "bytes.md"), Buffer.from([0xff, 0xfe, 0x00]));
    await writeFile(join(folder, ".hidden.md"), "x");
    await symlink("/etc/hostname", join(folder, "link.md"));
    const { memory } = await openMemoryFolder();
    await memory.write("taken.md", "Mine.");
    await writeFile(join(folder, "taken.md"), "Theirs.");
    const dry = await memory.import({ folder }, { dryRun: true });
    expect((await memory.list()).length).toBe(1);
    const report = await memory.import({ folder });
    expect(report).toEqual(dry);
    expect(report.imported).toEqual([{ path: "plain.md" }]);
    expect(Object.fromEntries(report.skipped.map(({ path, why }) => [path, why]))).toEqual({
      "bad.md": expect.stringContaining("description is missing"),
      "bytes.md": "it is not UTF-8",
      "link.md": "it is a link",
      "taken.md": "another taken.md is here",
    });
    expect((await memory.read("plain.md")).memory).toMatchObject({
      name: "Plain",
      author: "import",
      trust: "untrusted",
    });
    await memory.import({ folder }, { replace: true });
    expect((await memory.read("taken.md")).text).toContain("Theirs.");
    expect((await failure(memory.import({ document: { files: 1 } }))).code).toBe("unknown-format");
    expect((await failure(memory.import({ folder: join(folder, "nowhere") }))).code).toBe("not-found");
  });
});
