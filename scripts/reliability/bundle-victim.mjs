import { fileURLToPath } from "node:url";
import { build } from "rolldown";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

/** The script of the victims in few files: a process that reads hundreds takes twice as long to begin. */
export async function bundleVictim() {
  const dir = path(`../../node_modules/.cache/palimpsest-reliability/${process.pid}`);
  await build({
    input: path("../../test/children/victim.mjs"),
    platform: "node",
    logLevel: "silent",
    external: [/^[^./]/],
    output: { dir, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" },
  });
  return { script: `${dir}/victim.mjs`, dir };
}
