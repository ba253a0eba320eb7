import { expect, it } from "vitest";
import {
  describeOnPostgres,
  openBeside,
  openTestDatabase,
} from "../../../../../../test/support/postgres/use-postgres.ts";
import { must, refused } from "../../../../../testing/src/conformance/outcomes.ts";
import { spendingLedgerConformance } from "../../../../../testing/src/conformance/spending-ledger.ts";
import { createRuntime } from "../../../runtime.ts";
import type { Database } from "../database.ts";
import { createPostgresSpendingLedger } from "./spending-ledger.ts";

const { ids } = createRuntime();
const day = "2026-01-31";

describeOnPostgres("spending ledger on postgres", async () => {
  const database = await openTestDatabase();
  const beside = await openBeside(database);
  const open = (handle: Database, heldMs?: number) =>
    createPostgresSpendingLedger({ database: handle, ids, ...(heldMs !== undefined && { heldMs }) });

  async function fresh(heldMs?: number) {
    must(
      await database.query(`truncate ${database.schema}.spending, ${database.schema}.spending_reservation`),
    );
    return { first: open(database, heldMs), second: open(beside, heldMs) };
  }

  for (const { name, run } of spendingLedgerConformance(
    () => fresh(),
    () => fresh(-1),
  ))
    it(name, run);

  it("never passes the limit with 20 handles and 50 reservations each", async () => {
    await fresh();
    const claim = { scope: "all", day, dollars: 0.02, limit: 10 };
    const work = Array.from({ length: 20 }, async (_, at) => {
      const ledger = open(at % 2 === 0 ? database : beside);
      for (let index = 0; index < 50; index += 1) {
        const token = await ledger.reserve(claim);
        if (token.ok) must(await ledger.settle(token.value, 0.015));
      }
    });
    await Promise.all(work);
    const { dollars, reserved } = must(await open(beside).spent("all", day));
    expect(reserved).toBe(0);
    expect(dollars).toBeLessThanOrEqual(10);
    expect(dollars).toBeGreaterThan(9.98 - 20 * 0.02);
  });

  it("reserves and settles once where the answer is lost and it is sent again", async () => {
    await fresh();
    const ledger = open(losingAnswers(database));
    const token = must(await ledger.reserve({ scope: "all", day, dollars: 4, limit: 10 }));
    expect(must(await ledger.spent("all", day))).toEqual({ dollars: 0, reserved: 4 });
    must(await ledger.settle(token, 3));
    expect(must(await ledger.spent("all", day))).toEqual({ dollars: 3, reserved: 0 });
  });

  it("says that the server is away, and gives nothing", async () => {
    const other = await openBeside(database);
    await other.close();
    expect(refused(await open(other).reserve({ scope: "all", day, dollars: 1, limit: 10 }))).toBe("closed");
  });
});

/** Every statement is done, its answer goes missing, and it is sent again. */
function losingAnswers(database: Database): Database {
  return {
    ...database,
    async query(text, values, options) {
      if (options?.isRepeatable) must(await database.query(text, values, options));
      return database.query(text, values, options);
    },
  };
}
