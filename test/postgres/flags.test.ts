import { expect, it } from "vitest";
import { createRuntime } from "../../packages/core/src/runtime.ts";
import type { Entry } from "../../packages/core/src/spec/index.ts";
import { createNodeDisk, projectSlug } from "../../packages/core/src/stores/files/index.ts";
import {
  openDatabase,
  openPostgresStores,
  presentVersion,
} from "../../packages/core/src/stores/postgres/index.ts";
import { openSession } from "../../packages/palimpsest/src/index.ts";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import { bothStores } from "../support/postgres/both-stores.ts";
import { describeOnPostgres } from "../support/postgres/use-postgres.ts";

/** What the session says at its beginning about flags that shape its prefix. */
async function prefixFlags(url: string, session: string): Promise<unknown> {
  const stores = must(await openPostgresStores({ url }));
  const [project = ""] = must(await stores.projects());
  const { logs } = stores.store(project);
  const headers: Entry[] = [];
  must(await logs.scan(session, (entry) => entry.kind === "session" && headers.push(entry)));
  const [header] = headers;
  const flags = header?.kind === "session" ? header.session.flags : undefined;
  await stores.close();
  return flags?.text && JSON.parse(flags.text);
}

describeOnPostgres("flags for every machine on a database", () => {
  it("are set by a command, shown with their source, and hold in the sessions that open then", async () => {
    const { run, folder, homes, url } = await bothStores();
    const config = async (...args: string[]) => (await run(["config", ...args])).postgres;
    expect((await config("set-flag", "compact-ahead", "off")).stdout).toMatch(
      /^compact-ahead is off for this project on postgres:.*, from the next session on\.\n$/,
    );
    expect((await config("set-flag", "snip", "kill", "--everywhere")).stdout).toContain(
      "snip is killed for every project",
    );
    const limits = await config("set-flag", "tool-result-limits", '{"Bash": 5}', "--json");
    expect(JSON.parse(limits.stdout)).toMatchObject({
      flag: "tool-result-limits",
      value: { Bash: 5 },
      isKilled: false,
      reach: "project",
    });
    const shown = (await config("flags")).stdout;
    expect(shown).toMatch(/compact-ahead +off +the store/);
    expect(shown).toMatch(/snip +off +kill switch snip/);
    expect(shown).toContain("Kill switches are named on postgres://");
    const settings = { flags: { snip: true } };
    const session = await openSession({ databaseUrl: url, cwd: folder, home: homes.postgres, settings });
    await session.close();
    expect(await prefixFlags(url, session.id)).toEqual({ "tool-result-limits": { Bash: 5 }, snip: false });
    await config("set-flag", "compact-ahead", "default");
    expect((await config("flags")).stdout).toMatch(/compact-ahead +on +default/);
  });

  it("hold as the mode thrifty where an earlier version has set them, until they are taken back", async () => {
    const { run, folder, url } = await bothStores();
    const config = async (...args: string[]) => (await run(["config", ...args])).postgres;
    const stores = must(await openPostgresStores({ url }));
    const project = must(await projectSlug(createNodeDisk(), folder));
    const { flags } = stores.store(project);
    if (!flags) throw new Error("this store keeps no flags");
    must(await flags.set("compact-early", { value: true, isKilled: false }, "project"));
    await stores.close();
    const { stdout } = await config("economy");
    expect(stdout).toMatch(/value +thrifty\n +set by +the store/);
    expect((await config()).stdout.replaceAll(/\s+/g, " ")).toContain(
      'compact-early is read as economy "thrifty" now; set that instead',
    );
    expect(await config("set-flag", "compact-early", "default")).toMatchObject({ code: 0 });
    expect((await config("economy")).stdout).toMatch(/value +faithful\n +set by +default/);
  });

  it("are refused where they cannot be, and looking at them makes no schema, nor hides what else is set", async () => {
    const { run } = await bothStores();
    const { files } = await run(["config", "set-flag", "fold", "on"]);
    expect(files.code).toBe(1);
    expect(files.stderr).toContain("kept on Postgres only");
    for (const [flag, value] of [
      ["foldd", "on"],
      ["fold", "yes"],
      ["tool-result-limits", "{"],
      ["compact-early", "on"],
    ] as const) {
      const { code, stderr } = (await run(["config", "set-flag", flag, value])).postgres;
      expect({ code, lines: stderr.trimEnd().split("\n").length }).toEqual({ code: 2, lines: 1 });
    }
    const { run: look, url } = await bothStores();
    expect((await look(["config", "flags"])).postgres.code).toBe(0);
    const database = must(await openDatabase({ url, clock: createRuntime().clock }));
    expect(must(await presentVersion(database))).toBe(0);
    await database.close();
    const away = ["--store", "postgres://nobody@127.0.0.1:1/none", "config", "flags"];
    const seen = (await run(away)).postgres;
    expect(seen.code).toBe(0);
    expect(seen.stdout).toContain("compact-ahead");
    expect(seen.stdout.replaceAll("\n", " ")).toContain("flags are not known");
  });
});
