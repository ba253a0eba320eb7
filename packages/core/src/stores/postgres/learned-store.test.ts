import { expect, it } from "vitest";
import { losingAnswers } from "../../../../../test/support/postgres/lose-answers.ts";
import {
  describeOnPostgres,
  openBeside,
  openTestDatabase,
} from "../../../../../test/support/postgres/use-postgres.ts";
import { learnedStoreConformance } from "../../../../testing/src/conformance/learned-store.ts";
import { must, refused } from "../../../../testing/src/conformance/outcomes.ts";
import { maxLearnedBytes } from "../shared/learned-rules.ts";
import { createPostgresLearnedStore } from "./learned-store.ts";

describeOnPostgres("learned store on Postgres", async () => {
  const database = await openTestDatabase();
  const beside = await openBeside(database);
  const forget = async () => must(await database.query(`delete from ${database.schema}.learned`));

  const create = async () => {
    await forget();
    return {
      first: createPostgresLearnedStore({ database }),
      second: createPostgresLearnedStore({ database: beside }),
    };
  };
  for (const { name, run } of learnedStoreConformance(create)) it(name, run);

  it("gives back hostile values, and refuses what is too large", async () => {
    const { first } = await create();
    const value = { "\0": "\ud800'; --", list: ["é".repeat(500_000)] };
    must(await first.write("rates", value));
    expect(must(await first.read("rates"))).toEqual(value);
    expect(refused(await first.write("rates", "x".repeat(maxLearnedBytes)))).toBe("too-large");
    expect(must(await first.read("rates"))).toEqual(value);
  });

  it("says what cannot be read", async () => {
    const { first } = await create();
    must(await first.write("rates", 1));
    must(await database.query(`update ${database.schema}.learned set value = '{'`));
    expect(refused(await first.read("rates"))).toBe("corrupt");
  });

  it("holds what was written though every answer is lost", async () => {
    await forget();
    const store = createPostgresLearnedStore({ database: losingAnswers(database) });
    for (const value of [1, 2]) must(await store.write("rates", value));
    expect(must(await store.read("rates"))).toBe(2);
  });
});
