import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  forClearingFlags,
  forClearingSettings,
} from "../../packages/core/src/layers/2-microcompact/settings.ts";
import { flagVariable } from "../../packages/core/src/session/flags/built-in-provider.ts";
import { killSwitchesFlag } from "../../packages/core/src/session/flags/flag-table.ts";
import { flagTable, resolveFlags } from "../../packages/core/src/session/flags/index.ts";
import { readSwitches } from "../../packages/core/src/view/switches.ts";
import { resolveWindow } from "../../packages/core/src/view/window/window.ts";
import { chooseThresholds } from "../../packages/core/src/view/window/window-thresholds.ts";
import { settingRows } from "../../packages/palimpsest/src/surfaces/cli/config/show-command.ts";
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
  return [...new Set([...found, flagVariable(killSwitchesFlag)])].filter((name) => !ofFlags.includes(name));
}

describe("docs/guides/settings.md", () => {
  it("has a row with the default for every setting, and for nothing else", async () => {
    const survey = { files: [], settings: {}, sources: {}, warnings: [] };
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

  it("says of clearing what the strategies declare; with -u it is written", async () => {
    const flags = Object.values(forClearingFlags((flag) => flag));
    const settings = forClearingSettings((setting) => setting);
    await expect(settingsPage(page, settings, flags)).toMatchFileSnapshot(path);
  });

  it("has a row for every variable that the source reads", () => {
    const documented = tableBehind("Environment variables").map(([name]) => name);
    expect(documented.toSorted()).toEqual(variablesInSource().map(quoted).toSorted());
  });

  it("names only variables and flags that exist beside the settings", () => {
    const variables = new Set(variablesInSource().map(quoted));
    const flags = new Set(Object.keys(flagTable).map((name) => `flag ${quoted(name)}`));
    const beside = tableBehind("Settings").flatMap(([, , cell = ""]) => cell.split(", ").filter(Boolean));
    const unknown = beside.filter((name) => !variables.has(name) && !flags.has(name));
    expect(unknown).toEqual(["`PALIMPSEST_FLAG_…`"]);
  });
});
