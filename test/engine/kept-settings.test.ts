import { describe, expect, it, onTestFinished, vi } from "vitest";
import { usageOfEntries } from "../../packages/core/src/session/answers/to-usage.ts";
import type { SessionOptions } from "../../packages/core/src/session/open-session.ts";
import {
  type Event,
  type Layer,
  ok,
  type Session,
  type Settings,
} from "../../packages/core/src/spec/index.ts";
import { user } from "../support/session-messages.ts";
import { beginSession, entriesOf, resumeSession } from "../support/virtual-session.ts";
import { createVirtualStore } from "../support/virtual-store.ts";

const model = "my-model";
const small = (contextWindow: number): Settings => ({
  catalog: { capabilities: { [model]: { contextWindow, maxOutput: 4_000 } } },
});

async function begun(options: SessionOptions) {
  const store = createVirtualStore();
  const session = await beginSession({ store, model, ...options });
  await session.add(user("Hello."));
  await session.close();
  return store;
}

const windowOf = (session: Session) => session.usage().thresholds.window;

async function storedIn(session: Session): Promise<readonly unknown[]> {
  return (await entriesOf(session)).flatMap((entry): readonly unknown[] => {
    if (entry.kind === "session") return [entry.session.settings];
    return entry.kind === "note" && entry.note.topic === "head" ? [entry.note.settings] : [];
  });
}

