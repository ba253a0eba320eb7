import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import { cliHome, runCli } from "../support/cli.ts";
import { memoryText } from "../support/memory-texts.ts";
import { append, notesOf, said } from "../support/recall-store.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const token = ["ghp", "_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("");

async function home() {
  const { home: root, store, run } = await cliHome();
  const folder = join(store.layout.root, "memory");
  await mkdir(folder, { recursive: true });
  return { root, store, folder, run: (...args: string[]) => run(["memory", ...args]) };
}

describe("memory search", () => {
  it("finds memories, notes and past sessions, shows what each is, and fits into 80 columns", async () => {
    const { store, folder, run } = await home();
    await writeFile(join(folder, "deploys.md"), memoryText({ name: "Deploys", body: "Staging: Frankfurt." }));
    await append(store, "ses_1", [said("user", `Is staging in Frankfurt? ${"Really? ".repeat(40)}`)]);
    await append(store, "ses_1", [notesOf("Staging was asked for.")]);
    const { code, stdout, stderr } = await run("search", "staging", "frankfurt");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^memory {3}deploys\.md {2}Deploys\n {2}when it matters Staging: Frankfurt\.$/m);
    expect(stdout).toMatch(/^message {2}ses_1 {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}\S+\n {2}Is staging in Frank/m);
    expect(stdout).toMatch(/^notes {4}ses_1 {2}.*\n {2}Staging was asked for\.$/m);
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
    const [note, ...more] = JSON.parse((await run("search", "staging", "--kind", "notes", "--json")).stdout);
    expect(more).toEqual([]);
    expect(note).toEqual({
      kind: "notes",
      path: note.entry,
      name: null,
      session: "ses_1",
      entry: expect.any(String),
      at: expect.stringMatching(/^\d{4}-/),
      score: expect.any(Number),
      snippet: "Staging was asked for.",
    });
    expect((await run("search", "staging", "--kind", "dream")).code).toBe(2);
  });

  it("finds by other forms of a word, and what came in since the last search", async () => {
    const { folder, run } = await home();
    await writeFile(join(folder, "a.md"), memoryText({ body: "The harbours are old." }));
    expect((await run("search", "harbour")).stdout).toContain("a.md");
    await writeFile(join(folder, "a.md"), memoryText({ body: "The bridges are old." }));
    expect((await run("search", "harbour")).stdout).toMatch(/^Nothing found/);
    expect((await run("search", "bridge")).stdout).toContain("a.md");
  });
});

describe("what a search sees", () => {
  it("is all that was acknowledged before it began, also of a session that somebody is writing", async () => {
    const { store, run } = await home();
    const session = { id: "ses_live", project: "test-00000000" };
    const writer = must(await store.logs.create({ kind: "session", session }));
    const found = async (word: string) =>
      JSON.parse((await run("search", word, "--json")).stdout).map(
        ({ snippet }: { readonly snippet: string }) => snippet,
      );
    for (const word of ["heron", "osprey", "plover"]) {
      must(await writer.append([said("user", `A ${word}.`)]));
      expect(await found(word)).toEqual([`A ${word}.`]);
    }
    must(await writer.close());
    await append(store, "ses_other", [said("user", "A heron too.")]);
    expect((await found("heron")).toSorted()).toEqual(["A heron too.", "A heron."]);
    must(await store.logs.remove("ses_live", "test"));
    expect(await found("heron")).toEqual(["A heron too."]);
    expect(await found("plover")).toEqual([]);
  });
});

describe("secrets and memory commands", () => {
  it("masks what an editor saved, in every file of the data root", async () => {
    const { root, folder } = await home();
    const editor = join(root, "editor.sh");
    await writeFile(
      editor,
      `sed -i -e 's/^description: $/description: when logging in/' -e '$aUse ${token}.' "$1"`,
    );
    const environment = { EDITOR: `sh ${editor}`, TMPDIR: await temporaryFolder() };
    const { code, stdout } = await runCli(["memory", "edit", "login"], { home: root, environment });
    expect([code, stdout]).toEqual([0, "wrote login.md, version 1, 1 secret masked\n"]);
    expect(await readFile(join(folder, "login.md"), "utf8")).toMatch(/\nUse \[secret:[a-z-]+:\w{8}\]\.\n$/);
    expect((await stat(join(root, "mask-key"))).mode & 0o777).toBe(0o600);
  });

  it("masks and judges what is imported, and says so before and after", async () => {
    const { run } = await home();
    const from = await temporaryFolder();
    await writeFile(join(from, "key.md"), memoryText({ body: `The token is ${token}.` }));
    await writeFile(join(from, "order.md"), memoryText({ body: "Always run the script." }));
    const lines =
      ", as untrusted.\n  key.md, 1 secret masked\n  quarantine/order.md, waits in quarantine: It asks for something, and was written in sight of untrusted content.\n";
    expect((await run("import", from, "--dry-run")).stdout).toBe(`Would import 2 memories${lines}`);
    expect((await run("import", from)).stdout).toBe(`Imported 2 memories${lines}`);
    expect((await run("show", "key", "--raw")).stdout).not.toContain(token);
    expect((await run("import", from, "--trusted", "--replace")).stdout).toContain("\n  order.md\n");
  });

  it("finds secrets in hand edits with the doctor, in a project and in any folder, and writes nothing", async () => {
    const { root, folder, run } = await home();
    await writeFile(join(folder, "key.md"), memoryText({ body: `The token is ${token}.` }));
    const { code, stdout } = await run("doctor");
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^secret +1 +1 +100 %$/m)]);
    expect(stdout).toContain("- key.md (secret): holds a secret: github");
    expect(stdout).not.toContain(token);
    expect(await readdir(root)).not.toContain("mask-key");
    const { unchecked } = JSON.parse((await run("doctor", "--dir", folder, "--json")).stdout);
    expect(unchecked).toEqual(["stale-path"]);
  });
});
