/** Settings that have another name now, by their old ones, which are still read. */
export const renamedSettings = {
  sessionMemoryEnabled: "sessionNotesEnabled",
  contextCollapseEnabled: "foldingEnabled",
} as const;

export type OldSettingName = keyof typeof renamedSettings;

const oldNames = Object.keys(renamedSettings) as OldSettingName[];

/** The same settings by the names of today, and the old names that stood there. A new name counts before its old one. */
export function withNewNames<Value>(settings: Value): { settings: Value; found: readonly OldSettingName[] } {
  const isTable = typeof settings === "object" && settings !== null && !Array.isArray(settings);
  const found = isTable ? oldNames.filter((name) => Object.hasOwn(settings, name)) : [];
  if (found.length === 0) return { settings, found };
  const renamed: Record<string, unknown> = { ...(settings as Record<string, unknown>) };
  for (const name of found) {
    renamed[renamedSettings[name]] ??= renamed[name];
    delete renamed[name];
  }
  return { settings: renamed as Value, found };
}
