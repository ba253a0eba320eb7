import { describe, expect, it } from "vitest";
import { defaultLayers } from "../../packages/core/src/session/default-layers.ts";
import {
  type DecisionEntry,
  fail,
  type Layer,
  type PalimpsestError,
  type Store,
} from "../../packages/core/src/spec/index.ts";
import { project } from "../../packages/core/src/view/projection/project.ts";
import { createProjection } from "../../packages/core/src/view/projection/projection.ts";
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

  it("of a clearing under a compaction names the compaction, and works once that is undone", async () => {
    const session = await beginSession({
      layers: [clearing(), decidingOnce(compaction, { moment: "idle", id: "dec_compact" })],
    });
    await session.add(user("Hello."));
    await session.add(assistant([call("t1")]));
    await session.add(user([result("t1", "y".repeat(20_000))]));
    await session.idle();
    await expect(session.undo("dec_clear")).rejects.toMatchObject({
      code: "conflict",
      message: "dec_clear (clear) is buried under dec_compact: undoing it alone would change nothing.",
      fix: "Undo dec_compact first.",
      facts: { first: "dec_compact" },
    });
    await session.undo();
    await session.undo("dec_clear");
    expect(withoutControl((await session.prepare()).request).at(-1)).toEqual({
      role: "user",
      content: [result("t1", "y".repeat(20_000))],
    });
    await session.close();
  });

  it("of a rewind twice is refused, also once something else was decided", async () => {
    const session = await beginSession();
    const first = await session.add(user("Hello."));
    await session.add(assistant("The answer."));
    await session.rewind(first.id);
    const rewind = (await entriesOf(session)).at(-1);
    await session.undo(rewind?.id);
    await expect(session.undo(rewind?.id)).rejects.toMatchObject({ code: "conflict", path: rewind?.id });
    await session.rewind(first.id);
    await expect(session.undo(rewind?.id)).rejects.toMatchObject({ code: "conflict", path: rewind?.id });
    expect(withoutControl((await session.prepare()).request)).toEqual(texts("Hello."));
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
    scansUntilFailure = 3;
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

describe("an undo that is refused", () => {
  const prose = (chars: number, mark: number) =>
    `${mark} lorem ipsum dolor. `.repeat(chars / 10).slice(0, chars);

  /** A session with the usual layers but no automatic compaction, and a way to go on with it. */
  async function workedSession() {
    const session = await beginSession({
      layers: defaultLayers(),
      settings: { flags: { snip: true }, autoCompactEnabled: false },
    });
    let rounds = 0;
    const work = async (count: number, chars = 7_000) => {
      for (let round = 0; round < count; round += 1) {
        rounds += 1;
        await session.add(user(`Step ${rounds}.`));
        await session.add(assistant([call(`t${rounds}`, { command: `step ${rounds}` }, "Bash")]));
        await session.add(user([result(`t${rounds}`, prose(chars, rounds))]));
        await session.prepare();
        await session.add(assistant([{ type: "text", text: prose(500, rounds) }]));
      }
    };
    const decisions = async (type: string) =>
      (await entriesOf(session)).filter(
        (entry): entry is DecisionEntry => entry.kind === "decision" && entry.decision.type === type,
      );
    /** The kinds of what was named and undone, until the wanted one was. */
    const follow = async (wanted: string, named: readonly string[] = []): Promise<readonly string[]> => {
      const first = await session.undo(wanted).then(
        () => undefined,
        (cause: PalimpsestError) => cause.facts?.first,
      );
      if (first === undefined) return named;
      const entry = (await entriesOf(session)).find(({ id }) => id === first) as DecisionEntry;
      await session.undo(String(first));
      return follow(wanted, [...named, entry.decision.type]);
    };
    return { session, work, decisions, follow };
  }

  it("names what hides it, however much was decided since that hides nothing", async () => {
    const { session, work, decisions, follow } = await workedSession();
    await work(6);
    await session.clear({ targetTokens: 0 });
    await session.snip();
    await work(20);
    const [clear] = await decisions("clear");
    expect(await follow(clear?.id ?? "")).toEqual(["snip"]);
    expect((await decisions("offload")).length).toBeGreaterThan(16);
    await session.close();
  });

  it("names no undo that was made: whoever goes on from there comes to the one that was asked for", async () => {
    const { session, work, decisions, follow } = await workedSession();
    await work(1, 70_000);
    await work(6);
    await session.clear({ targetTokens: 0 });
    await session.snip();
    await work(3);
    await session.compact();
    await session.undo();
    const [stored] = await decisions("offload");
    expect(await follow(stored?.id ?? "")).toEqual(["snip", "clear"]);
    await session.close();
  });
});
