import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { killSwitchesFlag } from "../../packages/core/src/session/flags/flag-table.ts";
import { flagTable, resolveFlags } from "../../packages/core/src/session/flags/index.ts";
import { settingGroups, settingsShape } from "../../packages/core/src/session/settings/all-settings.ts";
import { flagVariable } from "../../packages/core/src/settings/flag.ts";
import { settingsIn } from "../../packages/core/src/settings/setting.ts";
import { allVariables, variableOf } from "../../packages/core/src/settings/variables.ts";
import { readSwitches } from "../../packages/core/src/view/switches.ts";
import { resolveWindow } from "../../packages/core/src/view/window/window.ts";
import { chooseThresholds } from "../../packages/core/src/view/window/window-thresholds.ts";
import { settingRows } from "../../packages/palimpsest/src/surfaces/cli/config/setting-rows.ts";
import { createVirtualClock } from "../../packages/testing/src/index.ts";
import { settingsPage } from "./made-tables.ts";
import { root, sourceFiles } from "./source-files.ts";

const path = join(root, "docs/guides/settings.md");
const page = readFileSync(path, "utf8");

/** The rows of the first table behind a heading, as their cells. */
function tableBehind(heading: string): readonly (readonly string[])[] {
  const [, section = ""] = page.split(`\n## ${heading}\n`);
  const lines = section.split("\n## ")[0]?.split("\n") ?? [];
  return lines
    .filter((line) => line.startsWith("| `"))
    .map((line) =>
      line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim()),
    );
}

const quoted = (name: string) => `\`${name}\``;

/** Every variable that a source file names, reads by name or takes apart. */
function variablesInSource(): readonly string[] {
  const named = /\b(?:PALIMPSEST|CLAUDE|DISABLE|ENABLE|ANTHROPIC|OPENAI|XDG)_[A-Z_]*[A-Z]\b/g;
  const read = /\benvironment\.([A-Z][A-Z0-9_]*)\b/g;
  const taken = /\{([^{}]*)\}\s*=\s*environment\b/g;
  const texts = sourceFiles("packages")
    .filter(({ path }) => !path.endsWith(".test.ts") && !path.startsWith("packages/testing/src/"))
    .map(({ text }) => text);
  const found = texts.flatMap((text) => [
    ...[...text.matchAll(named)].map(([name]) => name),
    ...[...text.matchAll(read)].map(([, name = ""]) => name),
    ...[...text.matchAll(taken)].flatMap(([, names = ""]) => names.match(/\b[A-Z][A-Z0-9_]*\b/g) ?? []),
  ]);
  const ofFlags = Object.keys(flagTable).map(flagVariable);
  const declared = settingsIn(settingsShape).flatMap(({ setting }) => setting.variables ?? []);
  const ofSettings = settingsIn(settingsShape).map(({ name }) => variableOf(name));
  const isMade = (name: string) => ofSettings.includes(name) && !declared.includes(name);
  return [...new Set([...found, flagVariable(killSwitchesFlag)])].filter(
    (name) => !ofFlags.includes(name) && !isMade(name),
  );
}

describe("docs/guides/settings.md", () => {
  it("has a row with the default for every setting, and for nothing else", async () => {
    const survey = { files: [], settings: {}, sources: {}, warnings: [], problems: [] };
    const flags = await resolveFlags({ environment: {}, settings: {}, clock: createVirtualClock() });
    const capabilities = { known: false, value: { contextWindow: 0 } };
    const rows = settingRows({
      home: "/",
      project: "/",
      survey,
      flags,
      switches: readSwitches(),
      thresholds: chooseThresholds({}),
      window: resolveWindow({ model: "", capabilities }),
      warnings: [],
    });
    expect(tableBehind("Settings").map(([name, value]) => [name, value])).toEqual(
      rows.map(({ setting, value }) => [quoted(setting), String(value ?? "none")]),
    );
  });

  it("has a row with default, variable and description for every flag", () => {
    expect(tableBehind("Flags")).toEqual(
      Object.entries(flagTable).map(([name, { default: usual, description }]) => {
        const value = typeof usual === "boolean" ? (usual ? "on" : "off") : "none";
        return [quoted(name), value, quoted(flagVariable(name)), description];
      }),
    );
  });

  it("has tables that are made from the declarations; with -u they are written", async () => {
    await expect(settingsPage(page, settingGroups, flagTable)).toMatchFileSnapshot(path);
  });

  it("says in one line of each setting what it changes", () => {
    for (const { name, setting } of settingsIn(settingsShape)) {
      expect(setting.doc, name).toMatch(/^[^\n]{20,260}[^.\n]$/);
    }
  });

  it("has a row for every variable that the source reads", () => {
    const documented = tableBehind("Environment variables").map(([name]) => name);
    expect(documented.toSorted()).toEqual(variablesInSource().map(quoted).toSorted());
  });

  it("names flags that exist beside the settings", () => {
    const flags = settingsIn(settingsShape).flatMap(({ setting }) => setting.flag ?? []);
    expect(flags.filter((name) => !Object.hasOwn(flagTable, name))).toEqual([]);
    expect(flags.length).toBeGreaterThan(5);
  });

  it("gives every variable to one setting alone", () => {
    const names = allVariables(settingsShape);
    expect(new Set(names).size).toBe(names.length);
  });
});
