import { describe, expect, it } from "vitest";
import {
  type Answer,
  addRound,
  beginToolSession,
  frozenChoices,
  numberedLines,
  offloads,
  openToolSession,
  sentResults,
  toBlock,
} from "../../../../../test/support/tool-rounds.ts";
import type { Economy } from "../../spec/index.ts";

describe("a choice", () => {
  it("is made once: a second request decides nothing and has the same bytes", async () => {
    const { session } = await beginToolSession();
    await addRound(session, [
      { id: "t1", content: numberedLines(9_000) },
      { id: "t2", content: "small" },
    ]);
    const first = await session.prepare();
    const second = await session.prepare();
    expect(second.report.prefixDigest).toBe(first.report.prefixDigest);
    expect(second.report.layers).toMatchObject([{ outcome: "skip", reason: "no new results" }]);
    expect(await frozenChoices(session)).toEqual([["t1 replaced", "t2 whole"]]);
    await session.close();
  });

  it("is planned as it is made, and a plan makes none", async () => {
    const { session } = await beginToolSession();
    await addRound(session, [
      { id: "t1", content: numberedLines(9_000) },
      { id: "t2", content: "" },
      { id: "t3", content: "small" },
    ]);
    const planned = session.plan().layers;
    expect(planned).toMatchObject([
      { layer: "tool-results", outcome: "act", reason: "results: 1 to disk, 1 empty, 1 whole" },
    ]);
    expect(await frozenChoices(session)).toEqual([]);
    expect((await session.prepare()).report.layers).toEqual(planned);
    await session.close();
  });

  it("is the same after a restart, whatever the limits are then", async () => {
    const opened = await beginToolSession();
    await addRound(opened.session, [
      { id: "t1", content: numberedLines(9_000) },
      { id: "t2", content: numberedLines(1_000) },
    ]);
    const before = await opened.session.prepare();
    const settings = { flags: { "tool-result-limits": { Bash: 1_000 } } };
    const { session } = await opened.resume({ settings });
    const after = await session.prepare();
    expect(after.report.prefixDigest).toBe(before.report.prefixDigest);
    expect(await frozenChoices(session)).toEqual([["t1 replaced", "t2 whole"]]);
    await session.close();
  });

  it("for what was sent before there was a layer is to leave it whole", async () => {
    const opened = await beginToolSession({ layers: [] });
    await addRound(opened.session, [{ id: "t1", content: numberedLines(9_000) }]);
    const before = await opened.session.prepare();
    await opened.session.add({ role: "assistant", id: "msg_done", content: "Done." });
    const { session } = await opened.resume();
    await session.add({ role: "user", content: "Go on." });
    const after = await session.prepare();
    expect(sentResults(after.request)).toEqual(sentResults(before.request));
    expect(await frozenChoices(session)).toEqual([["t1 whole"]]);
    await session.close();
  });

  it("is made for a history that is added before anything is sent", async () => {
    const { session } = await openToolSession();
    await session.add({ role: "user", content: "Go." });
    await addRound(session, [{ id: "t1", content: numberedLines(9_000) }]);
    await addRound(session, [{ id: "t2", content: numberedLines(9_000) }]);
    await session.add({ role: "assistant", id: "msg_end", content: "Done." });
    await session.add({ role: "user", content: "Go on." });
    await session.prepare();
    expect(await frozenChoices(session)).toEqual([["t1 replaced", "t2 replaced"]]);
    await session.close();
  });

  it("for a result that comes after its call was given up leaves what was sent in its place", async () => {
    const { session } = await beginToolSession();
    const call = { type: "tool_use", id: "t1", name: "Bash", input: { command: "sleep" } };
    await session.add({ role: "assistant", id: "msg_late", content: [call] });
    await session.add({ role: "user", content: "Never mind." });
    const before = await session.prepare();
    await session.add({ role: "assistant", id: "msg_fine", content: "Fine." });
    await session.add({ role: "user", content: [toBlock({ id: "t1", content: numberedLines(9_000) })] });
    const { request } = await session.prepare();
    expect(sentResults(request)).toEqual(sentResults(before.request));
    expect(JSON.stringify(request.messages.at(-1))).toMatch(
      /which is not part of the message before.*persisted-output/,
    );
    await session.close();
  });

  it("can be taken back: the original bytes stand again, and nothing is decided anew", async () => {
    const { session } = await beginToolSession();
    const content = numberedLines(9_000);
    await addRound(session, [{ id: "t1", content }]);
    await session.prepare();
    const [decision] = await offloads(session);
    await session.undo(decision?.id);
    expect(sentResults((await session.prepare()).request)).toEqual({ t1: content });
    expect(await frozenChoices(session)).toEqual([["t1 replaced"]]);
    await session.close();
  });

  it("counts what it frees as the session counts", async () => {
    const { session } = await beginToolSession();
    const before = session.usage().count.tokens;
    await addRound(session, [{ id: "t1", content: "x".repeat(4_000_000) }]);
    const { report } = await session.prepare();
    expect(report.count.tokens - before).toBeLessThan(1_200);
    await session.close();
  });
});

describe("a re-read of an unchanged file", () => {
  const content = numberedLines(200);
  const read = (id: string, more: Partial<Answer> = {}): Answer => ({
    id,
    tool: "Read",
    input: { file_path: "/a.ts" },
    content,
    ...more,
  });

  async function secondRead(answer: Answer, economy: Economy | undefined) {
    const { session } = await beginToolSession({ settings: economy && { economy } });
    await addRound(session, [read("t1")]);
    await session.prepare();
    await addRound(session, [answer]);
    const { t1, t2 } = sentResults((await session.prepare()).request);
    expect(t1).toBe(content);
    await session.close();
    return t2;
  }

  it("is answered by a reference to the earlier result, in a thrifty session", async () => {
    expect(await secondRead(read("t2"), "thrifty")).toBe(
      "(Unchanged: this is word for word the result of tool use t1 above. Recall with that id gives it again.)",
    );
  });

  it.each<[string, Answer, Economy | undefined]>([
    ["the session is faithful", read("t2"), "faithful"],
    ["nobody has set a mode", read("t2"), undefined],
    ["the text is another", read("t2", { content: `${content}more` }), "thrifty"],
    ["the file is another", read("t2", { input: { file_path: "/b.ts" } }), "thrifty"],
    ["the part is another", read("t2", { input: { file_path: "/a.ts", offset: 2 } }), "thrifty"],
    ["the read failed", read("t2", { isError: true }), "thrifty"],
  ])("is answered whole where %s", async (_, answer, economy) => {
    expect(await secondRead(answer, economy)).toBe(answer.content);
  });
});
