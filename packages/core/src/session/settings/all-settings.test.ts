import { describe, expect, expectTypeOf, it } from "vitest";
import { type CatalogOverrides, createCatalog } from "../../catalog/index.ts";
import { type ToolResultNumbers, toolResultNumbers } from "../../layers/1-tool-results/settings.ts";
import { type MicrocompactNumbers, microcompactNumbers } from "../../layers/2-microcompact/settings.ts";
import { notesNumbers } from "../../layers/3-session-notes/rules/index.ts";
import { foldingNumbers } from "../../layers/4-compaction/folding/rules/index.ts";
import type { CompactionChoices } from "../../layers/4-compaction/rules/compaction-plan.ts";
import { type CompactionNumbers, compactionNumbers } from "../../layers/4-compaction/settings.ts";
import { type DreamNumbers, dreamNumbers } from "../../layers/6-dream/settings.ts";
import { agentNumbers } from "../../layers/7-agents/rules/index.ts";
import { checkValue } from "../../settings/check-value.ts";
import type {
  CatalogSettings,
  CompactionSettings,
  DreamSettings,
  MicrocompactSettings,
  Settings,
  ToolResultSettings,
  WindowSettings,
} from "../../spec/index.ts";
import type { SwitchSettings } from "../../view/switches.ts";
import { type WindowNumbers, windowNumbers, withWindowNumbers } from "../../view/window/settings.ts";
import type { ThresholdSettings } from "../../view/window/window-thresholds.ts";
import { settingsSchema } from "./all-settings.ts";

const rates = { input: 1, cacheWrite5m: 1.25, cacheWrite1h: 2, cacheRead: 0.1, output: 5 };

const everything: Required<Settings> = {
  economy: "thrifty",
  compactEnabled: true,
  autoCompactEnabled: true,
  microcompactEnabled: false,
  sessionNotesEnabled: true,
  notesCompactionEnabled: true,
  foldingEnabled: false,
  autoCompactPercent: 80.5,
  autoCompactWindow: 50_000,
  blockingLimit: 1,
  window: windowNumbers,
  toolResults: toolResultNumbers,
  microcompact: microcompactNumbers,
  compaction: { native: "on-demand", ...compactionNumbers },
  sessionNotes: { ...notesNumbers, template: "## Title\n> What it is about." },
  folding: foldingNumbers,
  dream: { ...dreamNumbers, enabled: true },
  agents: { ...agentNumbers, summaryModel: "claude-haiku-4-5" },
  budget: { dollarsPerDay: 12.5 },
  cacheTtl: "1h",
  keepWarm: { enabled: true, mostReads: 3, dollarsPerSession: 1.5, intervalMinutes: 4 },
  durability: "relaxed",
  catalog: {
    capabilities: {
      "mine-*": {
        contextWindow: 32_000,
        maxOutput: 8_000,
        prefixBoundThinking: true,
        dropsUnboundThinking: false,
        contextManagement: false,
        cacheEdits: false,
        nativeCompaction: false,
        serverCompaction: false,
        cacheMarkers: true,
        minCachedPrefix: 0,
        images: { maxBytes: 1, maxSidePixels: 1, maxCount: 0, many: { count: 0, maxSidePixels: 1 } },
      },
    },
    prices: { mine: { ...rates, above: { tokens: 200_000, ...rates } }, other: { above: null, input: 0 } },
    overflowWordings: [{ id: "mine", servers: ["mine"], pattern: "over {limit} tokens" }],
  },
  flags: { clear: false, "tool-result-limits": { Bash: 30_000 } },
  permissions: { allow: ["Bash(git status:*)"], ask: ["Edit(src/**)"], deny: ["mcp__files__*"] },
  additionalFolders: ["../lib", "~/notes"],
  hooks: {
    PreCompact: [],
    PreToolUse: [
      {
        matcher: "Edit|Write|mcp__*",
        hooks: [{ command: ["./check.sh", "", "-x"], timeoutMs: 1, environment: ["A"] }],
      },
    ],
  },
  environment: { A: "1" },
  maskOwnSecrets: false,
  mcp: {
    files: { command: "serve", args: ["--all"], environment: { A: `\${B}` }, cwd: "." },
    wiki: { url: "https://example.org/mcp", headers: { Authorization: `Bearer \${TOKEN}` } },
  },
};

function check(value: unknown) {
  return checkValue(value, settingsSchema);
}

