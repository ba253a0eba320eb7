import { describe, expect, it } from "vitest";
import { openSession } from "../../packages/core/src/session/open-session.ts";
import { createVirtualClock } from "../../packages/testing/src/virtual-clock.ts";
import { createVirtualDisk } from "../../packages/testing/src/virtual-disk.ts";
import { compaction, watching } from "../support/acting-layer.ts";
import { assistant, call, result, usageOf, user } from "../support/session-messages.ts";
import { createVirtualStore, logPath, virtualHome, virtualProject } from "../support/virtual-store.ts";
import { createTold, openForkable, sentBy, stateOf } from "./fork-support.ts";

const large = "a large result ".repeat(8_000);
const own = "a large word of the fork ".repeat(8_000);

async function begin() {
  const disk = createVirtualDisk();
  const store = createVirtualStore({ disk });
  const told = createTold();
  const parent = await openForkable({ store, layers: [told.layer], system: "Be brief." });
  await parent.session.add(user("Read it."));
  const { id: asking } = await parent.session.add(assistant([call("t1")], { id: "m1", usage: usageOf(100) }));
  await parent.session.add({
    ...user([result("t1", large)]),
    files: [{ path: "/f", toolUseId: "t1", sha256: "aa", modifiedMs: 1, bytes: 2 }],
  });
  return { disk, store, told, parent, asking };
}

type Begun = Awaited<ReturnType<typeof begin>>;

const again = ({ store }: Begun, id: string, more: object = { resume: true }) =>
  openSession({ store, clock: createVirtualClock(), layers: [], id, ...more });

describe("a fork's log", () => {
  it("says where it begins and what for, goes on with the parent's numbers, and copies nothing", async () => {
    const { disk, parent } = await begin();
    const { seq } = await parent.session.add(user("One more."));
    const fork = await parent.fork("memory");
    await fork.session.add(user("Sum it up."));
    const lines = Buffer.from(disk.readWhole(logPath(fork.session.id.replace("/", ".agents/"))))
      .toString("utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      {
        seq: seq + 1,
        kind: "session",
        session: {
          id: fork.session.id,
          parent: {
            session: "one",
            seq,
            prefixDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
            kind: "memory",
          },
        },
      },
      { seq: seq + 2, kind: "message", message: { content: "Sum it up." } },
    ]);
    const blobs = await disk.list(`${virtualHome}/projects/${virtualProject}/blobs`);
    expect(blobs).toEqual({ ok: true, value: ["one"] });
    await fork.session.close();
    await parent.session.close();
  });

  it("is read behind its parent's: entries, search and recall know both", async () => {
    const { parent, asking } = await begin();
    const fork = await parent.fork("agent");
    await fork.session.add(user(own));
    const { session } = fork;
    const entries: string[] = [];
    for await (const entry of session.entries()) entries.push(entry.kind);
    expect(entries).toEqual(["session", "message", "message", "message", "session", "message"]);
    expect((await session.recall("t1", { limit: 1_000_000 })).text).toContain(large);
    expect((await session.recall(asking)).text).toContain('"t1"');
    expect((await session.search("large result"))[0]?.toolUseIds).toEqual(["t1"]);
    await session.close();
    await parent.session.close();
  });

  it("gives blobs of its parent and its own, by their ids, and none of its own to its parent", async () => {
    const begun = await begin();
    const { store, parent } = begun;
    const fork = await parent.fork("agent");
    await fork.session.add(user(own));
    const blobOf = async (session: string, text: string) => {
      const listed = await store.blobs.list(session);
      for (const sha256 of listed.ok ? listed.value : []) {
        const bytes = await store.blobs.get(session, sha256);
        if (bytes.ok && Buffer.from(bytes.value).toString("utf8") === text) return sha256;
      }
      throw new Error("there is no such blob");
    };
    const [parents, forks] = [await blobOf("one", large), await blobOf(fork.session.id, own)];
    const sent = await sentBy(fork.session);
    await fork.session.close();
    const resumed = await again(begun, fork.session.id);
    expect((await resumed.recall(parents, { limit: 1_000_000 })).text).toBe(large);
    expect((await resumed.recall(forks, { limit: 1_000_000 })).text).toBe(own);
    await expect(resumed.recall("0".repeat(64))).rejects.toMatchObject({ code: "not-found" });
    expect(await sentBy(resumed)).toBe(sent);
    await expect(parent.session.recall(forks)).rejects.toMatchObject({ code: "not-found" });
    await resumed.close();
    await parent.session.close();
  });

  it("cannot be written by two, while the parent may be open or not", async () => {
    const begun = await begin();
    const fork = await begun.parent.fork("agent");
    await fork.session.add(user("Sum it up."));
    await expect(again(begun, fork.session.id)).rejects.toMatchObject({ code: "held" });
    const reader = await again(begun, fork.session.id, { readOnly: true });
    expect(await sentBy(reader)).toBe(await sentBy(fork.session));
    await expect(reader.add(user("No."))).rejects.toMatchObject({ code: "read-only" });
    await reader.close();
    await fork.session.close();
    await begun.parent.session.close();
    const resumed = await again(begun, fork.session.id);
    await resumed.add(user("And on it goes."));
    await resumed.close();
  });
});

