import { expect, test } from "vitest";
import { createVirtualProcesses } from "./virtual-processes.ts";

test("a process knows itself and sees those of its own namespace", async () => {
  const first = createVirtualProcesses({ pid: 10 });
  const second = first.spawn();
  expect(await first.self()).toEqual({
    pid: 10,
    startTime: "start-1",
    bootId: "boot-1",
    host: "host-1",
    pidNamespace: "namespace-1",
  });
  expect(await second.self()).toEqual({ ...first.identity, pid: second.identity.pid, startTime: "start-2" });
  expect(await first.look(second.identity.pid)).toEqual({ state: "alive", startTime: "start-2" });
  expect(await second.look(10)).toEqual({ state: "alive", startTime: "start-1" });
});

test("a process that ended is gone, and its pid comes back with another start time", async () => {
  const first = createVirtualProcesses();
  const second = first.spawn({ pid: 77 });
  second.exit();
  expect(await first.look(77)).toEqual({ state: "gone" });
  first.spawn({ pid: 77 });
  expect(await first.look(77)).toEqual({ state: "alive", startTime: "start-3" });
  second.exit();
  expect(await first.look(77)).toEqual({ state: "alive", startTime: "start-3" });
});

test("a pid in use cannot be taken", () => {
  const first = createVirtualProcesses({ pid: 5 });
  expect(() => first.spawn({ pid: 5 })).toThrow("Process 5 is alive on host-1");
});

test("the same pid in another namespace or on another host is another process", async () => {
  const first = createVirtualProcesses({ pid: 5 });
  const contained = first.spawn({ pid: 5, pidNamespace: "container" });
  const remote = first.spawn({ pid: 5, host: "host-2" });
  contained.exit();
  expect(await first.look(5)).toEqual({ state: "alive", startTime: "start-1" });
  expect(await contained.look(5)).toEqual({ state: "gone" });
  expect([contained.identity.bootId, remote.identity.bootId]).toEqual(["boot-1", "boot-2"]);
});

test("a reboot ends every process of the host and changes its boot id", async () => {
  const first = createVirtualProcesses({ pid: 5 });
  const remote = first.spawn({ pid: 6, host: "host-2" });
  first.reboot();
  const next = first.spawn({ pid: 5 });
  expect(next.identity).toEqual({ ...first.identity, startTime: "start-3", bootId: "boot-3" });
  expect(await next.look(5)).toEqual({ state: "alive", startTime: "start-3" });
  expect(await remote.look(6)).toEqual({ state: "alive", startTime: "start-2" });
});

test("other pids can be planted as alive, gone and not to be told", async () => {
  const processes = createVirtualProcesses();
  processes.setAlive(1, "long ago");
  processes.setAlive(2, "yesterday");
  processes.setGone(2);
  processes.setUnknown(3);
  expect(await Promise.all([1, 2, 3, 4].map((pid) => processes.look(pid)))).toEqual([
    { state: "alive", startTime: "long ago" },
    { state: "gone" },
    { state: "unknown" },
    { state: "gone" },
  ]);
});
