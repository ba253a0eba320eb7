import { describe, expect, it } from "vitest";
import { createVirtualStore } from "../../../../../../test/support/virtual-store.ts";
import { leaseStoreConformance } from "../../../../../testing/src/conformance/lease-store.ts";
import { must, refused } from "../../../../../testing/src/conformance/outcomes.ts";
import { createVirtualClock } from "../../../../../testing/src/virtual-clock.ts";
import { createVirtualDisk } from "../../../../../testing/src/virtual-disk.ts";
import { createVirtualProcesses } from "../../../../../testing/src/virtual-processes.ts";
import { heartbeatMs, leasePatienceMs } from "../../shared/leases.ts";

/** Processes of one world, each with its own lease store over one disk and clock. */
function createWorld() {
  const disk = createVirtualDisk();
  const clock = createVirtualClock();
  const first = createVirtualProcesses();
  const leasesOf = (processes: typeof first) => createVirtualStore({ disk, clock, processes }).leases;
  return { disk, clock, first, leasesOf };
}

describe("file lease store", () => {
  const create = async () => {
    const { first, leasesOf } = createWorld();
    return { first: leasesOf(first), second: leasesOf(first.spawn()) };
  };
  for (const { name, run } of leaseStoreConformance(create)) it(name, run);

  it("takes a lease from a dead process at once", async () => {
    const { first, leasesOf } = createWorld();
    const former = must(await leasesOf(first).acquire("a"));
    const second = first.spawn();
    first.exit();
    const lease = must(await leasesOf(second).acquire("a"));
    expect([lease.epoch > former.epoch, lease.takenOver]).toEqual([true, false]);
  });

  it("is not deceived by a reused pid", async () => {
    const { first, leasesOf } = createWorld();
    must(await leasesOf(first).acquire("a"));
    const second = first.spawn();
    first.exit();
    first.spawn({ pid: first.identity.pid });
    must(await leasesOf(second).acquire("a"));
  });

  it("leaves a paused live holder its lease, however long it sleeps", async () => {
    const { first, leasesOf, clock } = createWorld();
    must(await leasesOf(first).acquire("a"));
    clock.jump(365 * 24 * 3600 * 1000);
    expect(refused(await leasesOf(first.spawn()).acquire("a", { takeOver: true }))).toBe("held");
  });

  it("takes a lease from before a reboot", async () => {
    const { first, leasesOf } = createWorld();
    must(await leasesOf(first).acquire("a"));
    first.reboot();
    must(await leasesOf(first.spawn()).acquire("a"));
  });

  it.each([
    ["another host", { host: "host-2" }],
    ["another pid namespace", { pidNamespace: "namespace-2" }],
  ])("needs an old heartbeat and takeOver where the holder is in %s", async (_name, elsewhere) => {
    const { first, leasesOf, clock } = createWorld();
    const former = must(await leasesOf(first).acquire("a"));
    const second = leasesOf(first.spawn(elsewhere));
    clock.jump(leasePatienceMs);
    expect(refused(await second.acquire("a", { takeOver: true }))).toBe("held");
    clock.jump(1);
    expect(refused(await second.acquire("a"))).toBe("held");
    const lease = must(await second.acquire("a", { takeOver: true }));
    expect(lease.takenOver).toBe(true);
    await clock.advance(heartbeatMs);
    expect([former.lost, refused(await former.check()), lease.lost]).toEqual([true, "fenced", false]);
  });

  it("shows that it lives by its heartbeat", async () => {
    const { first, leasesOf, clock } = createWorld();
    const leases = leasesOf(first);
    must(await leases.acquire("a"));
    await clock.advance(10 * leasePatienceMs);
    const holder = must(await leases.holder("a"));
    expect(clock.now() - (holder?.heartbeatMs ?? 0)).toBeLessThan(heartbeatMs);
    const elsewhere = leasesOf(first.spawn({ host: "host-2" }));
    expect(refused(await elsewhere.acquire("a", { takeOver: true }))).toBe("held");
  });

  it("says in the error who has it and what to do", async () => {
    const { first, leasesOf, clock } = createWorld();
    must(await leasesOf(first).acquire("a"));
    clock.jump(5000);
    const result = await leasesOf(first.spawn({ host: "host-2" })).acquire("a");
    expect(result).toMatchObject({
      ok: false,
      error: {
        message: "Session a is open in process 1000 on host-1, last heard of 5 s ago.",
        fix: "Open read-only, or fork; if that process is gone, --take-over works 55 s from now.",
      },
    });
  });

  it("checks the folder again after a pause before it lets anything be written", async () => {
    const { disk, first, leasesOf, clock } = createWorld();
    const lease = must(await leasesOf(first).acquire("a"));
    const operations = disk.operations.length;
    must(await lease.check());
    expect(disk.operations.length).toBe(operations);
    const second = leasesOf(first.spawn({ host: "host-2" }));
    clock.jump(leasePatienceMs + 1);
    must(await second.acquire("a", { takeOver: true }));
    must(await lease.check());
    await clock.advance(heartbeatMs);
    expect(refused(await lease.check())).toBe("fenced");
  });

  it("treats a record destroyed by power loss as free and keeps counting", async () => {
    const { disk, first, leasesOf } = createWorld();
    const former = must(await leasesOf(first).acquire("a"));
    const record = [...disk.snapshot().keys()].find((path) => path.endsWith(".json")) ?? "";
    disk.writeWhole(record, new Uint8Array(20));
    const lease = must(await leasesOf(first.spawn()).acquire("a"));
    expect(lease.epoch).toBeGreaterThan(former.epoch);
  });

  it("leaves one small file behind when it is released", async () => {
    const { disk, first, leasesOf } = createWorld();
    for (let round = 0; round < 5; round += 1) must(await must(await leasesOf(first).acquire("a")).release());
    expect([...disk.snapshot().keys()].filter((path) => path.includes(".lease/"))).toHaveLength(1);
  });
});
