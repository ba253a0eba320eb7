import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Puts what every package has (licence, changelog, and of `palimpsest` the README) beside the one that is packed. */
export function putBeside(name, folder) {
  const files = ["LICENSE", "CHANGELOG.md", ...(name === "palimpsest" ? ["README.md"] : [])];
  for (const file of files) copyFileSync(join(root, file), join(folder, file));
}
