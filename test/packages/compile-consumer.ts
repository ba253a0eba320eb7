import { readFileSync } from "node:fs";
import { join } from "node:path";
import { internalNames } from "../../scripts/internal-names.mjs";
import { root } from "../house/source-files.ts";
import { type Ended, runNode, writeIn } from "./consumer-project.ts";
import { entriesOf } from "./installed-package.ts";

/** The compilers of the repository, by their major version. */
const compilers = {
  7: "node_modules/typescript/bin/tsc",
  6: "node_modules/@typescript/typescript6/bin/tsc6",
} as const;

/** How a consumer finds modules: Node with nothing but its own types, or a bundler for browsers too. */
const resolutions = {
  nodenext: { module: "nodenext", moduleResolution: "nodenext", lib: ["es2022"] },
  bundler: { module: "esnext", moduleResolution: "bundler", lib: ["es2022", "dom", "dom.iterable"] },
} as const;

export type CompilerVersion = keyof typeof compilers;
export type Resolution = keyof typeof resolutions;

const strictest = {
  target: "es2022",
  types: ["node"],
  strict: true,
  skipLibCheck: false,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
};

/** Where the compiled programs are, in the project. */
export const compiledPrograms = "compiled/programs";

/** For every entry of a package a file that uses every name it gives; those of internal ones with their types. */
export function writeEntryUsers(project: string, name: string): void {
  for (const entry of entriesOf(project, name))
    writeIn(project, `entries/${entry.replaceAll(/\W+/g, "-")}.ts`, usesOf(name, entry));
}

function usesOf(name: string, entry: string): string {
  const inside = internalNames().filter((one) => one.entry === entry);
  if (inside.length > 0)
    return `export type { ${inside.map((one) => one.name).join(", ")} } from "${entry}";\n`;
  const used = publicNames(name, entry).map((one) => `entry.${one}`);
  return `import * as entry from "${entry}";\nexport const used = [${used.join(", ")}] as const;\n`;
}

function publicNames(name: string, entry: string): readonly string[] {
  const surface = JSON.parse(readFileSync(join(root, "test/house/public-names.json"), "utf8"));
  return surface[name][`.${entry.slice(name.length)}`];
}

/** Compiles programs and entries as strictly as a compiler can, and looks into the declarations of every package. */
export function compile(project: string, version: CompilerVersion, resolution: Resolution) {
  const config = `tsconfig.${version}.${resolution}.json`;
  const compilerOptions = { ...strictest, ...resolutions[resolution], noEmit: true };
  writeIn(project, config, JSON.stringify({ compilerOptions, include: ["entries", "programs"] }));
  return runCompiler(project, version, config);
}

/** Makes the programs into what Node runs. */
export function emitPrograms(project: string): Promise<Ended> {
  const config = "tsconfig.emit.json";
  const compilerOptions = { ...strictest, ...resolutions.nodenext, rootDir: ".", outDir: "compiled" };
  writeIn(project, config, JSON.stringify({ compilerOptions, include: ["programs"] }));
  return runCompiler(project, 7, config);
}

const runCompiler = (project: string, version: CompilerVersion, config: string) =>
  runNode(project, [join(root, compilers[version]), "--pretty", "false", "-p", config]);