describe("settingsSchema", () => {
  it("takes every setting there is", () => {
    expect(check(everything)).toEqual({ value: everything, problems: [], unknown: [] });
  });

  it("has the types that the readers of settings have", () => {
    expectTypeOf<Pick<Settings, keyof SwitchSettings>>().toEqualTypeOf<SwitchSettings>();
    expectTypeOf<Pick<Settings, keyof ThresholdSettings>>().toEqualTypeOf<ThresholdSettings>();
    expectTypeOf<WindowSettings>().toEqualTypeOf<Partial<WindowNumbers>>();
    expectTypeOf<MicrocompactSettings>().toEqualTypeOf<Partial<MicrocompactNumbers>>();
    expectTypeOf<CompactionSettings>().toExtend<Partial<CompactionNumbers> & CompactionChoices>();
    expectTypeOf<Omit<DreamSettings, "enabled" | "dailyLogs">>().toEqualTypeOf<Partial<DreamNumbers>>();
    expectTypeOf<ToolResultSettings>().toEqualTypeOf<Partial<ToolResultNumbers>>();
    expectTypeOf<CatalogSettings>().toExtend<CatalogOverrides>();
    expectTypeOf<CatalogOverrides>().toExtend<CatalogSettings>();
  });

  it("takes the window's numbers exactly where the window does", () => {
    for (const name of Object.keys(windowNumbers)) {
      for (const value of [-1, 0, 1, 1.5, 200_000]) {
        const numbers = { [name]: value };
        const isTaken = check({ window: numbers }).problems.length === 0;
        if (isTaken) expect(withWindowNumbers(numbers)).toMatchObject(numbers);
        else expect(() => withWindowNumbers(numbers)).toThrow();
      }
    }
  });

  it.each<[CatalogOverrides | object]>([
    [{ capabilities: { a: { contextWindow: 0 } } }],
    [{ capabilities: { a: { images: { many: { count: 1 } } } } }],
    [{ capabilities: { a: { images: { maxCount: -1 } } } }],
    [{ capabilities: [] }],
    [{ prices: { a: { input: -1 } } }],
    [{ prices: { a: { above: { tokens: 1 } } } }],
    [{ overflowWordings: [{ id: "a", servers: [], pattern: "(" }] }],
    [{ overflowWordings: [{ id: "a", servers: "b", pattern: "c" }] }],
    [{ overflowWordings: [{ id: "a" }] }],
  ])("refuses of the catalog what the catalog refuses: %j", (catalog) => {
    expect(check({ catalog }).problems).toHaveLength(1);
    expect(() => createCatalog(catalog as CatalogOverrides)).toThrow();
  });

  it("gives the catalog nothing it would refuse", () => {
    const { value } = check(everything) as { value: Settings };
    expect(() => createCatalog(value.catalog)).not.toThrow();
  });

  it("says what is wrong with a wording", () => {
    const catalog = { overflowWordings: [{ id: "a", servers: [], pattern: "too long (" }] };
    expect(check({ catalog }).problems).toEqual([
      {
        path: "catalog.overflowWordings[0].pattern",
        problem: '"too long (" is not a regular expression',
        fix: "escape its special characters with two backslashes",
      },
    ]);
  });

  it.each([
    [{}, "expected command or url, got neither; add one of them"],
    [{ command: "a", url: "https://b" }, "expected command or url, got both; remove one of them"],
    [{ url: "https://b", args: ["c"], cwd: "d" }, "args, cwd cannot go with url; remove args, cwd"],
    [{ command: "a", headers: { b: "c" } }, "headers cannot go with command; remove headers"],
    [{ url: "file:///a" }, "expected an http or https address as url; write it as https://host/path"],
    [{ url: "https://me:hush@b" }, "expected a url without a user's name and password; send them in headers"],
    [{ command: 1 }, "expected a text, not empty, got a number; write a text in double quotes"],
  ])("refuses an MCP server's settings once: %j", (server, sentence) => {
    const { problems } = check({ mcp: { a: server } });
    expect(problems.map(({ problem, fix }) => `${problem}; ${fix}`)).toEqual([sentence]);
  });

  it("never shows what is wrong with MCP servers, and tells of each by itself", () => {
    const servers = { ab: { command: 1 }, a: {} };
    expect(check({ mcp: servers }).problems.map(({ path }) => path)).toEqual(["mcp.ab.command", "mcp.a"]);
    expect(check({ mcp: "sk-hush" }).problems).toMatchObject([{ problem: "expected an object, got a text" }]);
  });

  it("knows no flag that is not in the table", () => {
    expect(check({ flags: { claer: true, "kill-switches": "clear" } }).unknown).toMatchObject([
      { path: "flags.claer", fix: "did you mean clear?" },
      { path: "flags.kill-switches", fix: expect.stringMatching(/^known here: tool-result-limits, clear,/) },
    ]);
  });
});
