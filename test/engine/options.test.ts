import { describe, expect, it } from "vitest";
import { openSession, type SessionOptions } from "../../packages/core/src/session/open-session.ts";
import { resolveConfig } from "../../packages/core/src/session/session-config.ts";
import type { Event, Settings } from "../../packages/core/src/spec/index.ts";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import { createVirtualClock } from "../../packages/testing/src/virtual-clock.ts";
import { user } from "../support/session-messages.ts";
import { beginSession } from "../support/virtual-session.ts";
import { createVirtualStore } from "../support/virtual-store.ts";

function circular(): object {
  const one: Record<string, unknown> = { name: "Read" };
  one.self = one;
  return one;
}

const named = (...names: readonly unknown[]) => names.map((name) => ({ name, input_schema: {} }));

describe("options that are wrong", () => {
  it.each<[string, Readonly<Record<string, unknown>>, string]>([
    ["a model that is a number", { model: 42 }, "model"],
    ["a model that is a suffix", { model: " [1M] " }, "model"],
    ["a model whose name is a suffix", { model: { name: "[1m]", stream: () => undefined } }, "model"],
    ["a system prompt that is a number", { system: 42 }, "system"],
    ["a system prompt that holds null", { system: [null] }, "system"],
    ["tools that are a text", { tools: "Read" }, "tools"],
    ["a tool that is null", { tools: [null] }, "tools"],
    ["a tool that holds itself", { tools: [circular()] }, "tools"],
    ["a tool without a name", { tools: [{}] }, "tools[0].name"],
    ["a tool whose name the API refuses", { tools: named("Read", "Re ad") }, "tools[1].name"],
    ["two tools of one name", { tools: named("Read", "Read") }, "tools[1].name"],
    ["fields that are null", { request: null }, "request"],
    ["fields that are a list", { request: [] }, "request"],
    ["fields that hold themselves", { request: { metadata: circular() } }, "request"],
    ["betas that are a text", { request: { betas: "one-beta" } }, "request.betas"],
    ["layers that are a text", { layers: "mine" }, "layers"],
    ["a layer that is none", { layers: [{}] }, "layers"],
    ["an id that is a number", { id: 42 }, "id"],
    ["an id with a line break", { id: "a\nb" }, "a\nb"],
    ["an id that leads elsewhere", { id: "../one" }, "../one"],
    ["no id of the session to resume", { id: undefined, resume: true }, "id"],
    ["a clock without hands", { clock: {} }, "clock"],
    ["a store without logs", { store: {} }, "store"],
    ["a folder that is a number", { cwd: 42 }, "cwd"],
    ["a home that is a number", { home: 42 }, "home"],
    ["an unknown durability", { durability: "nonsense" }, "durability"],
    ["a listener that is no function", { onEvent: 4 }, "onEvent"],
    ["settings that are null", { settings: null }, "settings"],
    ["settings that are a list", { settings: [] }, "options"],
    ["an unknown durability in the settings", { settings: { durability: "nonsense" } }, "options"],
    ["a flag that is a word", { settings: { flags: { compact: "no" } } }, "options"],
  ])("are refused with their path: %s", async (_, options, path) => {
    await expect(beginSession(options as SessionOptions)).rejects.toMatchObject({
      name: "PalimpsestError",
      code: "invalid-input",
      path,
    });
  });

  it("are refused where they are no object at all", async () => {
    await expect(openSession(null as unknown as SessionOptions)).rejects.toMatchObject({
      code: "invalid-input",
      path: "options",
    });
  });

  it("leave nothing behind: the session can be begun with right ones", async () => {
    const store = createVirtualStore();
    const wrong = { store, tools: named("Re ad") } as SessionOptions;
    await expect(beginSession(wrong)).rejects.toMatchObject({ code: "invalid-input" });
    await (await beginSession({ store })).close();
  });
});

describe("options", () => {
  it("may give a model itself, of which the name is used", async () => {
    const model = { name: "claude-haiku-4-5", stream: () => undefined };
    const session = await beginSession({ model });
    await session.add(user("Hello."));
    expect((await session.prepare()).request.model).toBe("claude-haiku-4-5");
    await session.close();
  });

  it("may hold a setting that nobody knows, which is said and has no effect", async () => {
    const events: Event[] = [];
    const session = await beginSession({
      settings: { typo: 1 } as Settings,
      onEvent: (event) => events.push(event),
    });
    await session.close();
    expect(events).toMatchObject([
      {
        type: "setting-ignored",
        message: expect.stringMatching(/^options: typo: is not a setting and has no effect/),
      },
      { type: "session-open" },
      { type: "session-close" },
    ]);
  });

  it("may ask for the large window by a beta header, also of a model nobody knows", async () => {
    const request = { betas: ["context-1m-2025-08-07"] };
    const session = await beginSession({ model: "my-proxy", request });
    expect(session.usage().thresholds.window).toBe(1_000_000);
    await session.close();
  });

  it("are stronger than the environment, as flags too", async () => {
    const { switches, flags } = must(
      await resolveConfig({
        model: "claude-opus-4-5",
        options: { flags: { compact: true } },
        environment: { DISABLE_COMPACT: "1" },
        clock: createVirtualClock(),
      }),
    );
    expect([switches.compact, flags.values.compact]).toEqual([true, true]);
  });
});

describe("the environment", () => {
  it("switches a layer off for those who ask the switch and those who ask the flag", async () => {
    const { switches, flags } = must(
      await resolveConfig({
        model: "claude-opus-4-5",
        options: {},
        environment: { DISABLE_MICROCOMPACT: "1" },
        clock: createVirtualClock(),
      }),
    );
    expect([switches.microcompact, flags.values.clear]).toEqual([false, false]);
  });
});
