import { describe, expect, it } from "vitest";
import { createVirtualClock } from "../../../../testing/src/index.ts";
import { settingsIn } from "../../settings/setting.ts";
import { isScalar, variableOf, variablesOf } from "../../settings/variables.ts";
import { resolveConfig } from "../session-config.ts";
import { settingsShape } from "./all-settings.ts";
import { readEnvironmentSettings } from "./environment-settings.ts";

const read = (environment: Readonly<Record<string, string>>) => readEnvironmentSettings(environment);

describe("readEnvironmentSettings", () => {
  it("makes a variable of the name of every number, text and switch, and of nothing else", () => {
    for (const { name, setting } of settingsIn(settingsShape)) {
      const variables = variablesOf(name, setting);
      expect(variables.includes(variableOf(name)), name).toBe(isScalar(setting));
    }
    expect(variableOf("compaction.budgetPercent")).toBe("PALIMPSEST_COMPACTION_BUDGET_PERCENT");
  });

  it("gives each setting with its variable", () => {
    expect(
      read({
        PALIMPSEST_COMPACTION_MODEL: "claude-haiku-4-5",
        PALIMPSEST_BUDGET_DOLLARS_PER_DAY: "2.5",
        PALIMPSEST_DREAM_ENABLED: "off",
        PALIMPSEST_DURABILITY: "fsync",
      }).parts,
    ).toEqual([
      { source: "PALIMPSEST_BUDGET_DOLLARS_PER_DAY", settings: { budget: { dollarsPerDay: 2.5 } } },
      { source: "PALIMPSEST_COMPACTION_MODEL", settings: { compaction: { model: "claude-haiku-4-5" } } },
      { source: "PALIMPSEST_DREAM_ENABLED", settings: { dream: { enabled: false } } },
      { source: "PALIMPSEST_DURABILITY", settings: { durability: "fsync" } },
    ]);
  });

  it("passes over what a setting does not take, and says what it takes", () => {
    const { parts, warnings } = read({
      PALIMPSEST_COMPACTION_BUDGET_PERCENT: "101",
      PALIMPSEST_CACHE_TTL: "2h",
      PALIMPSEST_DREAM_ENABLED: "perhaps",
      PALIMPSEST_COMPACTION_PROMPT: " ",
    });
    expect(parts).toEqual([]);
    expect(warnings.map(({ message }) => message)).toEqual([
      'PALIMPSEST_COMPACTION_BUDGET_PERCENT is ignored: "101" is not a whole number ≥ 0 and ≤ 100.',
      'PALIMPSEST_DREAM_ENABLED is ignored: "perhaps" is not one of 1, true, yes, on, 0, false, no, off.',
      'PALIMPSEST_CACHE_TTL is ignored: "2h" is not one of "auto", "5m", "1h".',
    ]);
  });

  it.each([
    ["PALIMPSEST_BUDGET_DOLLARS_PER_DAY", "$5", 'expected a number ≥ 0, got "$5"; write 5 without quotes'],
    ["PALIMPSEST_AGENTS_MAX_DOLLARS", "ten", 'expected a number ≥ 0, got "ten"; write a number'],
    ["PALIMPSEST_AGENTS_MAX_RUNNING", "0", 'expected a whole number ≥ 1, got "0"; write 1 or more'],
    ["PALIMPSEST_DREAM_MAX_TOKENS", "1.5", 'expected a whole number ≥ 1, got "1.5"; write 2'],
  ])("opens nothing where %s=%s is no limit", async (variable, value, message) => {
    const { parts, warnings, problems } = read({ [variable]: value });
    const told = `${variable}: ${message.replace(" without quotes", "")}, or unset it`;
    expect({ parts, warnings, problems }).toEqual({
      parts: [],
      warnings: [],
      problems: [{ setting: variable, value, message: told }],
    });
    const environment = { [variable]: value };
    const resolved = await resolveConfig({
      model: "claude-opus-4-8",
      options: {},
      environment,
      clock: createVirtualClock(),
    });
    expect(resolved).toMatchObject({ ok: false, error: { code: "invalid-input", path: variable } });
  });

  it("opens nothing where a limit is misspelt, or a rule stands in a variable that nobody reads", () => {
    const { warnings, problems } = read({
      PALIMPSEST_BUDGET_DOLLAR_PER_DAY: "5",
      PALIMPSEST_PERMISSIONS_DENY: "WebFetch",
      PALIMPSEST_HOOKS: "{}",
    });
    expect(problems.map(({ message }) => message)).toEqual([
      "PALIMPSEST_BUDGET_DOLLAR_PER_DAY is not a setting and has no effect; did you mean PALIMPSEST_BUDGET_DOLLARS_PER_DAY?",
      "PALIMPSEST_PERMISSIONS_DENY has no effect: permissions.deny is a list, which no variable can hold; write it into a settings file",
    ]);
    expect(warnings.map(({ message }) => message)).toEqual([
      "PALIMPSEST_HOOKS has no effect: hooks is an object, which no variable can hold; write it into a settings file",
    ]);
  });

  it("tells of a name that is near to a variable, and of no other", () => {
    const { warnings } = read({
      PALIMPSEST_COMPACTION_BUGET_PERCENT: "50",
      PALIMPSEST_HOME: "/home",
      PALIMPSEST_SESSION: "s",
      PALIMPSEST_FLAG_FOLD: "1",
      PALIMPSEST_SOMETHING_ELSE_ALTOGETHER: "1",
      OTHER_COMPACTION_BUDGET_PERCENT: "1",
    });
    expect(warnings.map(({ message }) => message)).toEqual([
      "PALIMPSEST_COMPACTION_BUGET_PERCENT is not a setting and has no effect; did you mean PALIMPSEST_COMPACTION_BUDGET_PERCENT?",
    ]);
  });

  it("leaves switches, thresholds and the window to those who rank them among other sources", () => {
    const environment = { PALIMPSEST_COMPACT_ENABLED: "0", PALIMPSEST_BLOCKING_LIMIT: "5" };
    expect(read(environment)).toEqual({ parts: [], warnings: [], problems: [] });
  });
});

describe("a session's configuration", () => {
  const resolve = async (environment: Readonly<Record<string, string>>, options = {}) => {
    const asked = { model: "claude-sonnet-4-5", options, environment, clock: createVirtualClock() };
    const resolved = await resolveConfig(asked);
    if (!resolved.ok) throw resolved.error;
    return resolved.value;
  };

  it("takes a variable before files, and an option before a variable", async () => {
    const environment = { PALIMPSEST_COMPACTION_BUDGET_PERCENT: "50" };
    expect((await resolve(environment)).settings.compaction).toEqual({ budgetPercent: 50 });
    const options = { compaction: { budgetPercent: 70 } };
    expect((await resolve(environment, options)).settings.compaction).toEqual({ budgetPercent: 70 });
  });

  it("hears switches and thresholds by the names made of theirs too, after the names of their own", async () => {
    const made = { PALIMPSEST_COMPACT_ENABLED: "0", PALIMPSEST_AUTO_COMPACT_WINDOW: "50000" };
    const { switches, thresholds } = await resolve(made);
    expect(switches).toMatchObject({ compact: false, sources: { compact: "PALIMPSEST_COMPACT_ENABLED" } });
    expect(thresholds.window).toBe(50_000);
    const both = { ...made, CLAUDE_CODE_AUTO_COMPACT_WINDOW: "60000", PALIMPSEST_FOLDING_ENABLED: "1" };
    expect((await resolve(both)).thresholds.window).toBe(60_000);
  });
});
