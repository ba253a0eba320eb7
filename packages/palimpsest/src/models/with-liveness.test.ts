import { describe, expect, it } from "vitest";
import { createVirtualClock } from "../../../testing/src/virtual-clock.ts";
import { withLiveness } from "./with-liveness.ts";

const idleMs = 1_000;

/** A source that gives what a test pushes, when it pushes it. */
function createSource() {
  const values: number[] = [];
  let wake: (() => void) | undefined;
  let state: "open" | "ended" | "failed" = "open";
  let isReturned = false;
  const change = (action: () => void) => {
    action();
    wake?.();
  };
  async function* source(): AsyncGenerator<number> {
    try {
      for (;;) {
        const value = values.shift();
        if (value !== undefined) yield value;
        else if (state === "ended") return;
        else if (state === "failed") throw new RangeError("broken");
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    } finally {
      isReturned = true;
    }
  }
  return {
    source: source(),
    push: (value: number) => change(() => values.push(value)),
    end: () =>
      change(() => {
        state = "ended";
      }),
    fail: () =>
      change(() => {
        state = "failed";
      }),
    get isReturned() {
      return isReturned;
    },
  };
}

function watch() {
  const clock = createVirtualClock();
  const given = createSource();
  let stalls = 0;
  const live = withLiveness(given.source, {
    clock,
    idleMs,
    onStall: () => {
      stalls += 1;
    },
  })[Symbol.asyncIterator]();
  return { clock, given, live, stalls: () => stalls };
}

describe("withLiveness", () => {
  it("gives what comes, however long all of it takes", async () => {
    const { clock, given, live, stalls } = watch();
    for (let value = 0; value < 100; value += 1) {
      const next = live.next();
      await clock.advance(idleMs - 1);
      given.push(value);
      expect(await next).toEqual({ done: false, value: { ok: true, value } });
    }
    const last = live.next();
    given.end();
    expect(await last).toEqual({ done: true, value: undefined });
    expect([stalls(), clock.sleeping]).toEqual([0, 0]);
  });

  it("fails with stalled when nothing comes, ends the work behind it and gives nothing more", async () => {
    const { clock, given, live, stalls } = watch();
    given.push(1);
    await live.next();
    const next = live.next();
    await clock.advance(idleMs);
    expect(await next).toMatchObject({
      value: { ok: false, error: { code: "stalled", retryable: true, facts: { idleMs } } },
    });
    given.push(2);
    expect(await live.next()).toEqual({ done: true, value: undefined });
    expect([stalls(), clock.sleeping]).toEqual([1, 0]);
  });

  it("does not count the time in which nobody asks", async () => {
    const { clock, given, live } = watch();
    given.push(1);
    given.push(2);
    await live.next();
    await clock.advance(10 * idleMs);
    expect(await live.next()).toEqual({ done: false, value: { ok: true, value: 2 } });
    expect(clock.sleeping).toBe(0);
  });

  it("throws what the source throws", async () => {
    const { clock, given, live } = watch();
    const next = live.next();
    given.fail();
    await expect(next).rejects.toThrow(new RangeError("broken"));
    expect(await live.next()).toEqual({ done: true, value: undefined });
    expect(clock.sleeping).toBe(0);
  });

  it("swallows what a stalled source throws when it is ended", async () => {
    const { clock, given, live } = watch();
    const next = live.next();
    await clock.advance(idleMs);
    expect(await next).toMatchObject({ value: { ok: false } });
    given.fail();
    await clock.advance(idleMs);
    expect(await live.next()).toEqual({ done: true, value: undefined });
  });

  it("ends the source when its reader leaves", async () => {
    const { clock, given } = watch();
    given.push(1);
    for await (const value of withLiveness(given.source, { clock, idleMs, onStall: () => undefined })) {
      expect(value).toEqual({ ok: true, value: 1 });
      break;
    }
    expect(given.isReturned).toBe(true);
    expect(clock.sleeping).toBe(0);
  });
});
