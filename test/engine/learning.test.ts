import { describe, expect, it } from "vitest";
import { ratesName } from "../../src/engine/learned-rates.ts";
import type { Session, Store } from "../../src/spec/index.ts";
import { must } from "../../src/testing/conformance/outcomes.ts";
import { createVirtualDisk } from "../../src/testing/virtual-disk.ts";
import { assistant, usageOf, user } from "../support/session-messages.ts";
import { beginSession, resumeSession } from "../support/virtual-session.ts";
import { createVirtualStore } from "../support/virtual-store.ts";

/** Turns whose text turns out to have 520 tokens each. */
async function talk(session: Session, turns: number, model: string): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    await session.add(user("some words about it ".repeat(100)));
    const usage = usageOf(1000 + 520 * turn, 5);
    await session.add(assistant("A short answer.", { id: `msg_${turn}`, usage, model }));
  }
}

/** How often the rates of each model were observed. */
async function learnedIn(store: Store): Promise<Readonly<Record<string, number>>> {
  const read = must(await (store.learned?.read(ratesName) ?? Promise.reject()));
  const { models } = read as { readonly models: Readonly<Record<string, { readonly observations: number }>> };
  return Object.fromEntries(Object.entries(models).map(([name, { observations }]) => [name, observations]));
}

describe("rates", () => {
  it("are learned for the model that answered", async () => {
    const store = createVirtualStore();
    const session = await beginSession({ store, model: "claude-opus-4-5" });
    await talk(session, 12, "claude-haiku-4-5");
    await session.close();
    expect(Object.keys(await learnedIn(store))).toEqual(["claude-haiku-4-5"]);
  });

  it("are not learned for the model that a session is resumed with", async () => {
    const store = createVirtualStore();
    const session = await beginSession({ store, model: "claude-opus-4-5" });
    await talk(session, 12, "claude-opus-4-5");
    await session.close();
    await (await resumeSession({ store, model: "gpt-5.6" })).close();
    expect(Object.keys(await learnedIn(store))).toEqual(["claude-opus-4-5"]);
  });

  it("are learned once from a log that has to be read twice", async () => {
    async function learnedFrom(last: string) {
      const disk = createVirtualDisk();
      const store = createVirtualStore({ disk });
      const session = await beginSession({ store });
      await talk(session, 4, "claude-opus-4-5");
      await session.add(user(last));
      await session.close();
      await disk.removeTree("/home/learned");
      await (await resumeSession({ store })).close();
      return learnedIn(store);
    }
    const learned = await learnedFrom("Done.");
    expect(learned["claude-opus-4-5"]).toBeGreaterThan(0);
    expect(await learnedFrom("x".repeat(70_000))).toEqual(learned);
  });
});

describe("a session that is only read", () => {
  it("writes nothing, not even what it could learn", async () => {
    const disk = createVirtualDisk();
    const store = createVirtualStore({ disk });
    const session = await beginSession({ store });
    await talk(session, 3, "claude-opus-4-5");
    await session.close();
    await disk.removeTree("/home/learned");
    const before = disk.fingerprint();
    const reader = await beginSession({ store, readOnly: true });
    await reader.prepare();
    await reader.close();
    expect(disk.fingerprint()).toBe(before);
  });
});
