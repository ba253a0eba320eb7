import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { memoryText } from "../../../../../test/support/memory-texts.ts";
import { failure } from "../../../../../test/support/open-memory-folder.ts";
import { append, notesOf, said } from "../../../../../test/support/recall-store.ts";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { createVirtualStore } from "../../../../../test/support/virtual-store.ts";
import { must } from "../../../../testing/src/conformance/outcomes.ts";
import type { MemoryWriteOptions, Store } from "../../spec/index.ts";
import { openFileStore } from "../../stores/files/index.ts";
import { type Taint, untainted } from "../../view/trust/index.ts";
import { type OpenMemoryOptions, openMemory } from "./open-memory.ts";

const token = ["ghp", "_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("");
const mask = /\[secret:[a-z-]+:[0-9a-f]{8}\]/g;
const feedback = (said: string) =>
  memoryText({ type: "feedback", body: `${said}\n\n**Why:** they said so.\n\n**How to apply:** each time.` });

async function project(options: OpenMemoryOptions = {}) {
  const home = await temporaryFolder();
  const store = must(await openFileStore({ home, cwd: home }));
  return { home, store, memory: await openMemory({ store, ...options }) };
}

describe("the mask of a project's memory", () => {
  it("gives equal secrets equal masks across handles, files and projects, by a key only its owner can read", async () => {
    const { home, store, memory } = await project();
    const first = await memory.write("a.md", memoryText({ description: token, body: `It is ${token}.` }));
    expect(first).toMatchObject({ masked: 2 });
    const [one = ""] = first.memory.body.match(mask) ?? [];
    expect(first.memory.description).toBe(one);
    const other = await openMemory({ home, project: "another" });
    expect((await other.write("b.md", `Use ${token} now.`)).memory.body).toBe(`Use ${one} now.\n`);
    expect((await stat(join(home, "mask-key"))).mode & 0o777).toBe(0o600);
    const all = await readdir(store.layout.root, { recursive: true, withFileTypes: true });
    for (const file of all.filter((entry) => entry.isFile()))
      expect(await readFile(join(file.parentPath, file.name), "utf8")).not.toContain(token);
  });

  it("uses one key where many make it at once", async () => {
    const home = await temporaryFolder();
    const handles = await Promise.all(
      Array.from({ length: 8 }, (_, at) => openMemory({ home, project: `p${at}` })),
    );
    const written = await Promise.all(handles.map((memory) => memory.write("a.md", `It is ${token}.`)));
    expect(new Set(written.map(({ memory }) => memory.body)).size).toBe(1);
    expect((await readdir(home)).filter((name) => name.startsWith("mask-key"))).toEqual(["mask-key"]);
  });

  it("keeps the key with what was learned where the store has no files", async () => {
    const { logs, blobs, leases, tree, learned } = createVirtualStore();
    const store: Store = { logs, blobs, leases, tree, learned };
    const bodies = [];
    for (const path of ["a.md", "b.md"]) {
      const memory = await openMemory({ store });
      bodies.push((await memory.write(path, `It is ${token}.`)).memory.body);
    }
    expect(bodies[0]).toMatch(mask);
    expect(bodies[1]).toBe(bodies[0]);
  });

  it("masks the user's own lines of the index, and refuses a secret as the name of a file", async () => {
    const { memory } = await project();
    await memory.writeOwnLines(`Log in with ${token}.`);
    expect(await memory.index()).toMatch(/^Log in with \[secret:/);
    const refused = await failure(memory.write(`${token}.md`, "Words."));
    expect([refused.code, refused.message.includes(token)]).toEqual(["invalid-path", false]);
  });

  it("writes nothing where the key is damaged, and says what to do", async () => {
    const { home, memory } = await project();
    await writeFile(join(home, "mask-key"), "x");
    const refused = await failure(memory.write("a.md", `It is ${token}.`));
    expect([refused.code, refused.fix]).toEqual(["corrupt", expect.stringContaining("delete the file")]);
    expect(await memory.list()).toEqual([]);
  });

  it("makes no key before there is a secret, also not by the doctor", async () => {
    const { home, store, memory } = await project();
    await memory.write("a.md", "Words.");
    await writeFile(join(store.layout.root, "memory/b.md"), memoryText({ body: `It is ${token}.` }));
    await memory.reindex();
    const { findings, unchecked } = await memory.doctor();
    expect(findings).toEqual([{ kind: "secret", path: "b.md", detail: "holds a secret: github" }]);
    expect(unchecked).toEqual(["stale-path"]);
    expect(await readdir(home)).not.toContain("mask-key");
  });

  it("is turned off by maskSecrets: false, and the doctor then says that it did not look", async () => {
    const { memory } = await project({ maskSecrets: false });
    const { memory: written, masked } = await memory.write("a.md", `It is ${token}.`);
    expect([written.body, masked]).toEqual([`It is ${token}.\n`, undefined]);
    expect((await memory.doctor()).unchecked).toContain("secret");
  });
});

describe("the judge of a project's memory", () => {
  const order = memoryText({ body: "Always run the deploy script first." });
  const fact = memoryText({ body: "Staging is in Frankfurt." });
  const liking = feedback("Answers are short.");
  const write = async (text: string, given: MemoryWriteOptions, options: OpenMemoryOptions = {}) => {
    const { memory } = await project(options);
    const { memory: written } = await memory.write("a.md", text, given);
    return `${written.path} ${written.trust}`;
  };

  it("never holds back what a person writes, confirms or vouches for", async () => {
    for (const text of [order, fact, liking]) {
      expect(await write(text, {})).toBe("a.md trusted");
      expect(await write(text, { author: "import", trust: "trusted" })).toBe("a.md trusted");
      expect(await write(text, { author: "agent", isConfirmed: true })).toBe("a.md untrusted");
    }
  });

  it("takes the user to have said nothing where no evidence is handed in", async () => {
    for (const author of ["agent", "dream", "import"] as const) {
      expect(await write(order, { author })).toBe("quarantine/a.md untrusted");
      expect(await write(fact, { author })).toBe("a.md untrusted");
      expect(await write(liking, { author })).toBe("quarantine/a.md untrusted");
    }
    expect(await write(order, { author: "agent", trust: "trusted" })).toBe("a.md trusted");
    expect(await write(liking, { author: "agent", trust: "trusted" })).toBe("quarantine/a.md trusted");
  });

  it("judges on the evidence, and labels by it whatever the writer says", async () => {
    const userMessages = [{ entry: "e1", seq: 1, text: "I like my answers short." }];
    const said = { taint: untainted, userMessages };
    expect(await write(liking, { author: "agent", trust: "trusted", evidence: said })).toBe("a.md trusted");
    const because = [{ kind: "web", entry: "e2", name: "WebFetch" }] as const;
    const taint: Taint = { trust: "untrusted", because };
    const read = { author: "agent", trust: "trusted", evidence: { taint, userMessages } } as const;
    expect(await write(fact, read)).toBe("a.md untrusted");
    const { memory } = await project();
    const { quarantined } = await memory.write("a.md", order, read);
    expect(quarantined).toBe(
      "It asks for something, and was written in sight of untrusted content: web (WebFetch).",
    );
    expect((await memory.read("quarantine/a.md")).memory?.trust).toBe("untrusted");
  });

  it("is turned off by judgeMemory: false", async () => {
    expect(await write(order, { author: "agent" }, { judgeMemory: false })).toBe("a.md untrusted");
  });
});

describe("the search of a project's memory", () => {
  it("finds memories, notes and past sessions, and what was written just now", async () => {
    const { store, memory } = await project();
    await memory.write("deploys.md", memoryText({ name: "Deploys", body: "Staging is in Frankfurt." }));
    await append(store, "ses_1", [said("user", "Where is staging?"), said("assistant", "In Frankfurt.")]);
    await append(store, "ses_1", [notesOf("Staging was asked for: Frankfurt.")]);
    const hits = await memory.search("staging in Frankfurt");
    const shown = hits.map(({ kind, path, name, session, entry }) =>
      kind === "memory" ? [kind, path, name] : [kind, session, path === entry],
    );
    expect(shown.toSorted()).toEqual([
      ["memory", "deploys.md", "Deploys"],
      ["message", "ses_1", true],
      ["message", "ses_1", true],
      ["notes", "ses_1", true],
    ]);
    expect(await memory.search("staging", { kinds: ["notes"] })).toHaveLength(1);
    await memory.write("new.md", "The harbour is old.");
    expect((await memory.search("harbours", { limit: 1 })).map(({ path }) => path)).toEqual(["new.md"]);
    await memory.remove("new.md");
    expect(await memory.search("harbours")).toEqual([]);
  });

  it("puts what was used often before its equal", async () => {
    const { store, memory } = await project();
    await memory.write("a.md", memoryText({ name: "Topic", body: "The harbour is old." }));
    await memory.write("b.md", memoryText({ name: "Topic", body: "The harbour is old." }));
    const [first] = await memory.search("harbour");
    const other = first?.path === "a.md" ? "b.md" : "a.md";
    for (let time = 0; time < 30; time += 1) memory.use(other);
    expect((await memory.search("harbour"))[0]?.path).toBe(other);
    await memory.close();
    expect((await (await openMemory({ store })).search("harbour"))[0]?.path).toBe(other);
  });

  it("reads all memories where there is no place for an index, or none is wanted", async () => {
    const { logs, blobs, leases, tree } = createVirtualStore();
    for (const options of [{ store: { logs, blobs, leases, tree } }, (await project()) as { store: Store }]) {
      const memory = await openMemory({ store: options.store, search: false });
      await memory.write("a.md", "The harbour is old.");
      expect((await memory.search("harbour")).map(({ path }) => path)).toEqual(["a.md"]);
      expect(await memory.search("harbour", { kinds: ["notes"] })).toEqual([]);
    }
  });

  it("never gives what waits in quarantine", async () => {
    const { memory } = await project();
    await memory.write("a.md", memoryText({ body: "Always visit the harbour." }), { author: "agent" });
    expect(await memory.search("harbour")).toEqual([]);
    await memory.confirm("a.md");
    expect((await memory.search("harbour")).map(({ path }) => path)).toEqual(["a.md"]);
  });
});
