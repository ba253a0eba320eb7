import { type Clock, type Ids, PalimpsestError } from "@palimpsest/core/spec";

/** 2026-01-01T00:00:00Z, so that times in tests are easy to recognise. */
const defaultStartMs = 1_767_225_600_000;

/** A clock that stands still until a test moves it. */
export interface VirtualClock extends Clock {
  /**
   * Lets time pass. Sleeps fire in the order they fall due, equal ones in the order they began; between two of them
   * everything runs that needs no further time, so a sleep begun by what a sleep woke counts too.
   * Overlapping calls run one after the other.
   */
  advance(ms: number): Promise<void>;
  /** Steps `now()` and nothing else, forwards or backwards, as a time server does. */
  jump(ms: number): void;
  /** How many sleeps have not ended yet. */
  readonly sleeping: number;
}

interface Sleeper {
  readonly dueMs: number;
  wake(): void;
}

const { setImmediate } = globalThis;

/** Every promise continuation that waits for nothing outside the process has run when this resolves. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

export function createVirtualClock(options: { readonly startMs?: number } = {}): VirtualClock {
  let monotonicMs = 0;
  let wallOffsetMs = options.startMs ?? defaultStartMs;
  let moving: Promise<void> = Promise.resolve();
  const sleepers = new Set<Sleeper>();

  function earliest(untilMs: number): Sleeper | undefined {
    let found: Sleeper | undefined;
    for (const sleeper of sleepers) {
      if (sleeper.dueMs <= untilMs && (found === undefined || sleeper.dueMs < found.dueMs)) found = sleeper;
    }
    return found;
  }

  async function move(ms: number): Promise<void> {
    await settle();
    const untilMs = monotonicMs + ms;
    for (let next = earliest(untilMs); next !== undefined; next = earliest(untilMs)) {
      monotonicMs = next.dueMs;
      next.wake();
      await settle();
    }
    monotonicMs = untilMs;
  }

  return {
    now: () => monotonicMs + wallOffsetMs,
    monotonic: () => monotonicMs,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (!(ms > 0) || signal?.aborted) return resolve();
        const wake = () => {
          sleepers.delete(sleeper);
          signal?.removeEventListener("abort", wake);
          resolve();
        };
        const sleeper: Sleeper = { dueMs: monotonicMs + ms, wake };
        sleepers.add(sleeper);
        signal?.addEventListener("abort", wake);
      }),
    advance(ms) {
      if (!(ms >= 0)) throw new PalimpsestError("invalid-input", `Time cannot advance by ${ms} ms.`);
      moving = moving.then(() => move(ms));
      return moving;
    },
    jump(ms) {
      wallOffsetMs += ms;
    },
    get sleeping() {
      return sleepers.size;
    },
  };
}

const safePart = /^[A-Za-z0-9-]+$/;

/**
 * Ids that count: `message_000001`, `message_000002`. Processes that share a disk need different labels, else their
 * ids are equal: `createVirtualIds("b")` gives `message_b000001`.
 */
export function createVirtualIds(label = ""): Ids {
  const counts = new Map<string, number>();
  return {
    next(prefix) {
      if (!safePart.test(prefix) || (label !== "" && !safePart.test(label))) {
        throw new PalimpsestError("invalid-input", `“${prefix}” and “${label}” do not make a safe id.`);
      }
      const count = (counts.get(prefix) ?? 0) + 1;
      counts.set(prefix, count);
      return `${prefix}_${label}${String(count).padStart(6, "0")}`;
    },
  };
}
