import { describe, expect, it } from "vitest";
import type { SessionOptions } from "../../packages/core/src/session/open-session.ts";
import {
  type CompactDecision,
  type Event,
  type Facts,
  fail,
  type Session,
  type Store,
  type View,
} from "../../packages/core/src/spec/index.ts";
import { createVirtualDisk } from "../../packages/testing/src/virtual-disk.ts";
import { compaction, decidingOnce, watching } from "../support/acting-layer.ts";
import {
  assistant,
  call,
  result,
  texts,
  usageOf,
  user,
  withoutControl,
} from "../support/session-messages.ts";
import { beginSession, entriesOf, resumeSession } from "../support/virtual-session.ts";
import { createVirtualStore, logPath } from "../support/virtual-store.ts";

const large = "x".repeat(100_000);

/** Does some work in a session, and gives what it sends before and after it was closed and opened again. */
async function sentTwice(options: SessionOptions, work: (session: Session) => Promise<unknown>) {
  const store = createVirtualStore();
  const session = await beginSession({ ...options, store });
  await work(session);
  const before = await session.prepare();
  const { count } = session.usage();
  await session.close();
  const again = await resumeSession({ store });
  const after = await again.prepare();
  expect(after.report.repairs).toEqual([]);
  expect(after.report.prefixDigest).toBe(before.report.prefixDigest);
  expect(again.usage().count).toEqual(count);
  await again.close();
  return { before: withoutControl(before.request), after: withoutControl(after.request) };
}

async function largeRound(session: Session): Promise<void> {
  await session.add(user("Hello."));
  await session.add(assistant([call("t1")]));
  await session.add(user([result("t1", large)]));
}

describe("a compaction, once its session is resumed,", () => {
  it.each<[string, (view: View) => Partial<CompactDecision>]>([
    [
      "that keeps a large result behind its summary",
      () => ({ kept: { head: "", headSeq: 3, tail: "", tailSeq: 4, anchor: "summary" } }),
    ],
    [
      "that keeps a large result before its summary",
      () => ({ kept: { head: "", headSeq: 2, tail: "", tailSeq: 4, anchor: "boundary" } }),
    ],
    ["with a large result behind its basis", () => ({ basis: 2 })],
  ])("sends the same: one %s", async (_, more) => {
    const layers = [decidingOnce((view) => compaction(view, more(view)))];
    const { before, after } = await sentTwice({ layers }, largeRound);
    expect(JSON.stringify(before)).toContain(large);
    expect(after).toEqual(before);
  });

  it.each<[string, Partial<CompactDecision>]>([
    ["a summary of large text", { summary: { type: "user", content: large } }],
    ["a summary of large blocks", { summary: { type: "user", content: [{ type: "text", text: large }] } }],
    [
      "a large attachment",
      { attachments: [{ type: "attachment", subtype: "file", content: `what happened ${large}` }] },
    ],
  ])("sends the same: one with %s", async (_, more) => {
    const layers = [decidingOnce((view) => compaction(view, more))];
    const { before, after } = await sentTwice({ layers }, (session) => session.add(user("Hello.")));
    expect(JSON.stringify(before)).toContain(large);
    expect(after).toEqual(before);
  });
});

