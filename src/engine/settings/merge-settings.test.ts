import { describe, expect, it } from "vitest";
import type { Settings } from "../../spec/index.ts";
import { mergeSettings } from "./merge-settings.ts";

function merge(...parts: readonly Settings[]) {
  return mergeSettings(parts.map((settings, position) => ({ settings, source: `source ${position}` })));
}

describe("mergeSettings", () => {
  it("merges key by key, the later one wins, and remembers who set what", () => {
    expect(
      merge(
        { autoCompactEnabled: false, window: { autoBufferTokens: 1, errorBufferTokens: 1 } },
        { window: { autoBufferTokens: 2 }, flags: { "clear-cold": false } },
      ),
    ).toEqual({
      settings: {
        autoCompactEnabled: false,
        window: { autoBufferTokens: 2, errorBufferTokens: 1 },
        flags: { "clear-cold": false },
      },
      sources: {
        autoCompactEnabled: "source 0",
        "window.autoBufferTokens": "source 1",
        "window.errorBufferTokens": "source 0",
        "flags.clear-cold": "source 1",
      },
    });
  });

  it("takes a list as one value", () => {
    const wording = (id: string) => ({ id, servers: [], pattern: id });
    const merged = merge(
      { catalog: { overflowWordings: [wording("a"), wording("b")] } },
      { catalog: { overflowWordings: [wording("c")] } },
    );
    expect(merged.settings.catalog?.overflowWordings).toEqual([wording("c")]);
    expect(merged.sources).toEqual({ "catalog.overflowWordings": "source 1" });
  });

  it("forgets who set what is not there any more", () => {
    expect(merge({ hooks: { a: 1, b: { c: 2 } } }, { hooks: "none" })).toEqual({
      settings: { hooks: "none" },
      sources: { hooks: "source 1" },
    });
    expect(merge({ hooks: "none" }, { hooks: { a: 1 } }).sources).toEqual({ "hooks.a": "source 1" });
    expect(merge({ mcp: { ab: 1 }, hooks: { a: 1 } }, { mcp: null }).sources).toEqual({
      "hooks.a": "source 0",
      mcp: "source 1",
    });
  });

  it("hands on functions and instances as they are", () => {
    const hook = () => undefined;
    const instance = new (class {
      readonly field = 1;
    })();
    const { settings } = merge({ hooks: { Stop: ["a"] } }, { hooks: { Stop: [hook], Start: instance } });
    expect(settings.hooks).toEqual({ Stop: [hook], Start: instance });
    expect((settings.hooks as { Start: unknown }).Start).toBe(instance);
  });

  it("writes odd names in brackets and pollutes nothing", () => {
    const prices = JSON.parse('{"claude-*": {"input": 1}, "__proto__": {"input": 2}}');
    const merged = merge({ catalog: { prices } }, { catalog: { prices } });
    expect(Object.keys(merged.settings.catalog?.prices ?? {})).toEqual(["claude-*", "__proto__"]);
    expect(Object.keys(merged.sources)).toEqual([
      'catalog.prices["claude-*"].input',
      "catalog.prices.__proto__.input",
    ]);
    expect(({} as { input?: number }).input).toBeUndefined();
  });

  it("changes none of the parts", () => {
    const under = Object.freeze({ window: Object.freeze({ autoBufferTokens: 1 }) });
    merge(under, { window: { autoBufferTokens: 2 } });
    expect(under).toEqual({ window: { autoBufferTokens: 1 } });
  });
});
