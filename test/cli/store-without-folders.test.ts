import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runContext } from "../../packages/palimpsest/src/surfaces/cli/context/context-command.ts";
import { runReview } from "../../packages/palimpsest/src/surfaces/cli/dream/review-command.ts";
import {
  runExport as exportMemories,
  runImport,
} from "../../packages/palimpsest/src/surfaces/cli/memory/commands.ts";
import { runList as listMemories } from "../../packages/palimpsest/src/surfaces/cli/memory/list-command.ts";
import { runSearch } from "../../packages/palimpsest/src/surfaces/cli/memory/search-command.ts";
import { runDelete, runShow } from "../../packages/palimpsest/src/surfaces/cli/sessions/commands.ts";
import { runExport } from "../../packages/palimpsest/src/surfaces/cli/sessions/export-command.ts";
import { runList } from "../../packages/palimpsest/src/surfaces/cli/sessions/list-command.ts";
import { runRedact } from "../../packages/palimpsest/src/surfaces/cli/sessions/redact-command.ts";
import { runRepair } from "../../packages/palimpsest/src/surfaces/cli/sessions/repair-command.ts";
import { Exit } from "../../packages/palimpsest/src/surfaces/local/or-throw.ts";
import { discoverFiles } from "../../packages/palimpsest/src/surfaces/local/sessions/find-files.ts";
import { openSessionLocations } from "../../packages/palimpsest/src/surfaces/local/sessions/session-locations.ts";
import {
  type CommandContext,
  silentTerminal,
} from "../../packages/palimpsest/src/surfaces/local/terminal.ts";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import { openFolderlessStores } from "../support/folderless-stores.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const secret = "open-sesame-7";

/** A project with one session on a store that has no folder, and a data root with nothing of it. */
async function openWorld() {
  const [folder, home, hidden] = [await temporaryFolder(), await temporaryFolder(), await temporaryFolder()];
  const stores = await openFolderlessStores(hidden);
  const written: string[] = [];
  const terminal = {
    ...silentTerminal(),
    async write(part: string | Uint8Array) {
      written.push(typeof part === "string" ? part : Buffer.from(part).toString("utf8"));
    },
    say: (line: string) => void written.push(`${line}\n`),
  };
  const context: CommandContext = { terminal, home, folder, stores: async () => stores, now: () => 0 };
  const project = must(await (await openSessionLocations(context)).currentProject());
  const store = stores.store(project);
  const writer = must(await store.logs.create({ kind: "session", session: { id: "ses_a", project } }));
  must(
    await writer.append([
      { kind: "message", message: { type: "user", content: `What is ${secret}?` } },
      { kind: "message", message: { type: "assistant", content: "A password." } },
    ]),
  );
  must(await writer.close());
  return {
    context,
    store,
    home,
    folder,
    async told(run: (context: CommandContext) => Promise<void>): Promise<string> {
      written.length = 0;
      await run(context).catch((cause) => {
        if (!(cause instanceof Exit)) throw cause;
      });
      return written.join("");
    },
  };
}

describe("commands on a store without folders", () => {
  it("list, show, export and count sessions, and name the database", async () => {
    const { told } = await openWorld();
    expect(await told((context) => runList(context, { all: true }))).toContain("ses_a");
    const shown = await told((context) => runShow(context, "ses_", { json: true }));
    expect(JSON.parse(shown)).toMatchObject({
      entries: 3,
      corrupt: 0,
      file: "postgres://host/db, session ses_a",
    });
    expect(await told((context) => runExport(context, "ses_a", { format: "jsonl" }))).toContain(secret);
    expect(await told((context) => runContext(context, "ses_a", {}))).toContain("tokens");
  });

  it("redact, repair and delete sessions", async () => {
    const { told, folder, store } = await openWorld();
    await writeFile(join(folder, "secret"), secret);
    const options = { secretFile: "secret", replacement: "[GONE]", yes: true };
    expect(await told((context) => runRedact(context, "ses_a", options))).toContain("Taken out of ses_a");
    expect(await told((context) => runExport(context, "ses_a", { format: "jsonl" }))).not.toContain(secret);
    expect(await told((context) => runRepair(context, "ses_a", { dryRun: true }))).toContain(
      "Nothing to repair",
    );
    expect(await told((context) => runRepair(context, "ses_a", {}))).toContain("Nothing to repair");
    expect(await told((context) => runDelete(context, ["ses_a"], { yes: true }))).toContain(
      "1 session deleted",
    );
    expect(must(await store.sessions.tombstone("ses_a"))?.why).toBe("deleted by hand");
  });

  it("keep memories in its tree, and nothing in the data root", async () => {
    const { told, home, store } = await openWorld();
    const documents = await temporaryFolder();
    const text = "---\nname: tides\ndescription: when the tide comes\ntype: reference\n---\n\nAt noon.\n";
    await writeFile(join(documents, "tides.md"), text);
    await told((context) => runImport(context, documents, { trusted: true }));
    expect(must(await store.tree("memory").list()).map(({ path }) => path)).toContain("tides.md");
    expect(await told((context) => listMemories(context, {}))).toContain("tides.md");
    expect(await told((context) => runSearch(context, ["tide"], {} as never))).toContain("tides");
    expect(await told((context) => exportMemories(context, {}))).toContain("At noon.");
    expect(await told((context) => runReview(context, undefined, {}))).toContain("dream");
    expect(await readdir(home)).toEqual([]);
  });

  it("find its sessions to replay them", async () => {
    const { context } = await openWorld();
    expect(await discoverFiles(await openSessionLocations(context))).toContain("ses_a");
  });
});
