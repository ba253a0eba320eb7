import { expect, test } from "vitest";
import { createVirtualClock } from "./virtual-clock.ts";

test("time stands still until it is moved", async () => {
  const clock = createVirtualClock({ startMs: 5_000 });
  await Promise.resolve();
  expect([clock.now(), clock.monotonic()]).toEqual([5_000, 0]);
  await clock.advance(250);
  expect([clock.now(), clock.monotonic()]).toEqual([5_250, 250]);
});

test("sleeps end in the order they fall due, each at its own time", async () => {
  const clock = createVirtualClock({ startMs: 0 });
  const woken: string[] = [];
  for (const [name, ms] of [
    ["c", 30],
    ["a", 10],
    ["b", 20],
    ["also a", 10],
    ["late", 31],
  ] as const) {
    void clock.sleep(ms).then(() => woken.push(`${name} at ${clock.now()}`));
  }
  await clock.advance(30);
  expect(woken).toEqual(["a at 10", "also a at 10", "b at 20", "c at 30"]);
  expect(clock.sleeping).toBe(1);
});

test("a heartbeat that waits for other work between its sleeps beats once per interval", async () => {
  const clock = createVirtualClock({ startMs: 0 });
  const beats: number[] = [];
  void (async () => {
    for (;;) {
      for (let turn = 0; turn < 50; turn++) await Promise.resolve();
      await clock.sleep(10_000);
      beats.push(clock.now());
    }
  })();
  await clock.advance(35_000);
  await clock.advance(5_000);
  expect(beats).toEqual([10_000, 20_000, 30_000, 40_000]);
});

test("what a sleep wakes has run to its next sleep when advance resolves", async () => {
  const clock = createVirtualClock();
  let done = false;
  void clock.sleep(10).then(async () => {
    for (let turn = 0; turn < 50; turn++) await Promise.resolve();
    done = true;
  });
  await clock.advance(10);
  expect(done).toBe(true);
});

test("overlapping advances run one after the other", async () => {
  const clock = createVirtualClock({ startMs: 0 });
  const woken: number[] = [];
  void clock.sleep(5).then(() => woken.push(clock.now()));
  void clock.sleep(15).then(() => woken.push(clock.now()));
  await Promise.all([clock.advance(10), clock.advance(10)]);
  expect([woken, clock.now()]).toEqual([[5, 15], 20]);
});

test("a jump moves the wall clock alone, forwards and backwards, and wakes nobody", async () => {
  const clock = createVirtualClock({ startMs: 1_000_000 });
  void clock.sleep(100);
  clock.jump(3_600_000);
  expect([clock.now(), clock.monotonic(), clock.sleeping]).toEqual([4_600_000, 0, 1]);
  clock.jump(-4_000_000);
  await clock.advance(99);
  expect([clock.now(), clock.monotonic(), clock.sleeping]).toEqual([600_099, 99, 1]);
});

test("an abort ends a sleep at once and never rejects", async () => {
  const clock = createVirtualClock();
  const controller = new AbortController();
  const asleep = clock.sleep(1_000, controller.signal);
  controller.abort();
  await asleep;
  await clock.sleep(1_000, controller.signal);
  expect([clock.sleeping, clock.monotonic()]).toEqual([0, 0]);
});

test("a sleep of no time ends without the clock moving", async () => {
  const clock = createVirtualClock();
  await clock.sleep(0);
  await clock.sleep(-5);
  expect(clock.monotonic()).toBe(0);
});

test("time cannot be advanced backwards", () => {
  expect(() => createVirtualClock().advance(-1)).toThrow("Time cannot advance by -1 ms.");
});
