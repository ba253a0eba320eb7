import { describe, expect, it } from "vitest";
import { createMicrocompactLayer } from "../../packages/core/src/layers/2-microcompact/index.ts";
import type { SessionOptions } from "../../packages/core/src/session/open-session.ts";
import type {
  CacheEditDecision,
  DecisionEntry,
  ModelRequest,
  Session,
} from "../../packages/core/src/spec/index.ts";
import { createVirtualClock } from "../../packages/testing/src/virtual-clock.ts";
import { compaction, decidingOnce } from "../support/acting-layer.ts";
import { beginToolSession, toBlock } from "../support/tool-rounds.ts";

const withModel = (capabilities: object): SessionOptions => ({
  model: "claude-opus-4-5",
  layers: [createMicrocompactLayer()],
  settings: {
    flags: { "clear-cache-edits": true },
    catalog: { capabilities: { "*": { cacheEdits: true, ...capabilities } } },
  },
});
const options = withModel({});
/** Thinking is bound to what stands before it, and the API does not drop what is not. */
const binding = withModel({ prefixBoundThinking: true, dropsUnboundThinking: false });
const usage = { input: 10, output: 10, cacheRead: 20_000, cacheCreation: 100 };

const resultOf = (id: string) => `what ${id} gave back `.repeat(50);

/** Asks, is answered with a call, and gives its result. */
async function round(session: Session, id: string): Promise<ModelRequest> {
  const { request } = await session.prepare();
  const call = { type: "tool_use", id, name: "Bash", input: { command: `cat ${id}` } };
  const thought = { type: "thinking", thinking: "Hm.", signature: "signed" };
  await session.add({
    role: "assistant",
    id: `msg_${id}`,
    content: [thought, call],
    usage,
    stopReason: "tool_use",
  });
  await session.add({ role: "user", content: [toBlock({ id, content: resultOf(id) })] });
  return request;
}

async function rounds(session: Session, from: number, to: number): Promise<readonly ModelRequest[]> {
  const requests: ModelRequest[] = [];
  for (let number = from; number <= to; number += 1) requests.push(await round(session, `t${number}`));
  return requests;
}

/** The blocks of a request as they are sent, without markers. */
const blocksOf = ({ messages }: ModelRequest) =>
  messages.flatMap(({ role, content }) =>
    content.map((block) => {
      const { cache_control: _marker, ...bare } = block as Record<string, unknown>;
      return `${role} ${JSON.stringify(bare)}`;
    }),
  );

const editsIn = (request: ModelRequest) =>
  blocksOf(request).flatMap((block, at) => (block.includes('"cache_edits"') ? { at, block } : []));

async function decisionsOf(session: Session): Promise<readonly DecisionEntry[]> {
  const found: DecisionEntry[] = [];
  for await (const entry of session.entries()) if (entry.kind === "decision") found.push(entry);
  return found;
}

/** A session whose newest request asks for an edit, which was answered. */
async function edited(more: SessionOptions = {}) {
  const opened = await beginToolSession({ ...options, ...more });
  const requests = await rounds(opened.session, 1, 27);
  const [decision] = (await decisionsOf(opened.session)).filter(
    ({ decision: { type } }) => type === "cache-edit",
  );
  if (decision?.decision.type !== "cache-edit") throw new Error("nothing was edited");
  return { ...opened, requests, id: decision.id, decision: decision.decision as CacheEditDecision };
}

