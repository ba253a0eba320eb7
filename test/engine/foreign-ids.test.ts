import { describe, expect, it } from "vitest";
import { type ContentBlock, isBlock, type Session } from "../../packages/core/src/spec/index.ts";
import { toRequestId } from "../../packages/core/src/view/request/request-ids.ts";
import { user } from "../support/session-messages.ts";
import { beginSession, entriesOf, resumeSession } from "../support/virtual-session.ts";
import { createVirtualStore } from "../support/virtual-store.ts";

const id = "functions.Bash:0";
const mapped = toRequestId(id);

async function addRound(session: Session, call: string, answered: string): Promise<void> {
  const block = { type: "tool_use", id: call, name: "Bash", input: { command: "ls" } };
  await session.add({ role: "assistant", content: [block] });
  await session.add({
    role: "user",
    content: [{ type: "tool_result", tool_use_id: answered, content: "a.ts" }],
  });
}

async function blocksOf(session: Session) {
  const { request, report } = await session.prepare();
  const blocks = request.messages.flatMap(({ content }) => content);
  return { blocks, repairs: report.repairs };
}

const sent = [
  { type: "text", text: "List." },
  { type: "tool_use", id: mapped, name: "Bash", input: { command: "ls" } },
  { type: "tool_result", tool_use_id: mapped, content: "a.ts" },
];

describe("a call whose id not every provider takes", () => {
  it.each([
    ["as its server did", id],
    ["as requests do", mapped],
  ])("is sent as a call with its result, which may name it %s", async (_, answered) => {
    const store = createVirtualStore();
    const session = await beginSession({ store });
    await session.add(user("List."));
    await addRound(session, id, answered);
    const { blocks, repairs } = await blocksOf(session);
    expect(blocks).toMatchObject(sent);
    expect(repairs).toEqual([]);
    const logged = (await entriesOf(session)).flatMap((entry) =>
      entry.kind === "message" && typeof entry.message.content !== "string" ? entry.message.content : [],
    );
    expect(logged).toMatchObject([{ id }, { tool_use_id: id }]);
    await session.close();
    const resumed = await resumeSession({ store });
    expect((await blocksOf(resumed)).blocks).toMatchObject(sent);
    await resumed.close();
  });

  it("is recalled by either id", async () => {
    const session = await beginSession();
    await session.add(user("List."));
    await addRound(session, id, id);
    const recalled = { kind: "tool-use", text: 'Bash {"command":"ls"}\n\na.ts' };
    expect(await session.recall(id)).toMatchObject(recalled);
    expect(await session.recall(mapped)).toMatchObject(recalled);
    await session.close();
  });

  it("gets a synthetic result where it has none", async () => {
    const session = await beginSession();
    await session.add(user("List."));
    await session.add({ role: "assistant", content: [{ type: "tool_use", id, name: "Bash", input: {} }] });
    await session.add(user("Go on."));
    const { blocks, repairs } = await blocksOf(session);
    expect(blocks).toMatchObject([
      { type: "text" },
      { type: "tool_use", id: mapped },
      { type: "tool_result", tool_use_id: mapped, is_error: true },
      { type: "text" },
    ]);
    expect(repairs).toContain("synthetic-result");
    await session.close();
  });

  it("and one that has its mapped id are sent as two calls", async () => {
    const session = await beginSession();
    await session.add(user("List."));
    await addRound(session, id, id);
    await addRound(session, mapped, mapped);
    const { blocks, repairs } = await blocksOf(session);
    const calls = blocks.flatMap((block) => (isBlock(block, "tool_use") ? block.id : []));
    const results = blocks.flatMap((block) => (isBlock(block, "tool_result") ? block.tool_use_id : []));
    expect([results, new Set(calls).size, calls[0], repairs]).toEqual([calls, 2, mapped, []]);
    await session.close();
  });
});

async function askPage(session: Session, turn: number, call: string, answered: string): Promise<void> {
  await session.add(user(`q${turn}`));
  await session.prepare();
  const content = [{ type: "tool_use", id: call, name: "page", input: { turn } }];
  await session.add({ role: "assistant", id: `r${turn}`, content, stopReason: "tool_use" });
  await session.add({
    role: "user",
    content: [{ type: "tool_result", tool_use_id: answered, content: `result ${turn}` }],
  });
}

async function sayOk(session: Session, turn: number): Promise<void> {
  await session.prepare();
  await session.add({ role: "assistant", id: `b${turn}`, content: [{ type: "text", text: "ok" }] });
}

