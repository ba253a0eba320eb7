import { describe, expect, it } from "vitest";
import type { ForkKind, HookFunctions, SessionEndReason } from "../../packages/core/src/spec/index.ts";
import { say } from "../../packages/testing/src/index.ts";
import { collect, modelAt, openAgent } from "../support/agent.ts";
import { emulate } from "../support/emulator.ts";
import { createVirtualStore } from "../support/virtual-store.ts";

type Options = Parameters<typeof openAgent>[0];

/** Opens sessions of one project, whose hooks write down what they are told of beginnings and ends. */
async function listen() {
  const { emulator } = await emulate({ script: () => say("Heard.") });
  const told: string[] = [];
  const hooks: HookFunctions = {
    SessionStart: [({ source, session }) => void told.push(`${session} starts: ${source}`)],
    SessionEnd: [({ reason, session }) => void told.push(`${session} ends: ${reason}`)],
    SubagentStart: [({ directive }) => void told.push(`agent starts: ${directive}`)],
    SubagentStop: [({ text }) => void told.push(`agent stops: ${text}`)],
    Stop: [({ text }) => void told.push(`stops: ${text}`)],
  };
  const store = createVirtualStore();
  const open = (options: Partial<Options>) =>
    openAgent({ model: modelAt(emulator), store, hooks, ...options } as Options);
  return { told, open };
}

describe("the beginning of a session", () => {
  it.each([
    ["startup", { id: "new" }],
    ["clear", { id: "new", startSource: "clear" }],
  ] as const)("is told as %s", async (source, options) => {
    const { told, open } = await listen();
    const session = await open(options);
    await collect(session.run("Hello."));
    await session.close();
    expect(told).toEqual([`new starts: ${source}`, "stops: Heard.", "new ends: closed"]);
  });

  it("is told as resume where it has turns, and as fork where a fork is opened by itself", async () => {
    const { told, open } = await listen();
    const first = await open({ id: "one" });
    await collect(first.run("Hello."));
    const { id: fork } = await first.fork("Look around.", { kind: "agent" });
    await first.close();
    told.length = 0;
    for (const id of ["one", fork]) {
      const session = await open({ id, resume: true });
      await collect(session.run("Go on."));
      await session.close();
    }
    expect(told.filter((line) => line.includes("starts"))).toEqual([
      "one starts: resume",
      `${fork} starts: fork`,
    ]);
  });
});

describe("the end of a session", () => {
  it.each<SessionEndReason>(["closed", "clear", "resume", "done", "quit", "interrupted"])(
    "is told with its reason: %s",
    async (reason) => {
      const { told, open } = await listen();
      const session = await open({ id: "one" });
      await collect(session.run("Hello."));
      await session.close({ reason });
      expect(told.at(-1)).toBe(`one ends: ${reason}`);
    },
  );
});

describe("a name that there is not", () => {
  it.each(["bogus", "toString", ""])(
    "(“%s”) is refused with those there are, and the session stays open",
    async (name) => {
      const { told, open } = await listen();
      const refused = (path: string, one: string) => ({
        code: "invalid-input",
        path,
        fix: expect.stringContaining(one),
      });
      await expect(open({ id: "one", startSource: name as never })).rejects.toMatchObject(
        refused("startSource", "startup, resume, clear, compact, fork"),
      );
      const session = await open({ id: "one" });
      await expect(session.close({ reason: name as never })).rejects.toMatchObject(
        refused("reason", "closed, clear, resume, done, quit, interrupted"),
      );
      await expect(session.fork("Look.", { kind: name as never })).rejects.toMatchObject(
        refused("kind", "notes, compaction, memory, collapse, agent"),
      );
      await collect(session.run("Hello."));
      await session.close();
      expect(told.at(-1)).toBe("one ends: closed");
    },
  );
});

describe("a fork", () => {
  it.each<ForkKind>(["notes", "compaction", "memory", "collapse"])(
    "for the session's own upkeep (%s) is no agent: no hook hears of it",
    async (kind) => {
      const { told, open } = await listen();
      const session = await open({ id: "one" });
      await collect(session.run("Hello."));
      told.length = 0;
      const { end } = await session.fork("Bring it up to date.", { kind });
      expect([end.reason, told]).toEqual(["done", []]);
      await session.close();
    },
  );

  it("that works is an agent: hooks hear of its beginning and its end", async () => {
    const { told, open } = await listen();
    const session = await open({ id: "one" });
    await collect(session.run("Hello."));
    told.length = 0;
    await session.fork("Look around.", { kind: "agent" });
    expect(told).toEqual(["agent starts: Look around.", "agent stops: Heard."]);
    await session.close();
  });
});
