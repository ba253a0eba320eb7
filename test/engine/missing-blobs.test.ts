import { describe, expect, it } from "vitest";
import {
  type ErrorCode,
  fail,
  type MessageInput,
  type ModelRequest,
  type Store,
  type Tool,
} from "../../packages/core/src/spec/index.ts";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import { createVirtualDisk } from "../../packages/testing/src/virtual-disk.ts";
import { assistant, call, result, think, user, withoutControl } from "../support/session-messages.ts";
import {
  beginSession,
  blobFolder,
  entriesOf,
  removeBlobs,
  resumeSession,
} from "../support/virtual-session.ts";
import { createVirtualStore } from "../support/virtual-store.ts";

const large = "x".repeat(70_000);
const gone = { type: "text", text: expect.stringMatching(/^\[\d+ bytes that belong here cannot be read: /) };

/** What a session sends whose large values are gone. */
async function sentWithoutLarge(...messages: readonly MessageInput[]): Promise<ModelRequest> {
  const disk = createVirtualDisk();
  const store = createVirtualStore({ disk });
  const session = await beginSession({ store });
  for (const message of messages) await session.add(message);
  await session.close();
  await removeBlobs(disk, 65_000);
  const again = await resumeSession({ store });
  const { request } = await again.prepare();
  await again.add(assistant("It goes on."));
  await again.prepare();
  await again.close();
  return request;
}

describe("a large value that is gone", () => {
  it("is replaced by a text that says so, where it was a text", async () => {
    const request = await sentWithoutLarge(user(large));
    expect(withoutControl(request)).toEqual([{ role: "user", content: [gone] }]);
  });

  it("takes its image with it, and nothing else", async () => {
    const look = { type: "text", text: "Look." };
    const source = { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=".repeat(10_000) };
    const request = await sentWithoutLarge(user([look, { type: "image", source }]));
    expect(withoutControl(request)).toEqual([{ role: "user", content: [look, gone] }]);
  });

  it("takes its thinking with it: signed thinking is sent as it was or not at all", async () => {
    const done = { type: "text", text: "Done." };
    const request = await sentWithoutLarge(user("Hello."), assistant([think("signed", large), done]));
    expect(withoutControl(request)[1]).toEqual({ role: "assistant", content: [gone, done] });
  });

  it("leaves a call and its result as they were, with the text in place of what is gone", async () => {
    const request = await sentWithoutLarge(
      user("Hello."),
      assistant([call("t1", { file_path: "/big", content: large })]),
      user([result("t1", `y${large}`)]),
    );
    expect(withoutControl(request).slice(1)).toEqual([
      { role: "assistant", content: [call("t1", { unreadable: gone.text })] },
      { role: "user", content: [{ ...result("t1"), content: gone.text }] },
    ]);
  });
});

describe("a session whose system prompt is gone", () => {
  const system = "Never delete files. ".repeat(60);
  const read: Tool = {
    name: "Read",
    description: "Reads a file. ".repeat(80),
    input_schema: { type: "object" },
  };

  async function begun() {
    const disk = createVirtualDisk();
    const store = createVirtualStore({ disk });
    const session = await beginSession({ store, system, tools: [read] });
    await session.add(user("Hello."));
    await session.close();
    return { disk, store };
  }

  async function withoutPrompt() {
    const { disk, store } = await begun();
    await removeBlobs(disk);
    return store;
  }

  /** Folders stand where the blobs were. */
  async function withFolders() {
    const { disk, store } = await begun();
    const blobs = must(await store.blobs.list("one"));
    await removeBlobs(disk);
    for (const blob of blobs) await disk.makeDirectory(`${blobFolder}/${blob}`);
    return { disk, store };
  }

  /** The store on a disk that gives no blobs, and takes none. */
  function failing(store: Store, code: ErrorCode): Store {
    const refuse = async () =>
      fail(code, "The disk does not answer.", { path: "/blobs/one", fix: "Check it." });
    return { ...store, blobs: { ...store.blobs, get: refuse, put: refuse } };
  }

  /** A session opened again, with what it says is lost. */
  async function openAgain(options: Parameters<typeof resumeSession>[0]) {
    const lost: unknown[] = [];
    const session = await resumeSession({
      ...options,
      onEvent: (event) => {
        if (event.type === "value-lost") lost.push([event.part, event.replacedBy, event.message]);
      },
    });
    return { session, lost };
  }

  const without = expect.stringMatching(
    / is lost: Session one has no blob [0-9a-f]{64}\. Requests are sent without it\. /,
  );
  const replaced = expect.stringMatching(/ is lost: .* The one given now is used in its place\.$/);

  it("goes on without it, and says so each time it is opened", async () => {
    const store = await withoutPrompt();
    for (const _time of [1, 2]) {
      const { session, lost } = await openAgain({ store });
      const { request } = await session.prepare();
      expect([request.system, request.tools, request.messages.length]).toEqual([undefined, undefined, 1]);
      expect(lost).toEqual([
        ["system", "nothing", without],
        ["tools", "nothing", without],
      ]);
      await session.close();
    }
  });

  it("uses what is given in its place, says so once, and keeps it", async () => {
    const store = await withoutPrompt();
    const first = await openAgain({ store, system: "Be careful.", tools: [read] });
    expect((await first.session.prepare()).request).toMatchObject({
      system: [{ text: "Be careful." }],
      tools: [{ name: "Read" }],
    });
    await first.session.close();
    const second = await openAgain({ store });
    expect((await second.session.prepare()).request).toMatchObject({
      system: [{ text: "Be careful." }],
      tools: [{ name: "Read" }],
    });
    await second.session.close();
    expect([first.lost, second.lost]).toEqual([
      [
        ["system", "caller", replaced],
        ["tools", "caller", replaced],
      ],
      [],
    ]);
  });

  it("can be read all the same, and says what is missing", async () => {
    const { session, lost } = await openAgain({
      store: await withoutPrompt(),
      readOnly: true,
      resume: false,
    });
    expect((await session.prepare()).report.messages).toBe(1);
    await session.close();
    expect(lost).toEqual([
      ["system", "nothing", without],
      ["tools", "nothing", without],
    ]);
  });

  it("may have something else in its place: it goes on without it, or with what is given", async () => {
    const { disk, store } = await withFolders();
    const { session, lost } = await openAgain({ store });
    expect((await session.prepare()).request.system).toBe(undefined);
    await session.close();
    const isFolder = expect.stringMatching(/ is lost: .* directory\. Requests are sent without/);
    expect(lost).toEqual([
      ["system", "nothing", isFolder],
      ["tools", "nothing", isFolder],
    ]);
    const given = await openAgain({ store, system, tools: [read] });
    expect((await given.session.prepare()).request).toMatchObject({
      system: [{ text: system }],
      tools: [{ name: "Read" }],
    });
    await given.session.close();
    expect(given.lost.map((one) => (one as readonly unknown[])[1])).toEqual(["caller", "caller"]);
    const last = await openAgain({ store: createVirtualStore({ disk }) });
    expect((await last.session.prepare()).request).toMatchObject({
      system: [{ text: system }],
      tools: [{ name: "Read" }],
    });
    const heads = (await entriesOf(last.session)).filter(
      (entry) => entry.kind === "note" && entry.note.topic === "head",
    );
    expect([last.lost, heads.length]).toEqual([[], 1]);
    await last.session.close();
  });

  it.each(["io", "permission"] as const)(
    "is refused where it may still be there (%s): the error names the file and says what to do",
    async (code) => {
      const store = await withoutPrompt();
      await expect(resumeSession({ store: failing(store, code) })).rejects.toMatchObject({
        code,
        path: "/blobs/one",
        message:
          "The system prompt that session one began with cannot be read, and may still be there: The disk does not answer.",
        fix: "Check it. Open the session again once it can be read, or give the option “system”.",
      });
    },
  );

  it.each(["io", "permission", "disconnected", "timeout"] as const)(
    "is what the caller gives where it cannot be read (%s), and the warning says why",
    async (code) => {
      const store = await withoutPrompt();
      const given = { system: "Be careful.", tools: [read], request: {} };
      const { session, lost } = await openAgain({ ...given, store: failing(store, code) });
      expect((await session.prepare()).request).toMatchObject({
        system: [{ text: "Be careful." }],
        tools: [{ name: "Read" }],
      });
      await session.close();
      const why = expect.stringMatching(
        / cannot be read: The disk does not answer\. The one given now is used/,
      );
      expect(lost).toEqual([
        ["system", "caller", why],
        ["tools", "caller", why],
      ]);
    },
  );

  it("is read where it cannot be read, by who only reads", async () => {
    const messages: string[] = [];
    const session = await resumeSession({
      store: failing(await withoutPrompt(), "io"),
      ...{ readOnly: true, resume: false },
      onEvent: (event) => void ("message" in event && messages.push(String(event.message))),
    });
    expect((await session.prepare()).report.messages).toBe(1);
    await session.close();
    expect(messages.join()).toContain("cannot be read: The disk does not answer.");
  });
});

describe("a small system prompt", () => {
  it("stands in the log itself, so that no blob is needed", async () => {
    const store = createVirtualStore();
    const session = await beginSession({ store, system: "Be brief." });
    await session.add(user("Hello."));
    const { request } = await session.prepare();
    await session.close();
    expect(await store.blobs.list("one")).toEqual({ ok: true, value: [] });
    const again = await resumeSession({ store });
    expect((await again.prepare()).request).toEqual(request);
    await again.close();
  });
});

describe("an old log whose empty values were blobs", () => {
  it("opens without them: their hashes say what they were", async () => {
    const disk = createVirtualDisk();
    const store = createVirtualStore({ disk });
    const empty = async (text: string) => must(await store.blobs.put("one", Buffer.from(text)));
    const head = { system: await empty("[]"), tools: await empty("[]"), fields: await empty("{}") };
    const header = { id: "one", project: "", model: "claude-opus-4-5", ...head, flags: await empty("{}") };
    const writer = must(await store.logs.create({ kind: "session", session: header }));
    must(await writer.append([{ kind: "message", message: { type: "user", content: "Hello." } }]));
    await writer.close();
    await removeBlobs(disk);
    const events: string[] = [];
    const session = await resumeSession({ store, onEvent: ({ type }) => events.push(type) });
    expect((await session.prepare()).request.messages).toHaveLength(1);
    await session.close();
    expect(events).not.toContain("value-lost");
  });
});

describe("blobs", () => {
  it("are read only where they are needed: none to find an entry, its own to recall one", async () => {
    const store = createVirtualStore();
    const session = await beginSession({ store });
    await session.add(user("Hello."));
    for (let round = 0; round < 5; round += 1) {
      await session.add(assistant([call(`t${round}`)]));
      await session.add(user([result(`t${round}`, `${round}`.repeat(70_000))]));
    }
    const last = await session.add(assistant("Done."));
    await session.close();
    let reads = 0;
    const { blobs } = store;
    const counting: typeof blobs = {
      ...blobs,
      get(...question) {
        reads += 1;
        return blobs.get(...question);
      },
    };
    const again = await resumeSession({ store: { ...store, blobs: counting } });
    const readsOf = async (work: () => Promise<unknown>) => {
      reads = 0;
      await work();
      return reads;
    };
    expect(await readsOf(() => again.recall(last.id))).toBe(0);
    expect(await readsOf(() => again.recall("t3"))).toBe(1);
    expect(await readsOf(() => again.undo(last.id).catch(() => undefined))).toBe(0);
    await again.close();
  });
});
