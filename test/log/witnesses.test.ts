import { beforeEach, describe, expect, it } from "vitest";
import type { Mail, Mailbox, Store } from "../../packages/core/src/spec/index.ts";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import { leaveMatters } from "../../scripts/reliability/matters.mjs";
import { openStore } from "../../scripts/reliability/open-store.mjs";
import { witnessOf } from "../../scripts/reliability/run-kills.mjs";
import { temporaryFolder } from "../support/temporary-folder.ts";

type Said = readonly (readonly string[])[];

interface Witness {
  orders(): Promise<readonly { readonly to?: string }[]>;
  check(ends: readonly unknown[]): Promise<{ readonly problems: readonly string[] }>;
}

let folder: string;
let store: Store;

beforeEach(async () => {
  folder = await temporaryFolder();
  store = (await openStore(folder)) as unknown as Store;
});

/** What a witness says when a process has said this, and has done what `meanwhile` does. */
async function problemsOf(
  kind: keyof typeof witnessOf,
  said: Said,
  meanwhile: (to: string) => Promise<unknown> = async () => undefined,
): Promise<string> {
  const more = { openStore: () => openStore(folder), seed: 1, tries: 0 };
  const witness = witnessOf[kind](more as never) as unknown as Witness;
  const orders = await witness.orders();
  await meanwhile(orders.at(-1)?.to ?? "");
  const ends = orders.map((order, index) => ({ order, said: index === 0 ? said : [] }));
  const { problems } = await witness.check(ends).catch((error: Error) => ({ problems: [error.message] }));
  return problems.join("\n");
}

describe("the witnesses of the kill suite", () => {
  it.each([
    ["append", [["entry", "msg_1"]], /append-1-0/],
    ["offload", [["offloaded", "10000"]], /offload-1-0/],
    ["memory", [["written", "0", "2", "1"]], /version 2 of topic 0 is lost/],
    ["mailbox", [["sent", "0"]], /1 accepted mails are lost/],
  ] as const)("miss what %s has acknowledged and is not there", async (kind, said, expected) => {
    expect(await problemsOf(kind, said)).toMatch(expected);
  });

  it.each(["append", "offload", "memory", "mailbox", "dream"] as const)(
    "have nothing to say of %s that has acknowledged nothing and done nothing",
    async (kind) => {
      expect(await problemsOf(kind, [])).toBe("");
    },
  );

  it("see a write to memory that nobody has planned", async () => {
    const write = () => store.tree("memory").write("count-amber.md", "7\n", { author: "agent" });
    expect(await problemsOf("memory", [], write)).toMatch(/count-amber\.md counts NaN in version 2/);
  });

  it("see a mail that came before an earlier one", async () => {
    const mail = {
      id: "ses_sender-1",
      from: "ses_sender",
      at: new Date().toISOString(),
      body: { content: "1" },
    };
    const send = async (to: string) => must(await (store.mailbox as Mailbox).send({ ...mail, to } as Mail));
    expect(await problemsOf("mailbox", [], send)).toMatch(/mail 1 stands in place of 0/);
  });

  it("see half of a dream", async () => {
    const halve = async () => {
      must(await leaveMatters(store.tree("memory"), 7));
      must(await store.tree("memory").remove("harbour-copy.md", { author: "dream" }));
    };
    expect(await problemsOf("dream", [["left", "7"]], halve)).toMatch(
      /half of a dream is in memory: merged,kept,kept/,
    );
  });
});
