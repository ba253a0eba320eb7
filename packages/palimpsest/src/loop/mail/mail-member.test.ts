import { describe, expect, it } from "vitest";
import { createAgentDirectory } from "../../../../core/src/session/mail/create-agent-directory.ts";
import { type Mailbox, ok } from "../../../../core/src/spec/index.ts";
import { must } from "../../../../testing/src/conformance/outcomes.ts";
import { createVirtualClock, createVirtualIds } from "../../../../testing/src/virtual-clock.ts";
import { createMailMember } from "./mail-member.ts";

/** A member whose mailbox says when mail may have come, and who is told so now. */
async function createWatchingMember() {
  const clock = createVirtualClock();
  const directory = createAgentDirectory({ clock, ids: createVirtualIds() });
  const agent = must(await directory.register({ id: "ses_a/agent_1", name: "ann" }));
  const watchers = new Map<AbortSignal, () => void>();
  const mailbox: Mailbox = {
    send: async () => ok(),
    take: async () => ok([]),
    acknowledge: async () => ok(),
    watch: (_to, wake, signal) => void watchers.set(signal, wake),
  };
  const nothing = () => undefined;
  const parts = { nameOf: async () => undefined, warn: nothing, onSource: nothing, onLeave: nothing };
  const member = createMailMember({ agent, directory, mailbox, clock, ...parts });
  const watching = () => [...watchers.keys()].filter(({ aborted }) => !aborted).length;
  return { clock, member, watching, wake: () => [...watchers.values()].at(-1)?.() };
}

describe("a member of a session with mail", () => {
  it("waits no longer once its mailbox says that mail may have come", async () => {
    const { member, watching, wake } = await createWatchingMember();
    const waiting = member.nextMail(60_000, new AbortController().signal);
    expect(watching()).toBe(1);
    wake();
    await waiting;
    expect(watching()).toBe(0);
  });

  it("looks by itself when nobody says so, and watches no longer then", async () => {
    const { clock, member, watching } = await createWatchingMember();
    const waiting = member.nextMail(60_000, new AbortController().signal);
    await clock.advance(60_000);
    await waiting;
    expect(watching()).toBe(0);
  });
});
