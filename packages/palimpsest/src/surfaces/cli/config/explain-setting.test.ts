import { describe, expect, it } from "vitest";
import { createStyle } from "../../terminal/style.ts";
import { type ExplainedSetting, explainSetting, explanationLines, groupLines } from "./explain-setting.ts";
import { settingNames } from "./setting-rows.ts";

const narrow = { columns: 40, style: createStyle(false) };

function explained(setting: string): ExplainedSetting {
  const row = { setting, value: 60, isHidden: false, source: { kind: "default" } } as const;
  const found = explainSetting(row);
  if (!found) throw new Error(`There is no setting ${setting}.`);
  return found;
}

describe("an explanation in a terminal of 40 columns", () => {
  it("puts what it says below its labels, and breaks no variable", () => {
    const lines = explanationLines(explained("compaction.budgetPercent"), undefined, narrow, "60", []);
    expect(lines).toContain("    PALIMPSEST_COMPACTION_BUDGET_PERCENT");
    expect(lines.filter((line) => line.length > 40)).toEqual([]);
  });

  it("shows every setting of every group without a line that is too long", () => {
    const shown = () => ({ value: "60", source: "default" });
    const lines = groupLines(settingNames().map(explained), narrow, shown);
    expect(lines.filter((line) => line.length > 40)).toEqual([]);
    for (const name of settingNames()) expect(lines.some((line) => line.startsWith(name))).toBe(true);
  });
});
