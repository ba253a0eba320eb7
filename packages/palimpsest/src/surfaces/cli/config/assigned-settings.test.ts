import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { economyOption, setOption } from "../set-option.ts";
import { assignedSettings } from "./assigned-settings.ts";

function settingsOf(...given: readonly string[]) {
  const command = new Command()
    .addOption(economyOption())
    .option(...setOption)
    .exitOverride();
  command.configureOutput({ writeErr: () => undefined });
  return assignedSettings(command.parse(given, { from: "user" }).opts());
}

describe("settings on a command line", () => {
  it("are those after --set, and the mode after --economy, which is stronger", () => {
    expect(settingsOf()).toBe(undefined);
    expect(settingsOf("--economy", "thrifty")).toEqual({ economy: "thrifty" });
    expect(settingsOf("--set", "economy=faithful", "--set", "cacheTtl=1h", "--economy", "thrifty")).toEqual({
      economy: "thrifty",
      cacheTtl: "1h",
    });
    expect(settingsOf("--set", "economy=thrifty")).toEqual({ economy: "thrifty" });
  });

  it("refuse a mode that there is not", () => {
    expect(() => settingsOf("--economy", "cheap")).toThrow(/Allowed choices are faithful, thrifty/);
    expect(() => settingsOf("--set", "economy=cheap")).toThrow(/expected one of "faithful", "thrifty"/);
  });
});
