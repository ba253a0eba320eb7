import { expect, it } from "vitest";
import { checkLogDifferential } from "../support/postgres/check-log-differential.ts";
import { describeOnPostgres, openTestDatabase } from "../support/postgres/use-postgres.ts";

describeOnPostgres("logs on files and on Postgres", async () => {
  const database = await openTestDatabase();

  it("do the same with whatever two processes do to them", async () => {
    expect(await checkLogDifferential(database, { sequences: 60 })).toBeGreaterThan(600);
  });
});
