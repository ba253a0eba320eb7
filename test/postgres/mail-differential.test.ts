import { expect, it } from "vitest";
import { checkMailSequence } from "../support/postgres/mail-differential.ts";
import { describeOnPostgres, openTestDatabase } from "../support/postgres/use-postgres.ts";
import { seed } from "../support/seed.ts";

const sequences = 60;

describeOnPostgres("mailboxes on files and on Postgres", async () => {
  const database = await openTestDatabase();

  it(`are the same after each command of ${sequences} random sequences`, async () => {
    const counts = await Promise.all(
      Array.from({ length: sequences }, (_, index) =>
        checkMailSequence(database, `project-${index}`, seed + index),
      ),
    );
    expect(counts.every((count) => count > 0)).toBe(true);
  });
});