describe("settings that a session was opened with", () => {
  it("hold when it is resumed without any, and nothing is noted", async () => {
    const settings = { ...small(32_000), microcompactEnabled: false, flags: { "session-notes": false } };
    const store = await begun({ settings });
    for (const options of [{}, { readOnly: true, resume: false }]) {
      const session = await resumeSession({ store, ...options });
      expect(windowOf(session)).toBe(32_000);
      expect(await storedIn(session)).toEqual([settings]);
      await session.close();
    }
  });

  it("are what a context is measured against, in a log that nobody opens", async () => {
    const session = await resumeSession({ store: await begun({ settings: small(32_000) }) });
    const { thresholds } = usageOfEntries(await entriesOf(session), {});
    expect(thresholds.window).toBe(32_000);
    await session.close();
  });

  it("give way, one by one, to what is given anew, which is noted and holds from then on", async () => {
    const store = await begun({ settings: { ...small(32_000), autoCompactPercent: 50 } });
    const again = await resumeSession({ store, settings: small(64_000) });
    expect(windowOf(again)).toBe(64_000);
    const auto = again.usage().thresholds.auto;
    await again.close();
    const last = await resumeSession({ store });
    expect([windowOf(last), last.usage().thresholds.auto]).toEqual([64_000, auto]);
    expect(await storedIn(last)).toEqual([
      { ...small(32_000), autoCompactPercent: 50 },
      { ...small(64_000), autoCompactPercent: 50 },
    ]);
    await last.close();
  });

  it("hold the window that the environment said, until it says another one", async () => {
    vi.stubEnv("PALIMPSEST_CONTEXT_WINDOW", "50000");
    onTestFinished(() => void vi.unstubAllEnvs());
    const store = await begun({ settings: { autoCompactPercent: 50 } });
    vi.stubEnv("PALIMPSEST_CONTEXT_WINDOW", undefined);
    const stored = (tokens: number) => ({ autoCompactPercent: 50, window: { defaultWindowTokens: tokens } });
    const windows: unknown[] = [];
    for (const given of [undefined, "64000", undefined]) {
      vi.stubEnv("PALIMPSEST_CONTEXT_WINDOW", given);
      const session = await resumeSession({ store });
      windows.push(windowOf(session), await storedIn(session));
      await session.close();
    }
    const changed = [stored(50_000), stored(64_000)];
    expect(windows).toEqual([50_000, [stored(50_000)], 64_000, changed, 64_000, changed]);
  });

  it("say nothing of a window that the model is known to have", async () => {
    vi.stubEnv("PALIMPSEST_CONTEXT_WINDOW", "50000");
    onTestFinished(() => void vi.unstubAllEnvs());
    const store = createVirtualStore();
    const session = await beginSession({ store, model: "claude-opus-4-5" });
    expect([windowOf(session), await storedIn(session)]).toEqual([200_000, [undefined]]);
    await session.close();
  });

  it("do not hold where the program says so", async () => {
    const store = await begun({ settings: small(32_000) });
    const session = await resumeSession({ store, keepsSettings: false });
    expect(windowOf(session)).toBe(200_000);
    expect(await storedIn(session)).toEqual([small(32_000), {}]);
    await session.close();
  });

  it("are not stored where they may hold keys, run something, allow something or spend", async () => {
    const settings: Settings = {
      ...small(32_000),
      environment: { TOKEN: "sk-secret" },
      mcp: { one: { url: "http://localhost/", headers: { authorization: "Bearer sk-secret" } } },
      hooks: { Stop: [{ hooks: [{ command: ["sk-secret"] }] }] },
      permissions: { allow: ["Bash"], deny: ["Write"] },
      additionalFolders: ["/elsewhere"],
      budget: { dollarsPerDay: 5 },
      durability: "relaxed",
      economy: "thrifty",
    };
    const session = await resumeSession({ store: await begun({ settings }) });
    expect(await storedIn(session)).toEqual([small(32_000)]);
    await session.close();
  });

  it("leave the mode to whoever opens the session, however it is said", async () => {
    const economies = async (options: SessionOptions) => {
      const seen: unknown[] = [];
      const layer: Layer = {
        id: "looks",
        moments: ["before-request"],
        decide(_view, _moment, { settings }) {
          seen.push(settings.economy);
          return { verdict: "skip", reason: "it only looks" };
        },
        apply: async () => ok([]),
      };
      const session = await resumeSession({ ...options, layers: [layer] });
      session.plan();
      await session.close();
      return seen;
    };
    const events: Event[] = [];
    const flags = { "compact-early": true };
    onTestFinished(() => void vi.unstubAllEnvs());
    const store = await begun({ settings: { economy: "thrifty" } });
    expect(await economies({ store })).toEqual([undefined]);
    expect(await economies({ store, settings: { economy: "thrifty" } })).toEqual(["thrifty"]);
    const onEvent = (event: Event) => void events.push(event);
    expect(await economies({ store, onEvent, settings: { flags } as Settings })).toEqual(["thrifty"]);
    expect(events.flatMap((event) => (event.type === "setting-ignored" ? event.message : []))).toEqual([
      'options: flags.compact-early is read as economy "thrifty" now; set that instead',
    ]);
    vi.stubEnv("PALIMPSEST_ECONOMY", "thrifty");
    expect(await economies({ store })).toEqual(["thrifty"]);
  });

  it("leave no trace where there are none", async () => {
    const session = await resumeSession({ store: await begun({}) });
    const [first] = await entriesOf(session);
    expect(first?.kind === "session" && "settings" in first.session).toBe(false);
    expect(await storedIn(session)).toEqual([undefined]);
    await session.close();
  });

  it("price answers after a restart too", async () => {
    const prices = {
      [model]: { input: 1_000_000, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 },
    };
    const store = createVirtualStore();
    const catalog = { ...small(32_000).catalog, prices };
    const session = await beginSession({ store, model, settings: { catalog } });
    await session.add(user("Hello."));
    await session.prepare();
    const usage = { input: 7, output: 1, cacheRead: 0, cacheCreation: 0 };
    await session.add({ role: "assistant", content: "Yes.", usage, stopReason: "end_turn" });
    await session.close();
    const events: Event[] = [];
    const again = await resumeSession({ store, onEvent: (event) => void events.push(event) });
    await again.add(user("Again?"));
    await again.prepare();
    await again.add({ role: "assistant", content: "Yes.", usage, stopReason: "end_turn" });
    expect(events.find(({ type }) => type === "request-end")).toMatchObject({ dollars: 7 });
    await again.close();
  });

  it("are not used where the log has others than there can be, and the session opens", async () => {
    const store = createVirtualStore();
    const broken = { catalog: 4 } as unknown as Settings;
    const created = await store.logs.create({
      kind: "session",
      session: { id: "one", project: "", model, settings: broken },
    });
    if (!created.ok) throw created.error;
    await created.value.close();
    const events: Event[] = [];
    const session = await resumeSession({ store, onEvent: (event) => void events.push(event) });
    expect(windowOf(session)).toBe(200_000);
    expect(events).toContainEqual(
      expect.objectContaining({
        type: "setting-ignored",
        message: expect.stringMatching(/^They are not used: the session's settings: catalog: expected/),
      }),
    );
    await session.close();
  });
});
