/** Names that have to be guessed, and what stands in their place: types and functions, settings, files. */
const words = [
  // A demo has scenes, and a person is asked questions.
  /\b(?:interface|type|class) (?!Open|User|Permission)\w*(?:Place|Question)s?\b/g,
  /\b(?:interface|type|class) \w+Scenes?\b/g,
  /\b(?:goOn|land|climb|isServant|forgive|proveAlive|toHarmless)\b(?=\(|,| \}|<)/g,
  /\b(?:sessionMemoryEnabled|contextCollapseEnabled)\b/g,
];

const fileNames =
  /\/(?:as-no-model|closed-with|hear-queued|asked|usage-besides|usual-ports|inside-layers|harmless|doors|opening|preparation)\.tsx?$/;

/** Where the old names of settings are read. */
const reader = "read-settings.ts";

/** The names of that list which stand in these files, with how often. */
export function namesOnList(files) {
  const found = new Map();
  const note = (name) => found.set(name, (found.get(name) ?? 0) + 1);
  for (const { path, text } of files.values()) {
    if (fileNames.test(path)) note(path);
    if (path.endsWith(`/${reader}`)) continue;
    for (const pattern of words) for (const [name] of text.matchAll(pattern)) note(name);
  }
  return found;
}