describe("a cache edit", () => {
  it("is recorded with what it deletes, where it stands and what it frees", async () => {
    const { session, decision, events } = await edited();
    const ids = Array.from({ length: 16 }, (_, index) => `t${index + 1}`);
    expect(decision).toMatchObject({
      layer: "microcompact",
      parts: ids.map((toolUseId) => ({ toolUseId, part: "result" })),
      edit: {
        type: "cache_edits",
        edits: ids.map((cache_reference) => ({ type: "delete", cache_reference })),
      },
      behind: { entry: expect.any(String), block: 0 },
    });
    expect(decision.frees).toBeGreaterThan(16 * 200);
    expect(events.filter(({ type }) => type === "results-clear")).toMatchObject([
      { strategy: "cache-edits", results: 16, inputs: 0, tokensSaved: decision.frees },
    ]);
    await session.close();
  });

  it("is repeated at its place by every later request, and every request extends the one before", async () => {
    const { session, requests } = await edited();
    const later = await rounds(session, 28, 35);
    const sent = [...requests, ...later].map(blocksOf);
    for (const [index, blocks] of sent.slice(1).entries())
      expect(blocks.slice(0, sent[index]?.length)).toEqual(sent[index]);
    const [first] = editsIn(later[0] as ModelRequest);
    expect(editsIn(later.at(-1) as ModelRequest)).toEqual([first]);
    expect(JSON.stringify(later.at(-1))).toContain(resultOf("t1"));
    await session.close();
  });

  it("is the same to the byte after a restart, and is not decided again", async () => {
    const { session, resume } = await edited();
    const before = (await session.prepare()).request;
    const { count } = session.usage();
    const again = await resume(options);
    const after = await again.session.prepare();
    expect(after.request).toEqual(before);
    expect(again.session.usage().count).toEqual(count);
    expect(editsIn(after.request)).toHaveLength(1);
    await again.session.close();
  });

  it("takes what it deletes out of the count once, until the next response has measured it", async () => {
    const opened = await beginToolSession(options);
    await rounds(opened.session, 1, 26);
    const before = opened.session.usage();
    await opened.session.prepare();
    const after = opened.session.usage();
    const edit = (await decisionsOf(opened.session)).find(({ decision }) => decision.type === "cache-edit");
    expect(before.count.tokens - after.count.tokens).toBe(edit?.decision.frees);
    const results = (usageOf: typeof before) => usageOf.accounting.categories.toolResults?.tokens ?? 0;
    expect(results(after)).toBeLessThan(results(before) / 2);
    await opened.session.add({ role: "assistant", id: "measured", content: "Well.", usage });
    expect(opened.session.usage().count).toEqual({ tokens: 20_120, source: "usage" });
    await opened.session.close();
  });

  it("leaves what it deleted to be recalled", async () => {
    const { session } = await edited();
    expect((await session.recall("t1")).text).toContain(resultOf("t1"));
    await session.close();
  });

  it("goes when it is undone, with an announced break, and is not decided again", async () => {
    const { session, id, decision } = await edited();
    await rounds(session, 28, 29);
    const before = await session.prepare();
    const { tokensBefore, tokensAfter } = await session.undo(id);
    expect(tokensAfter - tokensBefore).toBe(decision.frees);
    const { request, report } = await session.prepare();
    const [edit] = editsIn(before.request);
    expect(blocksOf(request)).toEqual(blocksOf(before.request).toSpliced(edit?.at ?? 0, 1));
    expect(report.cache).toMatchObject({
      kind: "expected-break",
      reason: "messages_changed",
      // The tool stands before the messages.
      firstBlock: 1 + (edit?.at ?? 0),
    });
    await rounds(session, 30, 38);
    expect(editsIn((await session.prepare()).request)).toEqual([]);
    await session.close();
  });

  it("can be undone while a round is open, since no thinking is bound to it", async () => {
    const { session, id } = await edited(binding);
    await rounds(session, 28, 29);
    await session.undo(id);
    const { request, report } = await session.prepare();
    expect(editsIn(request)).toEqual([]);
    expect(report.thinking).toBeUndefined();
    expect(blocksOf(request).filter((block) => block.includes('"thinking"'))).toHaveLength(29);
    await session.close();
  });

  it("is gone with the messages behind a rewind", async () => {
    const { session, decision } = await edited();
    await session.rewind(decision.behind?.entry ?? "");
    const sent = (await decisionsOf(session)).filter(({ decision: { type } }) => type === "cache-edit");
    expect(sent).toHaveLength(1);
    expect(session.plan().layers).toMatchObject([{ outcome: "act" }]);
    await session.close();
  });

  it("ends at a boundary, which empties the register", async () => {
    const opened = await edited();
    const again = await opened.resume({
      ...options,
      layers: [
        decidingOnce((view) => {
          const kept = view.items.find(({ seq }) => seq > 1);
          const range = { head: kept?.entry ?? "", headSeq: kept?.seq ?? 0, tail: "", tailSeq: view.head };
          return compaction(view, { kept: { ...range, anchor: "summary" } });
        }),
        createMicrocompactLayer(),
      ],
    });
    const { request, report } = await again.session.prepare();
    expect(editsIn(request)).toEqual([]);
    await expect(again.session.undo(opened.id)).rejects.toMatchObject({ code: "conflict" });
    expect(JSON.stringify(request)).toContain("what t1 gave back");
    expect(report.layers.at(-1)).toMatchObject({ reason: expect.stringContaining("not cached yet") });
    await again.session.close();
  });

  it("is taken back before it is sent where the cache went cold and nothing has answered it", async () => {
    const clock = createVirtualClock();
    const { session } = await beginToolSession({ ...options, clock });
    await rounds(session, 1, 26);
    expect(editsIn((await session.prepare()).request)).toHaveLength(1);
    const { tokens } = session.usage().count;
    await clock.advance(5 * 60_000);
    const { request, report } = await session.prepare();
    expect(editsIn(request)).toEqual([]);
    expect(report.repairs).toContain("drop-block");
    expect(JSON.stringify(request)).not.toContain("what t1 gave back");
    expect(session.usage().count.tokens).toBeLessThan(tokens + 2_000);
    await session.close();
  });

  it("gives way to labels where a pause lets others be cleared", async () => {
    const clock = createVirtualClock();
    const { session } = await edited({ clock });
    await clock.advance(5 * 60_000);
    const { request } = await session.prepare();
    expect(editsIn(request)).toEqual([]);
    const cleared = (id: string) => JSON.stringify(request).includes(`recall ${id}"`);
    expect(["t1", "t16", "t17", "t22", "t23"].map(cleared)).toEqual([true, true, true, true, false]);
    await session.close();
  });

  it("is repeated through a pause once it was answered, where nothing else is cleared", async () => {
    const clock = createVirtualClock();
    const { session } = await edited({ ...binding, clock });
    await clock.advance(5 * 60_000);
    const { request, report } = await session.prepare();
    expect(editsIn(request)).toHaveLength(1);
    expect(report.layers).toMatchObject([{ outcome: "waiting" }]);
    await session.close();
  });

  it("is taken back on a model that cannot do it", async () => {
    const { resume } = await edited();
    const again = await resume({
      keepsSettings: false,
      ...options,
      settings: { flags: { "clear-cache-edits": true } },
    });
    expect(editsIn((await again.session.prepare()).request)).toEqual([]);
    await again.session.close();
  });
});