describe("a fork that is opened again", () => {
  it("is still what it was made for, and cannot fork", async () => {
    const begun = await begin();
    const fork = await begun.parent.fork("memory");
    await fork.session.add(user("Sum it up."));
    await fork.session.close();
    const sources: string[] = [];
    const told = createTold();
    const layer = {
      ...told.layer,
      decide: (...seen: Parameters<typeof told.layer.decide>) => {
        sources.push(seen[2].source);
        return told.layer.decide(...seen);
      },
    };
    const resumed = await openForkable({
      store: begun.store,
      id: fork.session.id,
      resume: true,
      layers: [layer],
    });
    await resumed.session.prepare();
    expect(sources).toEqual(["memory"]);
    await expect(resumed.session.fork("Deeper.", { kind: "agent" })).rejects.toMatchObject({
      code: "denied",
    });
    await resumed.session.close();
    await begun.parent.session.close();
  });

  it("says where its parent went", async () => {
    const begun = await begin();
    const fork = await begun.parent.fork("memory");
    await fork.session.close();
    await begun.parent.session.close();
    expect(await begun.store.logs.remove("one", "a test")).toEqual({ ok: true, value: undefined });
    await expect(again(begun, fork.session.id)).rejects.toMatchObject({ code: "collected" });
  });
});

describe("a fork beside its parent", () => {
  it("has the parent's read-file state, and keeps its own to itself", async () => {
    const { parent } = await begin();
    const fork = await parent.fork("agent");
    const handle = await parent.handle();
    expect(fork.fileStamp("/f")).toEqual(handle.fileStamp("/f"));
    expect(fork.fileStamp("/f")).toBeDefined();
    await fork.session.add(assistant([call("t2")]));
    await fork.session.add({
      ...user([result("t2")]),
      files: [{ path: "/g", toolUseId: "t2", sha256: "bb", modifiedMs: 3, bytes: 4 }],
    });
    expect(fork.fileStamp("/g")).toBeDefined();
    expect(handle.fileStamp("/g")).toBeUndefined();
    await fork.session.close();
    await parent.session.close();
  });

  it("is not touched by a compaction of its parent, nor the parent by one of the fork", async () => {
    const { parent, told } = await begin();
    const fork = await parent.fork("agent");
    const handle = await parent.handle();
    await fork.session.add(user("Sum it up."));
    const [before, sent] = [stateOf(handle), await sentBy(fork.session)];
    told.tell((view) => compaction(view));
    await fork.session.prepare();
    expect(stateOf(handle)).toBe(before);
    await fork.session.undo();
    expect(await sentBy(fork.session)).toContain("a large result");
    told.tell((view) => compaction(view));
    await parent.session.prepare();
    expect(await sentBy(parent.session)).not.toContain("a large result");
    expect(JSON.parse(await sentBy(fork.session))[1]).toEqual(JSON.parse(sent)[1]);
    await parent.session.undo();
    expect(await sentBy(parent.session)).not.toContain("Sum it up.");
    await fork.session.close();
    await parent.session.close();
  });

  it("teaches the parent nothing about tokens and gaps", async () => {
    const expected: number[] = [];
    const layer = watching(["before-request"], (_, __, facts) => {
      if (facts.source === "main") expected.push(facts.expectedRequests);
    });
    const model = "claude-sonnet-4-5[1m]";
    const parent = await openForkable({ store: createVirtualStore(), layers: [layer], model });
    await parent.session.add(user("Read it."));
    await parent.session.prepare();
    const handle = await parent.handle();
    const before = stateOf(handle);
    const fork = await parent.fork("agent");
    for (let round = 1; round <= 30; round += 1) {
      await fork.session.add(user(`Say ${"more ".repeat(500)}`));
      await fork.session.prepare();
      await fork.session.add(assistant("More.", { id: `f${round}`, usage: usageOf(9_000 * round), model }));
    }
    await fork.session.close();
    expect(stateOf(handle)).toBe(before);
    await parent.session.prepare();
    expect(expected[1]).toBe(expected[0]);
    await parent.session.close();
  });
});

describe("opening a fork", () => {
  it("reads nothing of the parent's log, however long it is", async () => {
    const { disk, parent } = await begin();
    for (let round = 0; round < 50; round += 1) await parent.session.add(user(`Word ${round}.`));
    await parent.handle();
    const from = disk.operations.length;
    const fork = await parent.fork("notes");
    const touched = disk.operations.slice(from).filter(({ path }) => path === logPath("one"));
    expect(touched).toEqual([]);
    await fork.session.close();
    await parent.session.close();
  });
});
