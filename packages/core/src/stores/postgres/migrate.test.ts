import { expect, it } from "vitest";
import {
  describeOnPostgres,
  openBeside,
  openEmptyDatabase,
} from "../../../../../test/support/postgres/use-postgres.ts";
import { must, refused } from "../../../../testing/src/conformance/outcomes.ts";
import { migrate, presentVersion } from "./migrate.ts";
import { type Migration, migrations } from "./migrations/index.ts";

const step = (number: number): Migration => ({
  number,
  name: `step-${number}`,
  sql: (schema) => `create table ${schema}.step_${number} (id int)`,
});

describeOnPostgres("migrations", () => {
  it("are numbered from 1 without gaps", () => {
    expect(migrations.map(({ number }) => number)).toEqual(migrations.map((_, index) => index + 1));
  });

  it("make each step once, though many processes begin at the same moment", async () => {
    const database = await openEmptyDatabase();
    expect(must(await presentVersion(database))).toBe(0);
    const others = await Promise.all(Array.from({ length: 5 }, () => openBeside(database)));
    const reports = await Promise.all(others.map((other) => migrate(other, [step(1), step(2)])));
    const applied = reports.flatMap((report) => must(report).applied);
    expect(applied).toEqual(["step-1", "step-2"]);
    expect(must(await migrate(database, [step(1), step(2), step(3)]))).toEqual({
      version: 3,
      applied: ["step-3"],
    });
    expect(must(await migrate(database, [step(1), step(2), step(3)])).applied).toEqual([]);
  });

  it("leave everything as it was when a step fails", async () => {
    const database = await openEmptyDatabase();
    const broken: Migration = { ...step(2), sql: () => "create table nonsense (" };
    expect(refused(await migrate(database, [step(1), broken]))).toBe("io");
    expect(must(await presentVersion(database))).toBe(0);
    expect(must(await migrate(database, [step(1), step(2)])).applied).toEqual(["step-1", "step-2"]);
  });

  it("refuse a schema that is newer than the program, and change nothing", async () => {
    const database = await openEmptyDatabase();
    must(await migrate(database, [step(1), step(2)]));
    const refusal = await migrate(database, [step(1)]);
    expect(refused(refusal)).toBe("newer-format");
    expect(must(await presentVersion(database))).toBe(2);
  });

  it("let the server keep no samples of what people and models wrote", async () => {
    const database = await openEmptyDatabase();
    must(await migrate(database));
    const { schema } = database;
    const secret = Buffer.from("open-sesame-7");
    must(
      await database.query(
        `insert into ${schema}.entry (log_id, place, line) select 1, place, $1::bytea from generate_series(1, 100) as place`,
        [secret],
      ),
    );
    must(await database.query(`analyze ${schema}.entry`));
    const sampled = must(
      await database.query<{ column: string }>(
        `select attname as column from pg_stats where schemaname = $1 and tablename = 'entry' order by attname`,
        [schema.replaceAll('"', "")],
      ),
    );
    expect(sampled.rows.map(({ column }) => column)).toEqual(["log_id", "place"]);
  });
});
