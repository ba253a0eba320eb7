import { mkdir, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { createVirtualStore, logPath } from "../../../../test/support/virtual-store.ts";
import { createVirtualClock } from "../../../testing/src/virtual-clock.ts";
import { createVirtualDisk } from "../../../testing/src/virtual-disk.ts";
import type { EntryDraft, Event, Layer, MessageInput, Moment, Store } from "../spec/index.ts";
import { openSession } from "./open-session.ts";

const clock = createVirtualClock();
const user = (content: MessageInput["content"]): MessageInput => ({ role: "user", content });
const assistant = (id: string, content: MessageInput["content"]): MessageInput => ({
  role: "assistant",
  id,
  content,
});
const call = (id: string) => ({ type: "tool_use", id, name: "Read", input: { file_path: id } });
const result = (id: string, content: string) => ({ type: "tool_result", tool_use_id: id, content });

async function begin(store: Store = createVirtualStore(), layers: readonly Layer[] = []) {
  const session = await openSession({
    store,
    clock,
    id: "one",
    system: "Be brief.",
    tools: [{ name: "Read", input_schema: {} }],
    layers,
  });
  return { store, session };
}

describe("a session", () => {
  it("prepares a request of what was added, with its cache breakpoints", async () => {
    const { session } = await begin();
    await session.add(user("Hello."));
    const control = { cache_control: { type: "ephemeral", ttl: "5m" } };
    const { request, report } = await session.prepare();
    expect(request).toMatchObject({
      model: "claude-opus-4-5",
      system: [{ type: "text", text: "Be brief.", ...control }],
      tools: [{ name: "Read", input_schema: {}, ...control }],
      messages: [{ role: "user", content: [{ type: "text", text: "Hello.", ...control }] }],
    });
    expect(report).toMatchObject({ repairs: [], messages: 1, blocks: 1, sharedBlocks: 0 });
    await session.close();
  });

  it("extends the request before, byte for byte, and marks where it ended", async () => {
    const { session } = await begin();
    await session.add(user("Hello."));
    const first = await session.prepare();
    await session.add(assistant("msg_1", [call("t1")]));
    await session.add(user([result("t1", "text of the file")]));
    const second = await session.prepare();
    expect(second.report.sharedBlocks).toBe(1);
    const bare = (messages: unknown) =>
      JSON.stringify(messages).replaceAll(/,"cache_control":\{[^}]*\}/g, "");
    expect(bare(second.request.messages).startsWith(bare(first.request.messages).slice(0, -1))).toBe(true);
    expect(JSON.stringify(second.request.messages[0])).toContain("cache_control");
    await session.close();
  });

  it("is the same after it was closed and opened again, to the byte", async () => {
    const { store, session } = await begin();
    await session.add(user("Hello."));
    await session.add(assistant("msg_1", [call("t1"), call("t2")]));
    await session.add(user([result("t2", "x".repeat(100_000))]));
    const before = await session.prepare();
    expect(before.report.repairs).toEqual(["synthetic-result", "order"]);
    await session.close();
    const again = await openSession({ store, clock, id: "one", resume: true, layers: [] });
    const after = await again.prepare();
    expect(JSON.stringify(after.request)).toBe(JSON.stringify(before.request));
    expect(after.report.prefixDigest).toBe(before.report.prefixDigest);
    await again.close();
  });

  it("gives back anything by id, whole or page by page", async () => {
    const { session } = await begin();
    const entry = await session.add(user("Hello."));
    await session.add(assistant("msg_1", [call("t1")]));
    await session.add(user([result("t1", "0123456789")]));
    expect(await session.recall(entry.id)).toEqual({
      id: entry.id,
      kind: "entry",
      text: "Hello.",
      offset: 0,
      totalChars: 6,
    });
    expect(await session.recall("t1", { offset: 25, limit: 4 })).toMatchObject({
      kind: "tool-use",
      text: "0123",
      totalChars: 35,
    });
    await expect(session.recall("nothing")).rejects.toMatchObject({ code: "not-found" });
    await session.close();
  });

  it("gives back what an id's end names, and asks where several end alike", async () => {
    const { session } = await begin();
    const [long, other] = ["toolu_01AAAAAAAAAAAAAAAAy67cTCm9", "toolu_01BBBBBBBBBBBBBBBBy67cTCm9"];
    await session.add(assistant("msg_1", [call(long)]));
    await session.add(user([result(long, "found")]));
    const recalled = await session.recall("y67cTCm9");
    expect(recalled).toMatchObject({ id: long, kind: "tool-use" });
    expect(recalled.text).toContain("found");
    await session.add(assistant("msg_2", [call(other)]));
    await expect(session.recall("y67cTCm9")).rejects.toMatchObject({
      code: "invalid-input",
      fix: `Give one of them: ${long}, ${other}.`,
    });
    await session.close();
  });

  it("undoes a decision and gives back the former bytes", async () => {
    const clear: EntryDraft = {
      kind: "decision",
      id: "dec_clear",
      decision: {
        type: "clear",
        layer: "test",
        reason: "test",
        frees: 1,
        basis: 1,
        parts: [{ toolUseId: "t1", part: "result", label: "[gone]" }],
      },
    };
    let due = false;
    const layer: Layer = {
      id: "test",
      moments: ["before-request"],
      decide: () =>
        due
          ? { verdict: "act", command: null, run: "inline", reason: "due", frees: 1, basis: 1 }
          : { verdict: "skip", reason: "not due" },
      apply: async () => {
        due = false;
        return { ok: true, value: [clear] };
      },
    };
    const { session } = await begin(undefined, [layer]);
    await session.add(user("Hello."));
    await session.add(assistant("msg_1", [call("t1")]));
    await session.add(user([result("t1", "text of the file")]));
    const before = await session.prepare();
    expect(before.report.layers).toEqual([
      { layer: "test", moment: "before-request", outcome: "skip", reason: "not due", frees: 0 },
    ]);
    due = true;
    expect(session.plan().layers).toMatchObject([{ outcome: "act", reason: "due" }]);
    const cleared = await session.prepare();
    expect(JSON.stringify(cleared.request)).toContain("[gone]");
    expect(cleared.report.sharedBlocks).toBe(2);
    await session.undo("dec_clear");
    const after = await session.prepare();
    expect(after.report.prefixDigest).toBe(before.report.prefixDigest);
    expect((await session.recall("t1")).text).toContain("text of the file");
    await session.close();
  });

  it("rewinds to an entry, and goes on from there", async () => {
    const { session } = await begin();
    const first = await session.add(user("One."));
    await session.add(assistant("msg_1", "Answer."));
    await session.add(user("Two."));
    await session.rewind(first.id);
    await session.add(user("Three."));
    const { request } = await session.prepare();
    expect(request.messages).toHaveLength(1);
    expect(JSON.stringify(request.messages)).toMatch(/One.*Three/);
    await session.close();
  });

  it("says how full the window is, and with what", async () => {
    const { session } = await begin();
    await session.add(user("Hello."));
    await session.add(assistant("msg_1", [call("t1")]));
    await session.add(user([result("t1", "x".repeat(4000))]));
    const usage = session.usage();
    expect(usage).toMatchObject({
      percentLeft: 99,
      level: "fine",
      thresholds: { window: 200_000, effective: 180_000, auto: 167_000 },
    });
    const { categories, resultsByTool } = usage.accounting;
    expect(categories.toolResults.tokens).toBeGreaterThan(categories.humanMessages.tokens);
    expect(resultsByTool).toMatchObject([{ name: "Read", count: 1 }]);
    await session.close();
  });

  it("counts by the newest usage, and learns from usages how many tokens text has", async () => {
    const { store, session } = await begin();
    await session.add(user("Hello."));
    let size = 1000;
    for (let round = 0; round < 12; round += 1) {
      const usage = { input: 0, output: 10, cacheRead: size, cacheCreation: 0 };
      await session.add({ ...assistant(`msg_${round}`, [call(`t${round}`)]), usage });
      await session.add(user([result(`t${round}`, "word ".repeat(2000))]));
      size += 5000;
    }
    const usage = { input: 0, output: 10, cacheRead: size, cacheCreation: 0 };
    await session.add({ ...assistant("msg_last", "Done."), usage });
    expect(session.usage().count).toEqual({ tokens: size + 10, source: "usage" });
    await session.add(user("word ".repeat(2000)));
    const { tokens } = session.usage().count;
    expect(Math.abs(tokens - (size + 10 + 5000))).toBeLessThan(700);
    await session.close();
    const again = await openSession({ store, clock, id: "one", resume: true });
    expect(again.usage().count.tokens).toBe(tokens);
    await again.close();
  });

  it("tells the layers when a turn starts, a round of results is there, and a response has ended", async () => {
    const moments: Moment[] = [];
    const listening: Layer = {
      id: "listening",
      moments: ["turn-start", "tool-round", "after-response", "before-request"],
      decide: (_view, moment) => {
        moments.push(moment);
        return { verdict: "skip", reason: "only listening" };
      },
      apply: async () => ({ ok: true, value: [] }),
    };
    const { session } = await begin(undefined, [listening]);
    const usage = { input: 1, output: 2, cacheRead: 3, cacheCreation: 4 };
    await session.add(user("Hello."));
    await session.add({ ...assistant("msg_1", [call("t1")]), usage, stopReason: "tool_use" });
    await session.add(user([result("t1", "text")]));
    await session.prepare();
    expect(moments).toEqual([
      { kind: "turn-start", prompt: "Hello." },
      { kind: "after-response", usage, appliedEdits: [], stopReason: "tool_use" },
      { kind: "tool-round", results: ["t1"] },
      { kind: "before-request", trigger: "auto" },
    ]);
    await session.close();
  });

  it("heeds settings files, options before them, and says what it ignores", async () => {
    const home = await temporaryFolder();
    const cwd = await temporaryFolder();
    await mkdir(`${cwd}/.palimpsest`);
    await writeFile(`${home}/settings.json`, JSON.stringify({ autoCompactPercent: 50, blockingLimt: 5 }));
    const events: Event[] = [];
    const onEvent = (event: Event) => events.push(event);
    const session = await openSession({ home, cwd, clock, id: "one", onEvent });
    expect(session.usage().thresholds.auto).toBe(90_000);
    expect(events.filter(({ type }) => type === "setting-ignored")).toMatchObject([
      { message: expect.stringContaining("blockingLimt") },
    ]);
    await session.close();
    const other = await openSession({ home, cwd, clock, id: "two", settings: { autoCompactPercent: 25 } });
    expect(other.usage().thresholds.auto).toBe(45_000);
    await other.close();
    await writeFile(`${cwd}/.palimpsest/settings.json`, '{"autoCompactPercent": "many"}');
    await expect(openSession({ home, cwd, clock, id: "three" })).rejects.toMatchObject({
      code: "invalid-input",
    });
  });

  it("is not harmed by a listener that throws", async () => {
    const onEvent = () => {
      throw new Error("the listener's own");
    };
    const session = await openSession({ store: createVirtualStore(), clock, id: "one", onEvent });
    await session.add(user("Hello."));
    expect((await session.prepare()).report.messages).toBe(1);
    await session.close();
  });

  it("skips a layer that fails, says so, and goes on", async () => {
    const failing: Layer = {
      id: "failing",
      moments: ["before-request"],
      decide: () => ({ verdict: "act", command: null, run: "inline", reason: "due", frees: 0, basis: 1 }),
      apply: async () => {
        throw new Error("it broke");
      },
    };
    const { session } = await begin(undefined, [failing]);
    await session.add(user("Hello."));
    const { report } = await session.prepare();
    expect(report.layers).toMatchObject([
      { layer: "failing", outcome: "failed", reason: "Layer failing failed: it broke" },
    ]);
    await session.close();
  });

  it("refuses wrong input with a typed error and loses nothing", async () => {
    const { session } = await begin();
    await session.add(user("Hello."));
    await expect(session.add(user(""))).rejects.toMatchObject({ code: "invalid-input" });
    await expect(session.add({ role: "user", content: "x", at: "yesterday" })).rejects.toMatchObject({
      code: "invalid-input",
    });
    await expect(session.undo()).rejects.toMatchObject({ code: "not-found" });
    await expect(session.rewind("nowhere")).rejects.toMatchObject({ code: "not-found" });
    expect((await session.prepare()).report.messages).toBe(1);
    await session.close();
    await expect(session.add(user("late"))).rejects.toMatchObject({ code: "closed" });
  });

  it("can be read while another writes, and not written", async () => {
    const disk = createVirtualDisk();
    const { session } = await begin(createVirtualStore({ disk }));
    await session.add(user("Hello."));
    const reader = await openSession({
      store: createVirtualStore({ disk }),
      clock,
      id: "one",
      readOnly: true,
    });
    expect((await reader.prepare()).report.messages).toBe(1);
    await expect(reader.add(user("mine"))).rejects.toMatchObject({ code: "read-only" });
    await reader.close();
    await session.close();
  });

  it("makes a valid request of a log it only reads, and writes nothing", async () => {
    const disk = createVirtualDisk();
    const { session } = await begin(createVirtualStore({ disk }));
    await session.add(user("Hello."));
    await session.add(assistant("msg_1", [call("t1")]));
    await session.add(user("Are you there?"));
    const path = logPath("one");
    const before = disk.readWhole(path);
    const store = createVirtualStore({ disk });
    const reader = await openSession({ store, clock, id: "one", readOnly: true });
    const { request, report } = await reader.prepare();
    expect(report.repairs).toEqual(["synthetic-result"]);
    expect((await reader.prepare()).report.repairs).toEqual([]);
    await reader.close();
    expect(disk.readWhole(path)).toEqual(before);
    expect(JSON.stringify((await session.prepare()).request)).toBe(JSON.stringify(request));
    await session.close();
  });

  it("lists its entries, large values whole", async () => {
    const { session } = await begin();
    const text = "y".repeat(200_000);
    await session.add(user(text));
    const entries = [];
    for await (const entry of session.entries()) entries.push(entry);
    expect(entries.at(-1)).toMatchObject({ kind: "message", message: { content: text } });
    await session.close();
  });
});
