import { expect, it } from "vitest";
import { losingAnswers } from "../../../../../test/support/postgres/lose-answers.ts";
import { describeOnPostgres, openTestDatabase } from "../../../../../test/support/postgres/use-postgres.ts";
import { must, refused } from "../../../../testing/src/conformance/outcomes.ts";
import { createVirtualClock, createVirtualIds } from "../../../../testing/src/virtual-clock.ts";
import { createVirtualProcesses } from "../../../../testing/src/virtual-processes.ts";
import { heartbeatMs, leasePatienceMs } from "../shared/leases.ts";
import { createPostgresAgentRecords } from "./agent-records.ts";

describeOnPostgres("agent records on Postgres", async () => {
  const database = await openTestDatabase();
  const { schema } = database;
  let worlds = 0;

  function createWorld() {
    worlds += 1;
    const project = `project-${worlds}`;
    const clock = createVirtualClock();
    const world = createVirtualProcesses();
    let opened = 0;
    const open = (processes = world.spawn(), over = database) => {
      opened += 1;
      const ids = createVirtualIds(`w${worlds}-${opened}-`);
      return createPostgresAgentRecords({ database: over, project, clock, ids, processes });
    };
    const pass = async (ms: number) =>
      must(
        await database.query(
          `update ${schema}.agent_record set heartbeat = heartbeat - $2 * interval '1 millisecond' where project = $1`,
          [project, ms],
        ),
      );
    return { project, clock, world, open, pass };
  }

  it("lists who was added, by name, until they are given back", async () => {
    const { open } = createWorld();
    const [one, other] = [open(), open()];
    const leave = must(await one.add({ id: "ses_b", name: "bob", socket: "/tmp/b" }));
    must(await other.add({ id: "ses_a", name: "Ann'\0" }));
    const both = [
      { id: "ses_a", name: "Ann'\0" },
      { id: "ses_b", name: "bob", socket: "/tmp/b" },
    ];
    expect([must(await one.list()), must(await other.list())]).toEqual([both, both]);
    await leave();
    expect(must(await other.list())).toEqual(both.slice(0, 1));
    expect(must(await createWorld().open().list())).toEqual([]);
  });

  it("gives a name to one at a time, also of many who want it at once, and from the dead", async () => {
    const { open, world } = createWorld();
    const dying = world.spawn();
    must(await open(dying).add({ id: "ses_a", name: "ann" }));
    expect(refused(await open().add({ id: "ses_b", name: "ann" }))).toBe("exists");
    dying.exit();
    expect(must(await open().list())).toEqual([]);
    const wanted = await Promise.all(
      Array.from({ length: 6 }, (_, index) => open().add({ id: `ses_${index}`, name: "ann" })),
    );
    expect(wanted.filter(({ ok }) => ok).length).toBe(1);
    const winner = wanted.findIndex(({ ok }) => ok);
    expect(must(await open().list())).toEqual([{ id: `ses_${winner}`, name: "ann" }]);
  });

  it("shows those on other machines without their socket, as long as they give signs by the server's time", async () => {
    const { open, world, clock, pass } = createWorld();
    const far = open(world.spawn({ host: "host-2" }));
    must(await far.add({ id: "ses_a", name: "ann", socket: "/tmp/a" }));
    const near = open();
    expect(must(await near.list())).toEqual([{ id: "ses_a", name: "ann" }]);
    await pass(leasePatienceMs + 1000);
    expect(must(await near.list())).toEqual([]);
    const beaten = async () =>
      must(
        await database.query(
          `select from ${schema}.agent_record where project = $1 and heartbeat > clock_timestamp() - interval '30 seconds'`,
          [`project-${worlds}`],
        ),
      ).count === 1;
    await clock.advance(heartbeatMs);
    while (!(await beaten())) await clock.advance(0);
    expect(must(await near.list())).toEqual([{ id: "ses_a", name: "ann" }]);
    await pass(leasePatienceMs + 1000);
    must(await near.add({ id: "ses_b", name: "ann" }));
    expect(must(await far.list())).toEqual([{ id: "ses_b", name: "ann" }]);
  });

  it("removes what was left long ago when one is added", async () => {
    const { open, world, pass, project } = createWorld();
    must(await open(world.spawn({ host: "host-2" })).add({ id: "ses_a", name: "ann" }));
    await pass(2 * 24 * 60 * 60 * 1000);
    must(await open().add({ id: "ses_b", name: "bob" }));
    const left = must(
      await database.query(`select from ${schema}.agent_record where project = $1`, [project]),
    );
    expect(left.count).toBe(1);
  });

  it("adds and gives back once though every answer is lost", async () => {
    const { open } = createWorld();
    const records = open(undefined, losingAnswers(database));
    const leave = must(await records.add({ id: "ses_a", name: "ann" }));
    expect(must(await records.list())).toEqual([{ id: "ses_a", name: "ann" }]);
    expect(refused(await records.add({ id: "ses_a", name: "ann" }))).toBe("exists");
    await leave();
    expect(must(await records.list())).toEqual([]);
  });
});
