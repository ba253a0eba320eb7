import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { rolldown } from "rolldown";
import { entries, programs } from "./entries.mjs";
import { foreignFolders } from "./licences.mjs";

const require = createRequire(import.meta.url);

/** The code of a package's entries and programs, in one folder. Gives the folders of packages that became part of it. */
export async function bundleCode(name, folder) {
  const { dependencies = {}, peerDependencies = {} } = JSON.parse(
    readFileSync(`${folder}/package.json`, "utf8"),
  );
  const outside = Object.keys({ ...dependencies, ...peerDependencies });
  const input = Object.fromEntries(
    Object.entries({ ...entries[name], ...programs[name] }).map(([entry, source]) => [
      entry,
      `${folder}/src/${source}`,
    ]),
  );
  const bundle = await rolldown({
    input,
    platform: "node",
    logLevel: "warn",
    external: (id) =>
      id.startsWith("node:") || outside.some((known) => id === known || id.startsWith(`${known}/`)),
    transform: { target: "node20", define: { "process.env.NODE_ENV": '"production"' } },
    tsconfig: false,
    plugins: [withoutDevtools, yamlModule],
    ...(groups[name] && { preserveEntrySignatures: "allow-extension" }),
  });
  const { output } = await bundle.write({
    dir: `${folder}/dist`,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    ...(groups[name] && { codeSplitting: { includeDependenciesRecursively: false, groups: groups[name] } }),
  });
  await bundle.close();
  return foreignFolders(output);
}

/** The form of yaml that is no CommonJS: that one asks for `process` by a call which other bundlers cannot follow. */
const yamlModule = {
  name: "yaml-module",
  resolveId: (id) =>
    id === "yaml" ? join(dirname(require.resolve("yaml/package.json")), "browser/index.js") : null,
};

/** Ink loads its tools for looking inside where its own developers ask for them; nobody else needs them. */
const withoutDevtools = {
  name: "without-devtools",
  load: (id) => (id.endsWith("/ink/build/devtools.js") ? "export {};" : null),
};

/** What is small and shared by many commands: a file for each would be too many. */
const groups = {
  palimpsest: [
    {
      name: "terminal",
      debugName: "terminal",
      test: (id) => isHelper.test(id) && !loadsMuch.some((name) => id.endsWith(`/${name}.ts`)),
    },
  ],
};

const isHelper = /\/palimpsest\/src\/surfaces\/(?:cli\/(?!main\.)|local\/|terminal\/)[\w-]+\.ts$/;
const loadsMuch = ["context-picture", "diff-lines", "diff-picture"];
