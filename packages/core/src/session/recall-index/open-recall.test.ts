import { describe, expect, it } from "vitest";
import {
  append,
  find,
  foundIn,
  notesOf,
  openVirtualRecall,
  recallFolder,
  said,
  writeMemory,
} from "../../../../../test/support/recall-store.ts";
import { logPath } from "../../../../../test/support/virtual-store.ts";
import { must, refused } from "../../../../testing/src/conformance/outcomes.ts";
import { createVirtualClock } from "../../../../testing/src/virtual-clock.ts";
import { createVirtualDisk } from "../../../../testing/src/virtual-disk.ts";
import { storeLargeValues } from "../../log/large-values.ts";
import { blocksPerLook } from "./search-recall.ts";

const memory = (name: string, description: string, body: string) =>
  `---\nname: ${name}\ndescription: ${description}\ntype: project\n---\n${body}\n`;

function fresh() {
  const disk = createVirtualDisk();
  return { disk, ...openVirtualRecall(disk) };
}

describe("recall", () => {
  it("finds memories, notes and messages by their words", async () => {
    const { store, recall } = fresh();
    await writeMemory(store, "deploys.md", memory("deploys", "when deploying", "Staging runs in Frankfurt."));
    await append(store, "one", [said("user", "Where does staging run?"), said("assistant", "In Frankfurt.")]);
    await append(store, "one", [notesOf("# Staging\nFrankfurt was asked for.")]);
    expect(must(await recall.update())).toEqual({ added: 4, removed: 0, embedded: 0, problems: [] });
    const { hits, ...rest } = must(await recall.search("staging in Frankfurt"));
    expect(rest).toEqual({ isPartial: false, problems: [] });
    expect(foundIn({ hits, ...rest }).toSorted()).toEqual([
      "memory deploys.md: when deploying Staging runs in Frankfurt.",
      "message one: In Frankfurt.",
      "message one: Where does staging run?",
      "notes one: # Staging Frankfurt was asked for.",
    ]);
    const question = hits.find(({ snippet }) => snippet.startsWith("Where"));
    expect(question).toEqual({
      kind: "message",
      id: question?.entry,
      session: "one",
      entry: question?.entry,
      score: question?.score,
      snippet: "Where does staging run?",
      at: "2026-01-01T00:00:00.000Z",
    });
    expect(must(await recall.search("staging", { limit: 2 })).hits).toHaveLength(2);
    expect(foundIn(must(await recall.search("staging", { kinds: ["notes"] })))).toHaveLength(1);
    expect(must(await recall.search("staging", { limit: 0 })).hits).toEqual([]);
  });

  it("answers nothing before the first update, for no words, and from an empty project", async () => {
    const { recall } = fresh();
    expect(await find(recall, "anything")).toEqual([]);
    expect(must(await recall.update())).toEqual({ added: 0, removed: 0, embedded: 0, problems: [] });
    expect(await find(recall, "anything")).toEqual([]);
    expect(await find(recall, "")).toEqual([]);
  });

  it("reads only what is new", async () => {
    const { disk, store, recall } = fresh();
    for (const session of ["a", "b", "c"])
      await append(store, session, [said("user", `cache of ${session}`)]);
    must(await recall.update());
    await append(store, "b", [said("user", "cache again")]);
    const before = disk.operations.length;
    expect(must(await recall.update()).added).toBe(1);
    const opened = disk.operations
      .slice(before)
      .filter(({ name, path }) => name === "open" && path.endsWith(".jsonl"));
    expect([...new Set(opened.map(({ path }) => path))]).toEqual([logPath("b")]);
    const still = disk.operations.length;
    expect(must(await recall.update()).added).toBe(0);
    const changed = disk.operations
      .slice(still)
      .filter(({ name }) => ["append", "rename", "link"].includes(name));
    expect(changed).toEqual([]);
  });

  it("no longer gives a memory that was removed or changed, before any update", async () => {
    const { store, recall } = fresh();
    await writeMemory(store, "a.md", memory("a", "cache", "old cache text"));
    await writeMemory(store, "b.md", memory("b", "cache", "kept cache text"));
    await writeMemory(store, "c.md", memory("c", "cache", "removed cache text"));
    must(await recall.update());
    await writeMemory(store, "a.md", memory("a", "store", "new words"));
    must(await store.tree("memory").remove("c.md", { author: "user" }));
    expect(await find(recall, "cache")).toEqual(["memory b.md: cache kept cache text"]);
    expect(must(await recall.update())).toMatchObject({ added: 1, removed: 2 });
    expect(await find(recall, "cache")).toEqual(["memory b.md: cache kept cache text"]);
    expect(await find(recall, "words")).toEqual(["memory a.md: store new words"]);
  });

  it("leaves out quarantine, the index of memories, daily logs, and what nobody said", async () => {
    const { store, recall } = fresh();
    for (const path of ["quarantine/q.md", "MEMORY.md", "logs/2026/01/2026-01-01.md"])
      await writeMemory(store, path, "cache");
    await writeMemory(store, "plain.md", "cache without front matter");
    await append(store, "s", [
      said("user", "cache meta", { isMeta: true }),
      said("user", "cache summary", { isCompactSummary: true }),
      said("assistant", "cache aborted", { isAborted: true }),
      said("assistant", "cache aside", { isSidechain: true }),
      { kind: "message", message: { type: "attachment", content: "cache attached" } },
      {
        kind: "message",
        message: {
          type: "user",
          content: [{ type: "tool_result", tool_use_id: "t", content: "cache result" }],
        },
      },
      { kind: "note", note: { topic: "title", title: "cache title" } },
      { kind: "message", message: { type: "user", content: "cache as a string" } },
    ]);
    must(await recall.update());
    expect((await find(recall, "cache")).toSorted()).toEqual([
      "memory plain.md: cache without front matter",
      "message s: cache as a string",
    ]);
  });

  it("leaves out what dreams say to themselves, and keeps no trace of it", async () => {
    const { disk, store, recall } = fresh();
    await append(store, "dream_01", [said("user", "cache of a dream"), notesOf("cache notes of a dream")]);
    await append(store, "dreamer", [said("user", "cache of a session")]);
    expect(must(await recall.update()).added).toBe(1);
    expect(await find(recall, "cache")).toEqual(["message dreamer: cache of a session"]);

    const names = must(await disk.list(recallFolder));
    for (const name of names)
      expect(Buffer.from(disk.readWhole(`${recallFolder}/${name}`)).includes("dream_01")).toBe(false);
  });

  it("knows only the newest notes of a session", async () => {
    const { store, recall } = fresh();
    await append(store, "s", [notesOf("first cache notes"), notesOf("second cache notes")]);
    must(await recall.update());
    expect(await find(recall, "cache")).toEqual(["notes s: second cache notes"]);
    await append(store, "s", [notesOf("third store notes")]);
    must(await recall.update());
    expect(await find(recall, "cache notes")).toEqual(["notes s: third store notes"]);
  });

  it("forgets a session that is removed, at once, and its words with the next update", async () => {
    const { disk, store, recall } = fresh();
    await append(store, "gone", [said("user", "xylophone cache"), notesOf("xylophone notes")]);
    await append(store, "stays", [said("user", "cache")]);
    must(await recall.update());
    must(await store.logs.remove("gone", "test"));
    expect(await find(recall, "cache xylophone")).toEqual(["message stays: cache"]);
    expect(must(await recall.update())).toMatchObject({ added: 0, removed: 1 });
    must(await recall.update());
    await append(store, "stays", [said("user", "more")]);
    must(await recall.update());
    const names = must(await disk.list(recallFolder));
    for (const name of names)
      expect(Buffer.from(disk.readWhole(`${recallFolder}/${name}`)).includes("xylophon")).toBe(false);
  });

  it("reads a log that was rewritten anew", async () => {
    const { disk, store, recall } = fresh();
    await append(store, "s", [said("user", "the password is xylophone")]);
    must(await recall.update());
    const text = Buffer.from(disk.readWhole(logPath("s"))).toString();
    const other = openVirtualRecall(createVirtualDisk());
    await append(other.store, "s", [said("user", "the password is masked, and the log is another one")]);
    expect(text).toContain("xylophone");
    const otherDisk = (other.store.disk as ReturnType<typeof createVirtualDisk>).readWhole(logPath("s"));
    disk.writeWhole(logPath("s"), otherDisk);
    must(await recall.update());
    expect(await find(recall, "password xylophone")).toEqual([
      "message s: the password is masked, and the log is another one",
    ]);
  });

  it("finds words in a text that is kept as a blob", async () => {
    const { store, recall } = fresh();
    const large = `${"nothing of matter ".repeat(6_000)} xylophone`;
    await append(store, "s", [said("user", "small")]);
    const draft = must(await storeLargeValues(said("user", large), "s", store.blobs, { durable: false }));
    await append(store, "s", [draft]);
    must(await recall.update());
    expect((await find(recall, "xylophone")).map((one) => one.includes("xylophone"))).toEqual([true]);
  });

  it("puts the memory that was used more often first, of two that say the same", async () => {
    const { disk, store, recall } = fresh();
    for (const name of ["a", "b"])
      await writeMemory(store, `${name}.md`, memory("cache", "about caches", "the same text"));
    must(await recall.update());
    const orderBy = async (used: string) => {
      const usesOf = (path: string) => (path === used ? 5 : 0);
      const hits = must(await openVirtualRecall(disk, { usesOf }).recall.search("cache")).hits;
      return hits.map(({ id }) => id);
    };
    expect([await orderBy("a.md"), await orderBy("b.md")]).toEqual([
      ["a.md", "b.md"],
      ["b.md", "a.md"],
    ]);
  });

  it("ranks for as long as it may, by a clock it looks at now and then", async () => {
    const disk = createVirtualDisk();
    let looks = 0;
    const clock = { ...createVirtualClock(), monotonic: () => looks++ };
    const { store, recall } = openVirtualRecall(disk, { clock });
    const many = Array.from({ length: 128 * (blocksPerLook + 4) }, () => said("user", "cache"));
    await append(store, "s", many);
    must(await recall.update());
    const whole = must(await recall.search("cache"));
    const partial = must(await recall.search("cache", { maxMs: 1 }));
    expect([whole.isPartial, partial.isPartial, partial.hits.length]).toEqual([false, true, 10]);
  });

  it("goes on where one log cannot be read", async () => {
    const { disk, store } = fresh();
    await append(store, "bad", [said("user", "cache in a bad log")]);
    await append(store, "good", [said("user", "cache in a good log")]);
    const failing = disk.attach();
    failing.failWhen(({ name, path }) => name === "open" && path.endsWith("bad.jsonl"), "permission");
    const { recall } = openVirtualRecall(failing);
    const { added, problems } = must(await recall.update());
    expect([added, problems.map(({ code }) => code)]).toEqual([1, ["permission"]]);
    expect(await find(recall, "cache")).toEqual(["message good: cache in a good log"]);
    const later = openVirtualRecall(disk).recall;
    expect(must(await later.update())).toMatchObject({ added: 1, problems: [] });
  });

  it("says when the disk is full, keeps what it has, and goes on when there is room", async () => {
    const { disk, store, recall } = fresh();
    await append(store, "s", [said("user", "first cache")]);
    must(await recall.update());
    await append(store, "s", [said("user", "second cache")]);
    disk.setCapacity(0);
    expect(refused(await recall.update())).toBe("disk-full");
    expect(await find(recall, "cache")).toEqual(["message s: first cache"]);
    disk.setCapacity(Number.POSITIVE_INFINITY);
    must(await recall.update());
    expect(await find(recall, "cache")).toHaveLength(2);
  });

  it("stops an update that is aborted", async () => {
    const { store, recall } = fresh();
    await append(store, "s", [said("user", "cache")]);
    expect(refused(await recall.update(AbortSignal.abort()))).toBe("aborted");
    must(await recall.update());
    expect(await find(recall, "cache")).toHaveLength(1);
  });

  it("takes hostile queries and texts", async () => {
    const { store, recall } = fresh();
    await writeMemory(store, "__proto__.md", "---\n---\n---\nconstructor __proto__ toString");
    await append(store, "constructor", [said("user", "\u202e\u0000 constructor \ufeff"), said("user", "‮")]);
    must(await recall.update());
    expect(await find(recall, "constructor")).toHaveLength(2);
    for (const query of ["\\", "(((", "\u0000", "a".repeat(100_000), "😀", "__proto__"])
      must(await recall.search(query));
  });
});
