import { describe, expect, it } from "vitest";
import type { MessageInput, ModelRequest } from "../../src/spec/index.ts";
import { createVirtualDisk } from "../../src/testing/virtual-disk.ts";
import { assistant, call, result, think, user, withoutControl } from "../support/session-messages.ts";
import { beginSession, removeBlobs, resumeSession } from "../support/virtual-session.ts";
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
  async function withoutPrompt() {
    const disk = createVirtualDisk();
    const store = createVirtualStore({ disk });
    const session = await beginSession({ store, system: "Never delete files." });
    await session.add(user("Hello."));
    await session.close();
    await removeBlobs(disk);
    return store;
  }

  it("is not resumed without it", async () => {
    await expect(resumeSession({ store: await withoutPrompt() })).rejects.toMatchObject({
      code: "not-found",
    });
  });

  it("is resumed when it is given anew, with all else that is gone", async () => {
    const given = { system: "Never delete files.", tools: [], request: {} };
    const again = await resumeSession({ store: await withoutPrompt(), ...given });
    expect((await again.prepare()).request.system).toMatchObject([{ text: "Never delete files." }]);
    await again.close();
  });

  it("can be read all the same, and says what is missing", async () => {
    const problems: string[] = [];
    const reader = await beginSession({
      store: await withoutPrompt(),
      readOnly: true,
      onEvent: (event) => event.type === "setting-ignored" && problems.push(event.message),
    });
    expect((await reader.prepare()).report.messages).toBe(1);
    await reader.close();
    expect(problems).toEqual([
      expect.stringMatching(/^Part of what the session began with cannot be read: /),
    ]);
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
