import { afterAll, expect, it } from "vitest";
import { createRuntime } from "../../packages/core/src/runtime.ts";
import { openPostgresStores } from "../../packages/core/src/stores/postgres/stores.ts";
import { openInspector } from "../../packages/palimpsest/src/surfaces/cli/inspect/inspect-command.ts";
import type { InspectedSession } from "../../packages/palimpsest/src/surfaces/inspector/inspected.ts";
import { silentTerminal } from "../../packages/palimpsest/src/surfaces/local/terminal.ts";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import { answers, says, text } from "../inspector/support/drafts.ts";
import { openChangeStream } from "../inspector/support/next-change.ts";
import { describeOnPostgres, openEmptyDatabase, postgresUrl } from "../support/postgres/use-postgres.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

describeOnPostgres("the inspector on a database", async () => {
  const schema = (await openEmptyDatabase()).schema.slice(1, -1);
  const stores = must(await openPostgresStores({ url: postgresUrl(), schema }));
  afterAll(() => stores.close());

  it("shows a session as it grows", async () => {
    const folder = await temporaryFolder();
    const { logs } = stores.store("p-1");
    const writer = must(await logs.create({ kind: "session", session: { id: "ses_live", project: "p-1" } }));
    const turn = (number: number) => [says(`question ${number}`), answers(`r${number}`, [text("ok")])];
    must(await writer.append(turn(1)));
    const context = {
      terminal: silentTerminal(),
      home: folder,
      folder,
      stores: async () => stores,
      now: () => createRuntime().clock.now(),
    };
    const served = await openInspector(context, "ses_live", { port: 0, pageFolder: folder });
    const changes = await openChangeStream(`${served.url}api/sessions/ses_live/watch`);
    must(await writer.append(turn(2)));
    must(await writer.flush());
    await changes.next();
    const shown = (await (await fetch(`${served.url}api/sessions/ses_live`)).json()) as InspectedSession;
    expect([shown.isLive, shown.requests.at.length]).toEqual([true, 2]);
    await changes.close();
    must(await writer.close());
    await served.close();
  });
});
