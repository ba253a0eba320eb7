import { readFileSync } from "node:fs";
import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";
import { bundled, entries } from "./entries.mjs";

/** The declarations of a package's entries, from those of its source, in as few files. Other packages stay outside. */
export async function bundleTypes(name, folder) {
  const { peerDependencies = {} } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  const optional = new RegExp(
    `^import .* from ['"](?:${Object.keys(peerDependencies).join("|")})(?:/.*)?['"];$`,
    "gm",
  );
  const inside = bundled[name];
  const input = Object.fromEntries(
    Object.entries(entries[name]).map(([entry, source]) => [
      entry,
      `${folder}/build/${source.replace(/\.ts$/, ".d.ts")}`,
    ]),
  );
  const bundle = await rollup({
    input,
    external: (id) => !id.startsWith(".") && !id.startsWith("/") && !inside.includes(id),
    plugins: [
      dts({ respectExternal: false, includeExternal: inside }),
      {
        // Whoever has not installed an optional peer compiles all the same.
        name: "optional-peers",
        renderChunk: (code) => code.replace(optional, "// @ts-ignore: an optional peer\n$&"),
      },
    ],
    onwarn: (warning) => {
      if (!mayBe(warning)) throw new Error(warning.message);
    },
  });
  await bundle.write({
    dir: `${folder}/dist`,
    format: "es",
    entryFileNames: "[name].d.ts",
    chunkFileNames: "types-[hash].d.ts",
  });
  await bundle.close();
}

/** Types may go in circles, and what is internal need not name every type that it uses. */
const mayBe = ({ code, message }) =>
  code === "CIRCULAR_DEPENDENCY" ||
  code === "CYCLIC_CROSS_CHUNK_REEXPORT" ||
  message.includes('Entry "internal');