describe("a resumed session", () => {
  it("knows a file from a large call that a compaction covers", async () => {
    const store = createVirtualStore();
    const files: string[][] = [];
    const watch = () => watching(["before-request"], ({ ledgers }) => files.push([...ledgers.files.keys()]));
    const session = await beginSession({ store, layers: [decidingOnce(compaction), watch()] });
    await session.add(user("Hello."));
    await session.add(assistant([call("t1", { file_path: "/big", content: large }, "Write")]));
    await session.add(user([result("t1", "ok")]));
    await session.prepare();
    await session.close();
    const again = await resumeSession({ store, layers: [watch()] });
    await again.prepare();
    await again.close();
    expect(files).toEqual([["/big"], ["/big"]]);
  });

  it("sends another system prompt when it is given one, announces the cost, and goes on with it", async () => {
    const store = createVirtualStore();
    const session = await beginSession({ store, system: "Be brief." });
    await session.add(user("One."));
    await session.prepare();
    await session.add(assistant("Well.", { id: "msg_1", usage: { ...usageOf(0), cacheCreation: 5000 } }));
    await session.add(user("Two."));
    await session.close();
    const other = await resumeSession({ store, system: "Be long." });
    const { request, report } = await other.prepare();
    expect(request.system).toMatchObject([{ text: "Be long." }]);
    expect(report.cache).toMatchObject({ kind: "expected-break", reason: "system_changed", firstBlock: 0 });
    await other.close();
    const again = await resumeSession({ store });
    expect((await again.prepare()).request.system).toMatchObject([{ text: "Be long." }]);
    await again.close();
  });

  it("marks where the request before the restart ended", async () => {
    const store = createVirtualStore();
    const session = await beginSession({ store });
    await session.add(user("Hello."));
    await session.prepare();
    await session.add(assistant("Well."));
    await session.close();
    const again = await resumeSession({ store });
    await again.add(user(Array.from({ length: 30 }, (_, at) => ({ type: "text", text: `block ${at}` }))));
    const { request } = await again.prepare();
    const marked = request.messages.map(({ content }) =>
      content.flatMap((block, at) => ("cache_control" in block ? at : [])),
    );
    expect(marked).toEqual([[0], [], [29]]);
    await again.close();
  });

  it("keeps the flags that shape its prefix", async () => {
    const store = createVirtualStore();
    const session = await beginSession({ store, settings: { flags: { snip: false } } });
    await session.close();
    const seen: Facts[] = [];
    const layers = [watching(["before-request"], (_view, _moment, facts) => seen.push(facts))];
    const again = await resumeSession({ store, layers });
    await again.add(user("Hello."));
    await again.prepare();
    await again.close();
    expect(seen).toMatchObject([{ settings: { flags: { snip: false } } }]);
  });

  it("that cannot be read to its end is given back for the next who tries", async () => {
    const store = createVirtualStore();
    const session = await beginSession({ store });
    await largeRound(session);
    const { request } = await session.prepare();
    await session.close();
    const { logs } = store;
    const failing: Store = {
      ...store,
      logs: {
        ...logs,
        scan: async (...question) =>
          question[2]?.limit === 1 ? logs.scan(...question) : fail("io", "The disk is out of order."),
      },
    };
    await expect(resumeSession({ store: failing })).rejects.toMatchObject({ code: "io" });
    const again = await resumeSession({ store });
    expect(withoutControl((await again.prepare()).request)).toEqual(withoutControl(request));
    await again.close();
  });

  it("is refused to a second writer while the first has it", async () => {
    const disk = createVirtualDisk();
    const session = await beginSession({ store: createVirtualStore({ disk }) });
    await expect(resumeSession({ store: createVirtualStore({ disk }) })).rejects.toMatchObject({
      code: "held",
    });
    await session.close();
    const again = await resumeSession({ store: createVirtualStore({ disk }) });
    await again.close();
  });
});

describe("a session whose first line is damaged", () => {
  async function damaged() {
    const disk = createVirtualDisk();
    const store = createVirtualStore({ disk });
    const session = await beginSession({ store, system: "Never delete files.", model: "claude-opus-4-6" });
    await session.add(user("Hello."));
    await session.close();
    disk.flipByte(logPath("one"), 20);
    return store;
  }

  it("says that it does not know what it began with", async () => {
    const events: Event[] = [];
    const again = await resumeSession({ store: await damaged(), onEvent: (event) => events.push(event) });
    expect(events).toMatchObject([
      { type: "session-open", report: { corruptLines: 1 } },
      {
        type: "setting-ignored",
        message:
          "The first line of the session is damaged: its model, system prompt and tools are not known. Give them anew.",
      },
    ]);
    expect(withoutControl((await again.prepare()).request)).toEqual(texts("Hello."));
    await again.close();
  });

  it("goes on with what it is given anew", async () => {
    const given = { system: "Never delete files.", model: "claude-opus-4-6" };
    const again = await resumeSession({ store: await damaged(), ...given });
    expect((await again.prepare()).request).toMatchObject({
      model: "claude-opus-4-6",
      system: [{ text: "Never delete files." }],
    });
    expect((await entriesOf(again)).map(({ kind }) => kind)).toContain("message");
    await again.close();
  });
});
