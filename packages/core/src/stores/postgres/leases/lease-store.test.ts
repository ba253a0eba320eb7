import { expect, it } from "vitest";
import { losingAnswers } from "../../../../../../test/support/postgres/lose-answers.ts";
import { createPostgresSessions } from "../../../../../../test/support/postgres/postgres-sessions.ts";
import {
  describeOnPostgres,
  openBeside,
  openTestDatabase,
} from "../../../../../../test/support/postgres/use-postgres.ts";
import { leaseStoreConformance } from "../../../../../testing/src/conformance/lease-store.ts";
import { must, refused } from "../../../../../testing/src/conformance/outcomes.ts";
import { createVirtualClock } from "../../../../../testing/src/virtual-clock.ts";
import {
  createVirtualProcesses,
  type VirtualProcesses,
} from "../../../../../testing/src/virtual-processes.ts";
import { heartbeatMs, leasePatienceMs } from "../../shared/leases.ts";
import type { Database } from "../database.ts";

/** Processes of one world, each with its own lease store on one project. */
function createWorld(database: Database) {
  const clock = createVirtualClock();
  const first = createVirtualProcesses();
  const { project } = createPostgresSessions({ database });
  const leasesOf = (processes: VirtualProcesses) =>
    createPostgresSessions({ database, project, clock, processes }).leases;
  /** The server's clock cannot be moved, so the heartbeat is. */
  const silence = async (ms: number) =>
    must(
      await database.query(
        `update ${database.schema}.lease set heartbeat_at = clock_timestamp() - $2 * interval '1 ms' where project = $1`,
        [project, ms],
        { isRepeatable: true },
      ),
    );
  return { clock, first, project, leasesOf, silence };
}

describeOnPostgres("Postgres lease store", async () => {
  const database = await openTestDatabase();
  const beside = await openBeside(database);
  const create = async () => {
    const processes = createVirtualProcesses();
    const one = createPostgresSessions({ database, processes });
    const other = { database: beside, project: one.project, processes: processes.spawn() };
    return { first: one.leases, second: createPostgresSessions(other).leases };
  };
  for (const { name, run } of leaseStoreConformance(create)) it(name, run);

  it("takes a lease from a dead process at once, and is not deceived by a reused pid", async () => {
    const { first, leasesOf } = createWorld(database);
    const former = must(await leasesOf(first).acquire("a"));
    const second = first.spawn();
    first.exit();
    first.spawn({ pid: first.identity.pid });
    const lease = must(await leasesOf(second).acquire("a"));
    expect([lease.epoch > former.epoch, lease.takenOver]).toEqual([true, false]);
  });

  it("leaves a paused live holder its lease, however long it sleeps", async () => {
    const { first, leasesOf, silence } = createWorld(database);
    must(await leasesOf(first).acquire("a"));
    await silence(365 * 24 * 3600 * 1000);
    expect(refused(await leasesOf(first.spawn()).acquire("a", { takeOver: true }))).toBe("held");
  });

  it("takes a lease from before a reboot", async () => {
    const { first, leasesOf } = createWorld(database);
    must(await leasesOf(first).acquire("a"));
    first.reboot();
    must(await leasesOf(first.spawn()).acquire("a"));
  });

  it("needs an old heartbeat and takeOver where the holder is on another machine", async () => {
    const { first, leasesOf, silence } = createWorld(database);
    const former = must(await leasesOf(first).acquire("a"));
    const second = leasesOf(first.spawn({ host: "host-2" }));
    await silence(leasePatienceMs / 2);
    expect(refused(await second.acquire("a", { takeOver: true }))).toBe("held");
    await silence(leasePatienceMs + 1);
    expect(refused(await second.acquire("a"))).toBe("held");
    const lease = must(await second.acquire("a", { takeOver: true }));
    expect([lease.takenOver, lease.epoch > former.epoch]).toEqual([true, true]);
    expect(refused(await former.raise(0))).toBe("fenced");
    expect([former.lost, refused(await former.check()), lease.lost]).toEqual([true, "fenced", false]);
    must(await former.release());
    must(await lease.check());
    expect(must(await second.holder("a"))?.token).toBe(lease.token);
  });

  it("looks again after a pause, and shows that it lives", async () => {
    const { clock, first, project, leasesOf, silence } = createWorld(database);
    const lease = must(await leasesOf(first).acquire("a"));
    await silence(leasePatienceMs * 2);
    await clock.advance(heartbeatMs - 1);
    must(await lease.check());
    const elsewhere = leasesOf(first.spawn({ host: "host-2" }));
    await clock.advance(1);
    must(await lease.check());
    expect(refused(await elsewhere.acquire("a", { takeOver: true }))).toBe("held");
    must(await database.query(`delete from ${database.schema}.lease where project = $1`, [project]));
    await clock.advance(heartbeatMs);
    expect([refused(await lease.check()), lease.lost]).toEqual(["fenced", true]);
  });

  it("says in the error who has it and what to do", async () => {
    const { first, leasesOf, silence } = createWorld(database);
    must(await leasesOf(first).acquire("a"));
    await silence(leasePatienceMs + 5_000);
    expect(await leasesOf(first.spawn({ host: "host-2" })).acquire("a")).toMatchObject({
      ok: false,
      error: {
        message: "Session a is open in process 1000 on host-1, last heard of 65 s ago.",
        fix: "If that process is gone, open again with --take-over; else open read-only, or fork.",
      },
    });
  });

  it("treats a holder that cannot be read as gone", async () => {
    const { first, project, leasesOf } = createWorld(database);
    const former = must(await leasesOf(first).acquire("a"));
    must(
      await database.query(`update ${database.schema}.lease set holder = '\\x00' where project = $1`, [
        project,
      ]),
    );
    expect(must(await leasesOf(first).acquire("a")).epoch).toBeGreaterThan(former.epoch);
  });

  it("forgets what is free, and leaves what somebody has", async () => {
    const { first, leasesOf } = createWorld(database);
    const leases = leasesOf(first);
    const lease = must(await leases.acquire("a"));
    must(await leases.forget("a"));
    must(await lease.check());
    must(await lease.release());
    must(await leases.forget("a"));
    expect(must(await leases.acquire("a")).epoch).toBe(1);
  });
});

describeOnPostgres("Postgres lease store, every answer lost once", async () => {
  const database = losingAnswers(await openTestDatabase());
  const create = async () => {
    const processes = createVirtualProcesses();
    const one = createPostgresSessions({ database, processes });
    const other = { database, project: one.project, processes: processes.spawn() };
    return { first: one.leases, second: createPostgresSessions(other).leases };
  };
  for (const { name, run } of leaseStoreConformance(create)) it(name, run);

  it("counts one epoch for one acquiring, raising or taking over", async () => {
    const { first, leasesOf, silence } = createWorld(database);
    const lease = must(await leasesOf(first).acquire("a"));
    must(await lease.raise(5));
    expect(lease.epoch).toBe(6);
    await silence(leasePatienceMs + 1);
    const next = must(await leasesOf(first.spawn({ host: "host-2" })).acquire("a", { takeOver: true }));
    expect([next.epoch, next.takenOver]).toEqual([7, true]);
    must(await next.release());
    expect(must(await leasesOf(first).acquire("a")).epoch).toBe(8);
  });
});
