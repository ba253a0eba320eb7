import { describe, expect, it } from "vitest";
import { project } from "../../src/context/projection/project.ts";
import { createProjection } from "../../src/context/projection/projection.ts";
import { type DecisionEntry, fail, type Layer, type Store } from "../../src/spec/index.ts";
import { compaction, decidingOnce, decisionHead } from "../support/acting-layer.ts";
import { messageEntry } from "../support/entries.ts";
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
import { createVirtualStore } from "../support/virtual-store.ts";

/** Clears the result `t1` once it is there, and says that this frees 5,000 tokens. */
const clearing = (): Layer =>
  decidingOnce(
    ({ head }) => ({
      ...decisionHead,
      type: "clear",
      frees: 5000,
      basis: head,
      parts: [{ toolUseId: "t1", part: "result", label: "[cleared]" }],
    }),
    { moment: "tool-round", id: "dec_clear" },
  );

async function clearedSession() {
  const session = await beginSession({ layers: [clearing()] });
  await session.add(user("Hello."));
  await session.add(assistant([call("t1")], { id: "msg_1", usage: usageOf(50_000) }));
  await session.add(user([result("t1", "y".repeat(20_000))]));
  return session;
}

describe("an undo", () => {
  it("of one decision twice is refused, and counts once", async () => {
    const session = await clearedSession();
    const cleared = session.usage().count.tokens;
    await session.undo("dec_clear");
    expect(session.usage().count.tokens).toBe(cleared + 5000);
    await expect(session.undo("dec_clear")).rejects.toMatchObject({ code: "conflict", path: "dec_clear" });
    expect(session.usage().count.tokens).toBe(cleared + 5000);
    await session.close();
  });

  it("of an undo brings the decision back, in the view and in the count", async () => {
    const session = await clearedSession();
    const before = await session.prepare();
    await session.undo("dec_clear");
    const undoing = (await entriesOf(session)).at(-1);
    await session.undo(undoing?.id);
    const after = await session.prepare();
    expect(withoutControl(after.request)).toEqual(withoutControl(before.request));
    expect(withoutControl(after.request).at(-1)).toEqual({
      role: "user",
      content: [result("t1", "[cleared]")],
    });
    expect(after.report.count).toEqual(before.report.count);
    await session.close();
  });

  it("of a message is refused: only decisions are undone", async () => {
    const session = await beginSession();
    const { id } = await session.add(user("Hello."));
    await expect(session.undo(id)).rejects.toMatchObject({ code: "invalid-input", path: id });
    await session.close();
  });

  it("of a rewind is refused once the new branch has messages", async () => {
    const session = await beginSession();
    const first = await session.add(user("Hello."));
    await session.add(assistant("The old answer."));
    await session.rewind(first.id);
    const rewind = (await entriesOf(session)).at(-1);
    await session.add(assistant("The new answer."));
    await expect(session.undo(rewind?.id)).rejects.toMatchObject({ code: "conflict", path: rewind?.id });
    expect(withoutControl((await session.prepare()).request)).toEqual(texts("Hello.", "The new answer."));
    await session.close();
  });

  it("whose reading of the log fails is followed by reading it again, before anything else", async () => {
    const store = createVirtualStore();
    const { logs } = store;
    let scansUntilFailure = Number.POSITIVE_INFINITY;
    const failing: Store = {
      ...store,
      logs: {
        ...logs,
        async scan(...question) {
          scansUntilFailure -= 1;
          return scansUntilFailure === 0 ? fail("io", "The disk is out of order.") : logs.scan(...question);
        },
      },
    };
    const session = await beginSession({ store: failing, layers: [decidingOnce(compaction)] });
    await session.add(user("Hello."));
    expect(withoutControl((await session.prepare()).request)).toEqual(texts("what happened"));
    scansUntilFailure = 2;
    await expect(session.undo()).rejects.toMatchObject({ code: "io" });
    expect(withoutControl((await session.prepare()).request)).toEqual(texts("Hello."));
    await session.close();
    const again = await resumeSession({ store });
    expect(withoutControl((await again.prepare()).request)).toEqual(texts("Hello."));
    await again.close();
  });
});

describe("a rewind", () => {
  it("to where the session stands changes nothing, and shares every block", async () => {
    const session = await beginSession();
    await session.add(user("Hello."));
    const last = await session.add(assistant("Well."));
    const before = await session.prepare();
    await session.rewind(last.id);
    const { report } = await session.prepare();
    expect(report).toMatchObject({ blocks: 2, sharedBlocks: 2, prefixDigest: before.report.prefixDigest });
    await session.close();
  });

  it("does not count what a sub-agent used", async () => {
    const session = await beginSession();
    await session.add(user("Hello."));
    await session.add(assistant("Well.", { id: "msg_1", usage: usageOf(1000) }));
    await session.add(assistant("Aside.", { id: "side", usage: usageOf(150_000), isSidechain: true }));
    const last = await session.add(user("Go on."));
    const { count } = session.usage();
    await session.rewind(last.id);
    expect(session.usage().count).toEqual(count);
    await session.close();
  });

  it("to a line that is gone goes to the one before it, read all at once or line by line", () => {
    const rewind: DecisionEntry = {
      ...messageEntry(5),
      kind: "decision",
      decision: { ...decisionHead, type: "rewind", basis: 4, to: "msg_3", toSeq: 3 },
    };
    const entries = [messageEntry(1), messageEntry(2), messageEntry(4), rewind];
    const projection = createProjection();
    const needs = entries.map((entry) => projection.add(entry)).at(-1) ?? null;
    projection.rebuild(entries.filter(({ seq }) => seq > (needs ?? 0)));
    expect(projection.projected).toEqual(project(entries));
    expect(project(entries).items.map(({ entry }) => entry)).toEqual(["msg_1", "msg_2"]);
  });
});
