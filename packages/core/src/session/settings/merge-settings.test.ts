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

  it("puts hooks, permission rules and folders of all parts together, in their order", () => {
    const rule = (program: string) => ({ hooks: [{ command: [program] }] });
    expect(
      merge(
        { hooks: { Stop: [rule("a")] }, permissions: { deny: ["Bash"] }, additionalFolders: [] },
        { hooks: { Stop: [rule("b"), rule("a")], SessionEnd: [] }, permissions: { allow: [] } },
        { permissions: { deny: ["Edit"] }, additionalFolders: ["../lib"] },
      ),
    ).toEqual({
      settings: {
        hooks: { Stop: [rule("a"), rule("b"), rule("a")], SessionEnd: [] },
        permissions: { deny: ["Bash", "Edit"], allow: [] },
        additionalFolders: ["../lib"],
      },
      sources: {
        "hooks.Stop[0]": "source 0",
        "hooks.Stop[1]": "source 1",
        "hooks.Stop[2]": "source 1",
        "hooks.SessionEnd": "source 1",
        "permissions.deny[0]": "source 0",
        "permissions.deny[1]": "source 2",
        "permissions.allow": "source 1",
        "additionalFolders[0]": "source 2",
      },
    });
  });

  it("forgets who set what is not there any more", () => {
    const table = { mcp: { a: { command: "a", cwd: "." } } };
    const none = { mcp: null as never };
    expect(merge(table, none)).toEqual({ settings: none, sources: { mcp: "source 1" } });
    expect(merge(none, { mcp: { a: { url: "b" } } }).sources).toEqual({ "mcp.a.url": "source 1" });
    expect(merge({ environment: { ab: "1" }, ...table }, { environment: null as never }).sources).toEqual({
      "mcp.a.command": "source 0",
      "mcp.a.cwd": "source 0",
      environment: "source 1",
    });
  });

  it("hands on functions and instances as they are", () => {
    const server = () => undefined;
    const instance = new (class {
      readonly field = 1;
    })();
    const given = { a: [server], b: instance } as never;
    const { settings } = merge({ mcp: { a: ["a"] } as never }, { mcp: given });
    expect(settings.mcp).toEqual({ a: [server], b: instance });
    expect(settings.mcp?.b).toBe(instance);
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
