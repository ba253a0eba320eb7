import { describe, expect, it } from "vitest";
import { stopWaitMs } from "../../packages/core/src/session/prepare/layer-runner.ts";
import type { Event, Layer } from "../../packages/core/src/spec/index.ts";
import { createVirtualClock } from "../../packages/testing/src/virtual-clock.ts";
import { createVirtualDisk } from "../../packages/testing/src/virtual-disk.ts";
import { actingOnce, watching } from "../support/acting-layer.ts";
import {
  assistant,
  call,
  result,
  texts,
  think,
  usageOf,
  user,
  withoutControl,
} from "../support/session-messages.ts";
import { beginSession, entriesOf, resumeSession } from "../support/virtual-session.ts";
import { createVirtualStore, logPath } from "../support/virtual-store.ts";

describe("the end of a session", () => {
  it("comes also where work in the background does not heed its signal", async () => {
    const clock = createVirtualClock();
    const events: Event[] = [];
    const endless = actingOnce(() => () => new Promise(() => undefined), { run: "background" });
    const store = createVirtualStore();
    const session = await beginSession({
      store,
      clock,
      layers: [endless as Layer],
      onEvent: (event) => events.push(event),
    });
    await session.add(user("Hello."));
    await session.prepare();
    const closing = session.close();
    await clock.advance(stopWaitMs - 1);
    expect(events.at(-1)?.type).not.toBe("session-close");
    await clock.advance(1);
    await closing;
    expect(events.at(-1)?.type).toBe("session-close");
    const again = await resumeSession({ store });
    expect(withoutControl((await again.prepare()).request)).toEqual(texts("Hello."));
    await again.close();
  });

  it("comes once, however often it is asked for", async () => {
    const events: Event[] = [];
    const session = await beginSession({ onEvent: (event) => events.push(event) });
    await Promise.all([session.close(), session.close()]);
    await session.close();
    expect(events.map(({ type }) => type)).toEqual(["session-open", "session-close"]);
  });

  it("leaves what was said to be read and counted, and nothing to be asked for", async () => {
    const session = await beginSession();
    const { id } = await session.add(user("Hello."));
    const usage = session.usage();
    await session.close();
    expect((await entriesOf(session)).map(({ kind }) => kind)).toEqual(["session", "message"]);
    expect(session.usage()).toEqual(usage);
    const closed = { code: "closed", path: "one" };
    await expect(session.recall(id)).rejects.toMatchObject(closed);
    await expect(session.prepare()).rejects.toMatchObject(closed);
    await expect(session.add(user("late"))).rejects.toMatchObject(closed);
  });
});

describe("a listener", () => {
  it("that rejects harms nothing: a rejection nobody handles would fail this test", async () => {
    const session = await beginSession({ onEvent: () => Promise.reject(new Error("the listener's own")) });
    await session.add(user("Hello."));
    expect(withoutControl((await session.prepare()).request)).toEqual(texts("Hello."));
    await session.close();
  });
});

describe("a log that was deleted", () => {
  it("is missed by the next message, and the session can be closed", async () => {
    const disk = createVirtualDisk();
    const session = await beginSession({ store: createVirtualStore({ disk }) });
    await session.add(user("Hello."));
    await disk.remove(logPath("one"));
    await expect(session.add(user("lost"))).rejects.toMatchObject({ code: "not-found" });
    await expect(session.recall("x")).rejects.toMatchObject({ code: "not-found" });
    await session.close();
  });
});

describe("a turn", () => {
  it("is begun and ended by no sub-agent, and not by a part of a response", async () => {
    const moments: string[] = [];
    const kinds = ["turn-start", "turn-end", "after-response", "tool-round"] as const;
    const session = await beginSession({ layers: [watching(kinds, (_, { kind }) => moments.push(kind))] });
    await session.add(user("Hello."));
    await session.add(assistant("Aside.", { isSidechain: true, usage: usageOf(3) }));
    await session.add({ ...user("Aside."), isSidechain: true });
    await session.add(assistant([think("signed")], { id: "msg_1" }));
    expect(moments).toEqual(["turn-start"]);
    const more = { id: "msg_1", stopReason: "tool_use", usage: usageOf(3) };
    await session.add(assistant([call("t1")], more));
    await session.add(user([result("t1")]));
    await session.add(assistant("Done.", { id: "msg_2", stopReason: "end_turn", usage: usageOf(9) }));
    expect(moments).toEqual(["turn-start", "after-response", "tool-round", "after-response", "turn-end"]);
    await session.close();
  });
});
