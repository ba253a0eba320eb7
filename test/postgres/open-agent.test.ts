import { expect, it } from "vitest";
import { createRuntime } from "../../packages/core/src/runtime.ts";
import { openDatabase } from "../../packages/core/src/stores/postgres/database.ts";
import { openAgent } from "../../packages/palimpsest/src/loop/agent/open-agent.ts";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import { newDatabaseUrl } from "../support/postgres/both-stores.ts";
import { describeOnPostgres } from "../support/postgres/use-postgres.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** How many connections there are to a database besides the one that asks. */
async function connectionsTo(url: string): Promise<number> {
  const database = must(await openDatabase({ url, clock: createRuntime().clock }));
  const { rows } = must(
    await database.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
    ),
  );
  await database.close();
  return rows[0]?.count ?? -1;
}

/** A server lets go of a connection a little after its client has: it is asked again, some times. */
async function connectionsLeft(url: string): Promise<number> {
  let left = await connectionsTo(url);
  for (let tries = 100; left > 0 && tries > 0; tries -= 1) left = await connectionsTo(url);
  return left;
}

describeOnPostgres("openAgent on a database of its own", () => {
  const place = async () => {
    const home = await temporaryFolder();
    return { home, cwd: home, databaseUrl: await newDatabaseUrl() };
  };
  const refusal = () => {
    throw new Error("nobody wants to hear it");
  };

  it.each([
    [
      "a warning that nobody wants to hear",
      { id: "ses_1", resume: true, instructions: "Be brief.", onWarning: refusal },
      "nobody wants",
    ],
    ["a session that is not there", { id: "ses_none", resume: true }, "ses_none"],
    ["a listener of its tools", { onTools: refusal }, "nobody wants"],
  ])("gives all connections back when it fails by %s", async (_what, options, message) => {
    const at = await place();
    await expect(openAgent({ ...at, ...options })).rejects.toThrow(message);
    expect(await connectionsLeft(at.databaseUrl)).toBe(0);
  });

  it("leaves a session that a listener has kept from being opened to whoever comes next", async () => {
    const at = await place();
    await expect(openAgent({ ...at, id: "ses_1", onTools: refusal })).rejects.toThrow("nobody wants");
    const session = await openAgent({ ...at, id: "ses_1", resume: true });
    await session.close();
    expect(await connectionsLeft(at.databaseUrl)).toBe(0);
  });
});