async function messagesOf(session: Session) {
  const { request, report } = await session.prepare();
  const calls = request.messages
    .flatMap(({ content }): readonly ContentBlock[] => (typeof content === "string" ? [] : content))
    .filter((block) => isBlock(block, "tool_use") || isBlock(block, "tool_result"));
  const withoutMarkers = (name: string, value: unknown) => (name === "cache_control" ? undefined : value);
  const bytes = request.messages.map((message) => JSON.stringify(message, withoutMarkers));
  return { calls, repairs: report.repairs, bytes };
}

describe.each(["functions.page:0", "call_0"])(
  "a call whose id %s comes again in a later answer",
  (repeated) => {
    it("stays a call with its own result, in every later request and after a resume", async () => {
      const store = createVirtualStore();
      const session = await beginSession({ store });
      for (let turn = 0; turn < 4; turn += 1) {
        await askPage(session, turn, repeated, repeated);
        await sayOk(session, turn);
      }
      await session.add(user("end"));
      const { calls, repairs, bytes } = await messagesOf(session);
      expect(repairs).toEqual([]);
      const ids = calls.flatMap((block) => (isBlock(block, "tool_use") ? block.id : []));
      expect([ids.length, new Set(ids).size, ids[0]]).toEqual([4, 4, toRequestId(repeated)]);
      expect(calls).toMatchObject(
        ids.flatMap((one, turn) => [
          { type: "tool_use", id: one, input: { turn } },
          { type: "tool_result", tool_use_id: one, content: `result ${turn}` },
        ]),
      );
      for (const [turn, one] of ids.entries())
        expect((await session.recall(one)).text).toBe(`page {"turn":${turn}}\n\nresult ${turn}`);
      await session.close();
      const resumed = await resumeSession({ store });
      expect((await messagesOf(resumed)).bytes).toEqual(bytes);
      await askPage(resumed, 4, repeated, repeated);
      const later = await messagesOf(resumed);
      expect(later.bytes.slice(0, bytes.length - 1)).toEqual(bytes.slice(0, -1));
      expect([later.repairs, later.calls.length]).toEqual([[], 10]);
      await resumed.close();
    });

    it("is answered after a resume by the name that requests or its server have for it", async () => {
      for (const isServers of [true, false]) {
        const store = createVirtualStore();
        const session = await beginSession({ store });
        await askPage(session, 0, repeated, repeated);
        await session.add({
          role: "assistant",
          id: "r1",
          content: [{ type: "tool_use", id: repeated, name: "page", input: {} }],
        });
        const logged = (await entriesOf(session)).at(-1);
        const given = logged?.kind === "message" ? (logged.message.givenIds ?? {}) : {};
        const [[name, server] = []] = Object.entries(given);
        expect(server).toBe(repeated);
        await session.close();
        const resumed = await resumeSession({ store });
        const file = { path: "/a", toolUseId: isServers ? repeated : String(name), hash: "", mtimeMs: 0 };
        await resumed.add({
          role: "user",
          content: [{ type: "tool_result", tool_use_id: file.toolUseId, content: "second" }],
          files: [file as never],
        });
        const stored = (await entriesOf(resumed)).at(-1);
        expect(stored).toMatchObject({
          message: { content: [{ tool_use_id: name }], files: [{ toolUseId: name }] },
        });
        expect((await messagesOf(resumed)).repairs).toEqual([]);
        await resumed.close();
      }
    });

    it("keeps its own where the former one was rewound", async () => {
      const session = await beginSession();
      const first = await session.add(user("Begin."));
      await askPage(session, 0, repeated, repeated);
      await session.rewind(first.id);
      await askPage(session, 1, repeated, repeated);
      expect((await messagesOf(session)).calls).toMatchObject([
        { id: toRequestId(repeated), input: { turn: 1 } },
        { tool_use_id: toRequestId(repeated) },
      ]);
      await session.close();
    });

    it("stays twice where one answer has it twice, whether in one message or in two", async () => {
      for (const isParted of [true, false]) {
        const session = await beginSession();
        await askPage(session, 0, repeated, repeated);
        const call = (part: number) => ({ type: "tool_use", id: repeated, name: "page", input: { part } });
        const parts = isParted ? [[call(1)], [call(2)]] : [[call(1), call(2)]];
        for (const content of parts) await session.add({ role: "assistant", id: "r1", content });
        const result = { type: "tool_result", tool_use_id: repeated, content: "both" };
        await session.add({ role: "user", content: [result, result] });
        const { calls } = await messagesOf(session);
        expect(calls).toMatchObject([
          { input: { turn: 0 } },
          { content: "result 0" },
          { input: { part: 1 } },
          { content: "both" },
        ]);
        await session.close();
      }
    });
  },
);
