import { isQuarantined } from "./memory-paths.ts";
import { containedPercent, shinglesOf } from "./shingles.ts";
import { fileOf, type Snapshot } from "./snapshot.ts";

/** A text that newly has this part of a quarantined one says what that one says. */
const promotedPercent = 50;

/** Everything behind the front matter. */
function bodyOf(text: string): string {
  return text.replace(/^---\r?\n[\s\S]*?\r?\n---(?:\r?\n|$)/, "");
}

/** The quarantined file whose words a new text has taken over and its former one had not; `undefined`: none. */
export function promotedFrom(text: string, path: string, before: Snapshot): string | undefined {
  const had = shinglesOf(bodyOf(fileOf(before, path)?.text ?? ""));
  const gained = new Set([...shinglesOf(bodyOf(text))].filter((shingle) => !had.has(shingle)));
  const source = before.find(
    (file) =>
      isQuarantined(file.path) && containedPercent(shinglesOf(bodyOf(file.text)), gained) >= promotedPercent,
  );
  return source?.path;
}
