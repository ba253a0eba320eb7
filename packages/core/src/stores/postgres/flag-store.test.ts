import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { losingAnswers } from "../../../../../test/support/postgres/lose-answers.ts";
import {
  describeOnPostgres,
  openBeside,
  openTestDatabase,
} from "../../../../../test/support/postgres/use-postgres.ts";
import { must, refused } from "../../../../testing/src/conformance/outcomes.ts";
import { createPostgresFlagStore } from "./flag-store.ts";

const set = (value?: unknown, isKilled = false) => ({ value, isKilled });

describeOnPostgres("flags on Postgres", async () => {
  const database = await openTestDatabase();
  const beside = await openBeside(database);
  const { schema, address } = database;

  async function stores() {
    must(await database.query(`delete from ${schema}.flag`));
    const project = `test-${randomBytes(6).toString("hex")}`;
    return {
      here: createPostgresFlagStore({ database, project }),
      there: createPostgresFlagStore({ database: beside, project }),
      other: createPostgresFlagStore({ database: beside, project: "other" }),
    };
  }

  it("are the same on every machine, and a project's own go before those of all", async () => {
    const { here, there, other } = await stores();
    expect(must(await here.read())).toEqual({ address, values: {}, killed: [] });
    must(await here.set("fold", set(true), "everywhere"));
    must(await here.set("fold", set(false), "project"));
    must(await here.set("dream", set(undefined, true), "everywhere"));
    must(await here.set("tool-result-limits", set({ Bash: 5 }), "project"));
    expect(must(await there.read())).toEqual({
      address,
      values: { fold: false, "tool-result-limits": { Bash: 5 } },
      killed: ["dream"],
    });
    expect(must(await other.read())).toEqual({ address, values: { fold: true }, killed: ["dream"] });
  });

  it("are taken back, and set again in place of what was said before", async () => {
    const { here, there } = await stores();
    must(await here.set("fold", set(undefined, true), "project"));
    must(await there.set("fold", set(true), "project"));
    expect(must(await here.read())).toEqual({ address, values: { fold: true }, killed: [] });
    must(await here.set("fold", set(), "project"));
    must(await here.set("fold", set(), "project"));
    expect(must(await there.read())).toEqual({ address, values: {}, killed: [] });
  });

  it("are set once when the answer is lost", async () => {
    const { here } = await stores();
    const losing = createPostgresFlagStore({ database: losingAnswers(database), project: "other" });
    must(await losing.set("fold", set(true), "everywhere"));
    must(await losing.set("dream", set(), "everywhere"));
    expect(must(await here.read())).toMatchObject({ values: { fold: true }, killed: [] });
  });

  it("hold hostile names and values, and say what cannot be read", async () => {
    const { here } = await stores();
    must(await here.set("\0'; --", set("\ud800'; drop"), "project"));
    expect(must(await here.read()).values).toEqual({ "\0'; --": "\ud800'; drop" });
    must(await database.query(`update ${schema}.flag set value = '{'`));
    expect(refused(await here.read())).toBe("corrupt");
  });
});
