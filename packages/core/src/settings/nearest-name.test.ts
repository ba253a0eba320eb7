import { describe, expect, it } from "vitest";
import { nearestName } from "./nearest-name.ts";

const known = ["autoCompactEnabled", "autoCompactPercent", "flags", "hooks", "mcp", "clear", "clear-cold"];

describe("nearestName", () => {
  it.each([
    ["autoCompactEnbled", "autoCompactEnabled"],
    ["auto_compact_enabled", "autoCompactEnabled"],
    ["AUTOCOMPACTPERCENT", "autoCompactPercent"],
    ["autoCompcatEnabled", "autoCompactEnabled"],
    ["flag", "flags"],
    ["hoosk", "hooks"],
    ["claer", "clear"],
    ["CLEAR_COLD", "clear-cold"],
    ["mpc", "mcp"],
  ])("takes %s for %s", (name, meant) => {
    expect(nearestName(name, known)).toBe(meant);
  });

  it.each(["permissions", "x", "", "colour", "hooksAndMore"])("takes %j for nothing", (name) => {
    expect(nearestName(name, known)).toBeUndefined();
  });
});
