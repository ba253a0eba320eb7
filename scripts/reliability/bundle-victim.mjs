import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { isDatabase } from "./open-store.mjs";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

/** The script of the victims as it is. */
export const plainVictim = path("../../test/children/victim.mjs");

/**
 * The script of the victims in few files: a process that reads hundreds takes twice as long to begin. On a database it is
 * the script as it is, since its stores are found by their place; there `dir` is null.
 */
export async function bundleVictim(address) {
  if (isDatabase(address)) return { script: plainVictim, dir: null };
  const dir = path(`../../node_modules/.cache/palimpsest-reliability/${process.pid}`);
  await build({
    input: plainVictim,
    platform: "node",
    logLevel: "silent",
    external: [/^[^./]/],
    output: { dir, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" },
  });
  return { script: `${dir}/victim.mjs`, dir };
}
