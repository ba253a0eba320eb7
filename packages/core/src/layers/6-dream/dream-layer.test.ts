import { describe, expect, it } from "vitest";
import { modelAt, openAgent } from "../../../../../test/support/agent.ts";
import { plainMask, scribe, textsOf, topic } from "../../../../../test/support/dream-world.ts";
import { emulate } from "../../../../../test/support/emulator.ts";
import { createVirtualStore, logPath } from "../../../../../test/support/virtual-store.ts";
import { must } from "../../../../testing/src/conformance/outcomes.ts";
import { createVirtualClock, createVirtualIds } from "../../../../testing/src/virtual-clock.ts";
import { createVirtualDisk } from "../../../../testing/src/virtual-disk.ts";
import { createVirtualProcesses } from "../../../../testing/src/virtual-processes.ts";
import { writeDailyLog } from "../../session/dream/dream-record.ts";
import { openDreams } from "../../session/dream/open-dreams.ts";
import type { ConsolidateLock, Event, Settings } from "../../spec/index.ts";
import { createDreamLayer } from "./index.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** An agent with layer 6 over a folder that was put in order when the clock began. */
async function createWorld(settings: Settings = {}) {
  const clock = createVirtualClock();
  const disk = createVirtualDisk({ clock });
  const processes = createVirtualProcesses();
  const store = createVirtualStore({ disk, clock, processes });
  const memory = store.tree("memory");
  for (const path of ["a.md", "b.md", "c.md", "d.md"])
    must(
      await memory.write(path, topic(path < "c" ? "Port 8123 is the one." : `All of ${path}.`), {
        author: "agent",
      }),
    );
  const lock = store.consolidateLock as ConsolidateLock;
  must(await must(await lock.acquire()).complete());
  const counted = disk.attach();
  const own = createVirtualStore({ disk: counted, clock, processes: processes.spawn() });
  const dreams = openDreams({
    store: own,
    clock,
    ids: createVirtualIds(),
    session: "one",
    mask: plainMask,
    settings,
  });
  const events: Event[] = [];
  const layer = createDreamLayer({
    hasMemory: true,
    dream: (emit, signal) => dreams?.once(scribe, { emit, signal }) as never,
    logTurn: (text) =>
      writeDailyLog(memory, { at: new Date(clock.now()).toISOString(), text, session: "one" }),
  });
  const { emulator } = await emulate();
  const session = await openAgent({
    store,
    clock,
    layers: [layer],
    settings,
    model: modelAt(emulator),
    onEvent: (event) => void events.push(event),
  });
  const ended = (count: number) =>
    expect.poll(() => events.filter(({ type }) => type === "task-end").length, { interval: 1 }).toBe(count);
  const dreamt = () => events.flatMap((event) => (event.type === "dream-end" ? [event.outcome] : []));
  let tasks = 1;
  /** The session is idle: whether somebody has dreamt by now. */
  async function idle() {
    await session.idle();
    tasks += 1;
    await ended(tasks);
    return dreamt().length;
  }
  const touch = (...sessions: readonly string[]) => {
    for (const name of sessions) disk.writeWhole(logPath(name), "{}\n");
  };
  return { clock, counted, memory, session, events, ended, idle, touch, dreamt };
}

const five = ["a", "b", "c", "d", "e"];

describe("layer 6", () => {
  it("costs one stat in the usual case, when a session begins and when it is idle", async () => {
    const { clock, counted, ended, idle, touch } = await createWorld();
    await ended(1);
    expect(counted.operations.map(({ name }) => name)).toEqual(["stat"]);
    touch(...five);
    clock.jump(23 * hourMs + 59 * minuteMs);
    expect(await idle()).toBe(0);
    expect(counted.operations.map(({ name }) => name)).toEqual(["stat", "stat"]);
  });

  it("dreams after 24 hours and 5 sessions, not before", async () => {
    const { clock, ended, idle, touch, memory } = await createWorld();
    await ended(1);
    clock.jump(hourMs);
    touch(...five.slice(0, 4), "dream_1", "one", "one.agents/f");
    clock.jump(23 * hourMs - 1);
    expect(await idle()).toBe(0);
    clock.jump(1);
    expect(await idle()).toBe(0);
    touch("e");
    await clock.advance(9 * minuteMs + 59_999);
    expect(await idle()).toBe(0);
    await clock.advance(1);
    expect(await idle()).toBe(1);
    expect(Object.keys(await textsOf(memory))).toEqual(["MEMORY.md", "a.md", "c.md", "d.md"]);
    expect(await idle()).toBe(1);
  });

  it("stays quiet where it is switched off", async () => {
    for (const settings of [{ flags: { dream: false } }, { dream: { enabled: false } }]) {
      const { clock, counted, session, events, touch } = await createWorld(settings);
      touch(...five);
      clock.jump(48 * hourMs);
      await session.idle();
      expect(events.filter(({ type }) => type === "task-start")).toEqual([]);
      expect(counted.operations).toEqual([]);
    }
  });

  it("begins no dream in a session that ends with its answer, and keeps its daily log", () => {
    const layer = createDreamLayer({
      hasMemory: true,
      isLongLived: false,
      dream: undefined as never,
      logTurn: undefined as never,
    });
    const view = { head: 1, ledgers: { userMessages: [{ text: "Where?" }] } } as never;
    const facts = { source: "main", settings: { dream: { dailyLogs: true } } } as never;
    const quiet = { verdict: "skip", reason: "the session ends with its answer" };
    expect(layer.decide(view, { kind: "session-start" } as never, facts)).toEqual(quiet);
    expect(layer.decide(view, { kind: "idle" }, facts)).toEqual(quiet);
    expect(layer.decide(view, { kind: "turn-end" } as never, facts)).toMatchObject({
      verdict: "act",
      command: { kind: "log", text: "Where?" },
    });
  });

  it("stays quiet in a fork and without memory", async () => {
    const layer = createDreamLayer({
      hasMemory: false,
      dream: undefined as never,
      logTurn: undefined as never,
    });
    const view = { head: 1 } as never;
    expect(layer.decide(view, { kind: "idle" }, { source: "main", settings: {} } as never)).toEqual({
      verdict: "skip",
      reason: "there is no memory folder",
    });
    expect(layer.decide(view, { kind: "idle" }, { source: "agent", settings: {} } as never)).toEqual({
      verdict: "skip",
      reason: "a fork does not dream",
    });
  });

  it("keeps a line of every turn where daily logs are wanted", async () => {
    const { session, ended, memory } = await createWorld({ dream: { dailyLogs: true } });
    for await (const _ of session.run("Where is\nthe port?"));
    await ended(2);
    expect((await textsOf(memory))["logs/2026/01/2026-01-01.md"]).toBe(
      "# 2026-01-01\n\n- 00:00 [one] Where is the port?\n",
    );
  });
});
