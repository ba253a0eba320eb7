import { type Schema, settingPath, settingsSchema } from "@palimpsest/core/internal";

/** Every setting by its place, in the order of the schema. Flags and hooks are one each. */
export function settingPlaces(): readonly (readonly string[])[] {
  return placesIn(settingsSchema, []);
}

/** Every setting as it is written: `durability`, `window.autoBufferTokens`. */
export function settingNames(): readonly string[] {
  return settingPlaces().map(settingPath);
}

function placesIn(schema: Schema, place: readonly string[]): readonly (readonly string[])[] {
  if (schema.kind !== "fields" || ["flags", "hooks"].includes(place.join())) return [place];
  return Object.entries(schema.fields).flatMap(([name, part]) => placesIn(part, [...place, name]));
}
