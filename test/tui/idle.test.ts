import { afterEach, describe, expect, it, vi } from "vitest";
import { say } from "../../packages/testing/src/index.ts";
import { createVirtualClock } from "../../packages/testing/src/virtual-clock.ts";
import { openChat } from "./open-chat.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Timers that have neither fired nor been cleared, of those that a frame may leave: connections have longer ones. */
function watchTimers(): ReadonlySet<unknown> {
  const waiting = new Set<unknown>();
  const { setTimeout: start, clearTimeout: clear } = globalThis;
  vi.spyOn(globalThis, "setTimeout").mockImplementation(((
    run: (...args: unknown[]) => void,
    ...rest: unknown[]
  ) => {
    const [ms = 0, ...args] = rest as [number?, ...unknown[]];
    const timer = start(() => {
      waiting.delete(timer);
      run(...args);
    }, ms);
    if (ms <= frameMs) waiting.add(timer);
    return timer;
  }) as typeof setTimeout);
  vi.spyOn(globalThis, "clearTimeout").mockImplementation((timer) => {
    waiting.delete(timer);
    clear(timer);
  });
  return waiting;
}

const frameMs = 100;
const { setImmediate } = globalThis;

describe("the terminal agent while nobody does anything", () => {
  it("draws nothing, and has no timer, for 60 seconds", async () => {
    const chatClock = createVirtualClock();
    const waiting = watchTimers();
    const { terminal, say: line } = await openChat({ script: [say("Done.")], chatClock });
    await line("go", /Done\./);
    // The last frame may still wait for its turn.
    while (waiting.size > 0) await new Promise((resolve) => setImmediate(resolve));
    const { writes } = terminal;
    expect(chatClock.sleeping).toBe(0);
    vi.useFakeTimers({ toFake: ["setTimeout", "setInterval", "setImmediate"] });
    await vi.advanceTimersByTimeAsync(60_000);
    await chatClock.advance(60_000);
    expect(vi.getTimerCount()).toBe(0);
    expect(terminal.writes).toBe(writes);
  });
});
