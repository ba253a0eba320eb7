import { describe, expect, it } from "vitest";
import { ratesName } from "../../packages/core/src/session/learned.ts";
import type { Session, Store } from "../../packages/core/src/spec/index.ts";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import { createVirtualDisk } from "../../packages/testing/src/virtual-disk.ts";
import { assistant, usageOf, user } from "../support/session-messages.ts";
import { beginSession, resumeSession } from "../support/virtual-session.ts";
import { createVirtualStore } from "../support/virtual-store.ts";

/** Turns whose text turns out to have 520 tokens each. */
async function talk(session: Session, turns: number, model: string | undefined): Promise<void> {
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
  it.each([
    ["claude-opus-4-5", "claude-opus-4-5-20251101"],
    ["openrouter/auto", "vendor/some-model"],
    ["my-gpt4-deployment", undefined],
  ])("are learned for the model that was asked: %s, which answers as %s", async (asked, answered) => {
    const store = createVirtualStore();
    const session = await beginSession({ store, model: asked });
    await talk(session, 12, answered);
    await session.close();
    expect(await learnedIn(store)).toEqual({ [asked]: 11 });
  });

  it("are learned where every answer comes with another name", async () => {
    const store = createVirtualStore();
    const session = await beginSession({ store, model: "openrouter/auto" });
    for (let turn = 0; turn < 8; turn += 1) {
      await session.add(user("some words about it ".repeat(100)));
      const usage = usageOf(1000 + 520 * turn, 5);
      await session.add(assistant("A short answer.", { id: `msg_${turn}`, usage, model: `vendor/${turn}` }));
    }
    await session.close();
    expect(await learnedIn(store)).toEqual({ "openrouter/auto": 7 });
  });

  it("are the same from the log, names and all", async () => {
    const disk = createVirtualDisk();
    const store = createVirtualStore({ disk });
    const session = await beginSession({ store, model: "openrouter/auto" });
    await talk(session, 6, "vendor/a");
    await talk(session, 6, "vendor/b");
    await session.close();
    const learned = await store.learned?.read(ratesName);
    await disk.removeTree("/home/learned");
    await (await resumeSession({ store })).close();
    expect(await store.learned?.read(ratesName)).toEqual(learned);
  });

  it("of a model are those of its former name until it has its own, which go on from there", async () => {
    const store = createVirtualStore();
    const dated = await beginSession({ store, model: "claude-opus-4-5-20251101" });
    await talk(dated, 12, "claude-opus-4-5-20251101");
    await dated.close();
    const alias = await beginSession({ store, id: "two", model: "claude-opus-4-5" });
    await alias.add(user("some words about it ".repeat(100)));
    expect(alias.usage().count.source).toBe("calibrated");
    await talk(alias, 3, "claude-opus-4-5-20251101");
    await alias.close();
    expect(await learnedIn(store)).toEqual({ "claude-opus-4-5-20251101": 11, "claude-opus-4-5": 13 });
  });

  it("are not learned again from a log whose rates are kept under the dated name", async () => {
    const store = createVirtualStore();
    const session = await beginSession({ store, model: "claude-opus-4-5" });
    await talk(session, 12, "claude-opus-4-5-20251101");
    await session.close();
    const { models } = must(await (store.learned?.read(ratesName) ?? Promise.reject())) as {
      readonly models: Readonly<Record<string, unknown>>;
    };
    const formerly = { "claude-opus-4-5-20251101": models["claude-opus-4-5"] };
    await store.learned?.write(ratesName, { version: 1, models: formerly });
    await (await resumeSession({ store })).close();
    expect(await learnedIn(store)).toEqual({ "claude-opus-4-5-20251101": 11 });
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
