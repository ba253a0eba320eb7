import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { say } from "../../packages/testing/src/index.ts";
import { runCli, runCliProcess } from "../support/cli.ts";
import { emulate } from "../support/emulator.ts";
import { memoryText } from "../support/memory-texts.ts";
import { bothStores, databasePassword, withoutPlaces } from "../support/postgres/both-stores.ts";
import { describeOnPostgres } from "../support/postgres/use-postgres.ts";
import { testKey } from "../support/run-agent.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const model = ["--model", "claude-opus-4-5"];
const secret = "open-sesame-7";

async function world() {
  const { emulator } = await emulate({
    script: ["One.", "One.", "Two.", "Two.", "Three."].map((text) => say(text)),
  });
  const environment = {
    ANTHROPIC_BASE_URL: emulator.url,
    ANTHROPIC_API_KEY: testKey,
    PALIMPSEST_FLAG_MEMORY_EXTRACTION: "off",
  };
  const both = await bothStores(environment);
  return {
    ...both,
    environment,
    /** The same on both; gives the database's end. */
    async same(args: readonly string[], input?: string) {
      const { files, postgres } = await both.run(args, input);
      expect(withoutPlaces(postgres), args.join(" ")).toEqual(withoutPlaces(files));
      return postgres;
    },
  };
}

describeOnPostgres("commands on a database", () => {
  it("keep sessions as files do: run, continue, list, show, export, redact, repair, delete", async () => {
    const { same, folder, homes, url, environment } = await world();
    await same(["run", ...model, "-p", `What is ${secret}?`]);
    expect((await same(["run", "--continue", "-p", "And then?"])).stdout).toBe("Two.\n");
    const listed = await same(["sessions", "list"]);
    expect(listed.stdout).toContain("What is");
    const shown = await same(["sessions", "show", "ses_"]);
    expect(shown.stdout).toContain("postgres://");
    const exported = await same(["sessions", "export", "ses_", "--format", "messages"]);
    expect(exported.stdout).toContain(secret);
    const inspect = ["inspect", "ses_", "--out", "report.html", "--what-if", "recency", "--store", url];
    const inspected = await runCliProcess(inspect, { home: homes.postgres, cwd: folder });
    expect(inspected).toMatchObject({ code: 0, stdout: "" });
    await writeFile(join(folder, "secret"), secret);
    const redact = ["sessions", "redact", "ses_", "--secret-file", "secret", "--yes"];
    expect((await same(redact)).code).toBe(0);
    expect((await same(["sessions", "export", "ses_", "--format", "messages"])).stdout).not.toContain(secret);
    expect((await same(["sessions", "repair", "ses_"])).stdout).toContain("Nothing to repair");
    expect((await same(["sessions", "delete", "ses_", "--yes"])).stdout).toContain("1 session deleted");
    expect((await same(["sessions", "list"])).stdout).not.toContain("What is");
    const alone = await runCliProcess(["run", ...model, "-p", "Hi.", "--store", url], {
      home: homes.postgres,
      cwd: folder,
      environment,
    });
    expect(alone).toEqual({ code: 0, stdout: "Three.\n", stderr: "" });
  });

  it("keep memories as files do: import, list, show, log, diff, revert, search, dream", async () => {
    const { same } = await world();
    const documents = await temporaryFolder();
    const body = "The server listens on port 8123 in every region.";
    for (const name of ["a", "b", "c"])
      await writeFile(
        join(documents, `${name}.md`),
        memoryText({ name, description: `about ${name}`, body: name === "c" ? "On Tuesdays." : body }),
      );
    await same(["memory", "import", documents, "--trusted"]);
    expect((await same(["memory", "list"])).stdout).toContain("c.md");
    expect((await same(["memory", "show", "c.md"])).stdout).toContain("On Tuesdays.");
    expect((await same(["memory", "search", "Tuesdays"])).stdout).toContain("c.md");
    expect((await same(["dream", "--scribe"])).stdout).toContain("b.md");
    expect((await same(["dream", "review"])).code).toBe(0);
    expect((await same(["memory", "revert", "c.md"])).stdout).toContain("removed c.md: it was not there");
    expect((await same(["memory", "revert", "c.md", "--to", "1"])).code).toBe(0);
    expect((await same(["memory", "log", "c.md"])).stdout).toContain("3 versions");
    expect((await same(["memory", "diff", "c.md"])).code).toBe(0);
    expect((await same(["memory", "list"])).stdout).toContain("c.md");
  });

  it("say that a database is away, in a few seconds and without its password", async () => {
    const home = await temporaryFolder();
    const url = `postgres://someone:${databasePassword}@127.0.0.1:1/nowhere`;
    const end = await runCli(["sessions", "list"], { home, environment: { DATABASE_URL: url } });
    expect(end.code).toBe(1);
    expect(end.stdout).toBe("");
    expect(end.stderr).toContain("The database takes no connections.");
    expect(end.stderr).not.toMatch(/\n +at |never-to-be-printed/);
  });
});
