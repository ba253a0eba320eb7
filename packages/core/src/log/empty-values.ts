import { createHash } from "node:crypto";

/** Values of a session's head that hold nothing, by their hash: their bytes are known without any blob. */
const emptyValues: ReadonlyMap<string, string> = new Map(
  ["[]", "{}"].map((text) => [createHash("sha256").update(text).digest("hex"), text]),
);

/** The text of an empty list or object with that hash; `undefined` for all others. */
export function emptyValueOf(sha256: string): string | undefined {
  return emptyValues.get(sha256);
}
