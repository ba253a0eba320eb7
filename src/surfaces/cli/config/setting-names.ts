import type { Schema } from "../../../engine/settings/schema.ts";
import { settingPath } from "../../../engine/settings/setting-path.ts";
import { settingsSchema } from "../../../engine/settings/settings-schema.ts";

/** Every setting by its place, in the order of the schema. Flags have a command of their own and are one here. */
export function settingPlaces(): readonly (readonly string[])[] {
  return placesIn(settingsSchema, []);
}

/** Every setting as it is written: `durability`, `window.autoBufferTokens`. */
export function settingNames(): readonly string[] {
  return settingPlaces().map(settingPath);
}

function placesIn(schema: Schema, place: readonly string[]): readonly (readonly string[])[] {
  if (schema.kind !== "fields" || place.join() === "flags") return [place];
  return Object.entries(schema.fields).flatMap(([name, part]) => placesIn(part, [...place, name]));
}
