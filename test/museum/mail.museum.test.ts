import { describe, expect, it } from "vitest";
import { settleMail } from "../../packages/core/src/layers/7-agents/mail/rules/index.ts";
import { createRuntime } from "../../packages/core/src/runtime.ts";
import type { Mail } from "../../packages/core/src/spec/index.ts";
import { createNodeDisk } from "../../packages/core/src/stores/files/index.ts";
import { createFileMailbox } from "../../packages/core/src/stores/files/mailbox/mailbox.ts";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { readJsonFixture } from "./read-fixture.ts";

describe("museum", () => {
  it("23: of ten mails that ten senders write at once, all ten arrive, each once", async () => {
    const root = await temporaryFolder();
    const open = () => createFileMailbox({ ...createRuntime(), disk: createNodeDisk(), root });
    const at = new Date(createRuntime().clock.now()).toISOString();
    const written = readJsonFixture<readonly Omit<Mail, "at">[]>("23-ten-mails.json");
    const mails = written.map((mail): Mail => ({ ...mail, at }));
    for (const sent of await Promise.all(mails.map((mail) => open().send(mail)))) must(sent);
    // A sender that did not hear the answer sends again.
    must(await open().send(mails[3] as Mail));
    const reader = open();
    const { fresh } = settleMail(must(await reader.take("ses_z", 100)), () => false);
    expect(fresh.map(({ body }) => body).toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});
