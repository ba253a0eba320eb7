import { word } from "../../settings/declare.ts";
import type { Facts } from "../../spec/index.ts";

/** How far a session may go to save money. */
export const economySettings = {
  economy: word(
    ["faithful", "thrifty"],
    "faithful",
    "`faithful`: compacts only when the window is nearly full; `thrifty`: also before, where that is expected to save money and the agent can recall what it misses, and answers a second read of an unchanged file with a reference",
  ),
};

export const defaultEconomy = economySettings.economy.default;

export function isThrifty({ settings }: Pick<Facts, "settings">): boolean {
  return settings.economy === "thrifty";
}
