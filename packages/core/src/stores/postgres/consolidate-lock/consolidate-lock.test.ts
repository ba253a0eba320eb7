import { expect, it } from "vitest";
import { losingAnswerOnce, losingAnswers } from "../../../../../../test/support/postgres/lose-answers.ts";
import {
  describeOnPostgres,
  openBeside,
  openTestDatabase,
} from "../../../../../../test/support/postgres/use-postgres.ts";
import { consolidateLockConformance } from "../../../../../testing/src/conformance/consolidate-lock.ts";
import { must, refused } from "../../../../../testing/src/conformance/outcomes.ts";
import { createVirtualClock, createVirtualIds } from "../../../../../testing/src/virtual-clock.ts";
import {
  createVirtualProcesses,
  type VirtualProcesses,
} from "../../../../../testing/src/virtual-processes.ts";
import { consolidationPatienceMs } from "../../shared/consolidate-lock.ts";
import type { Database } from "../database.ts";
import { createPostgresConsolidateLock } from "./consolidate-lock.ts";

const startMs = Date.UTC(2026, 0, 5, 12);

describeOnPostgres("consolidate lock on Postgres", async () => {
  const database = await openTestDatabase();
  const beside = await openBeside(database);
  let opened = 0;

  /** Processes of one world over one project and clock. */
  function createWorld() {
    opened += 1;
    const project = `project-${opened}`;
    const clock = createVirtualClock({ startMs });
    const dying = createVirtualProcesses();
    const lockOf = (processes: VirtualProcesses, over: Database = database) => {
      opened += 1;
      const ids = createVirtualIds(`p${opened}-`);
      return createPostgresConsolidateLock({ database: over, project, clock, processes, ids });
    };
    /** As if the holder had it for so much longer. */
    const age = (ms: number) =>
      database.query(
        `update ${database.schema}.consolidate_lock set since = since - $2 * interval '1 millisecond' where project = $1`,
        [project, ms],
      );
    return { clock, dying, lockOf, age };
  }

  const create = async () => {
    const { clock, dying, lockOf } = createWorld();
    return {
      first: lockOf(dying),
      second: lockOf(dying.spawn(), beside),
      endFirst: () => dying.exit(),
      now: () => clock.now(),
      pass: (ms: number) => clock.jump(ms),
    };
  };
  for (const { name, run } of consolidateLockConformance(create)) it(name, run);

  it("leaves a holder on another machine alone until the server has seen it for too long", async () => {
    const { clock, dying, lockOf, age } = createWorld();
    const far = lockOf(dying.spawn({ host: "host-2" }));
    const held = must(await far.acquire());
    clock.jump(2 * consolidationPatienceMs);
    const refusal = await lockOf(dying).acquire();
    expect(refused(refusal)).toBe("held");
    if (!refusal.ok) expect(refusal.error.fix).toContain("the lock is free 60 min from now");
    must(await age(consolidationPatienceMs + 1000));
    must(await lockOf(dying).acquire());
    expect(refused(await held.complete())).toBe("fenced");
  });

  it("keeps projects apart", async () => {
    const [one, other] = [createWorld(), createWorld()];
    must(await must(await one.lockOf(one.dying).acquire()).complete());
    expect(must(await other.lockOf(other.dying).lastConsolidatedMs())).toBe(null);
    must(await one.lockOf(one.dying).acquire());
    must(await other.lockOf(other.dying).acquire());
  });

  it("takes, completes, abandons and restores once though every answer is lost", async () => {
    const { clock, dying, lockOf } = createWorld();
    const losing = losingAnswers(database);
    const lock = lockOf(dying, losing);
    const held = must(await lock.acquire());
    must(await held.complete());
    clock.jump(1000);
    const again = must(await lock.acquire());
    expect(again.previousMs).toBe(startMs);
    must(await again.abandon());
    expect(must(await lock.lastConsolidatedMs())).toBe(startMs);
    const dead = dying.spawn();
    must(await lockOf(dead).acquire());
    dead.exit();
    expect(must(await lock.restore())).toBe("restored");
    expect(losing.lost()).toBeGreaterThan(6);
  });

  it("knows that it has completed though another has held the lock before its answer came", async () => {
    const { clock, dying, lockOf } = createWorld();
    const other = lockOf(dying.spawn());
    let isLosing = false;
    const between = async () => {
      clock.jump(1000);
      must(await must(await other.acquire()).complete());
    };
    const lossy = losingAnswerOnce(database, between);
    const query: Database["query"] = (text, values, options) =>
      (isLosing ? lossy : database).query(text, values, options);
    const held = must(await lockOf(dying, { ...database, query }).acquire());
    isLosing = true;
    must(await held.complete());
    expect(must(await other.lastConsolidatedMs())).toBe(startMs + 1000);
  });
});
