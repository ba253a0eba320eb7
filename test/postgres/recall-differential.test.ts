import { expect, it } from "vitest";
import { checkRecallSequence } from "../support/postgres/recall-differential.ts";
import { describeOnPostgres, openTestDatabase } from "../support/postgres/use-postgres.ts";
import { seed } from "../support/seed.ts";

const sequences = 28;
const frequentSequences = 14;

describeOnPostgres("recall on files and on Postgres", async () => {
  const database = await openTestDatabase();

  it(`finds the same after each update of ${sequences} random sequences`, async () => {
    const compared = await Promise.all(
      Array.from({ length: sequences }, (_, index) =>
        checkRecallSequence(database, `whole-${index}`, { seed: seed + index, publishes: 3, documents: 40 }),
      ),
    );
    expect(compared.every((one) => one.compared === 15 && one.partial === 0)).toBe(true);
  });

  it("finds the same where the frequent words are not read, as often as it says that nothing is missing", async () => {
    const compared = await Promise.all(
      Array.from({ length: frequentSequences }, (_, index) =>
        checkRecallSequence(database, `frequent-${index}`, {
          seed: seed + 1_000 + index,
          publishes: 2,
          documents: 90,
          maxPostings: 120,
        }),
      ),
    );
    const sum = (of: "compared" | "partial") => compared.reduce((all, one) => all + one[of], 0);
    expect(sum("compared")).toBeGreaterThan(sum("partial"));
  });
});
