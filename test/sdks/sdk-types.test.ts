import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { docSnippets } from "./doc-snippets.ts";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const programs = readdirSync(at("programs")).map(
  (name) => [name, readFileSync(at(`programs/${name}`), "utf8")] as const,
);

/** Libraries of adapters, for snippets about them. The packages of this repository are those that were built. */
const libraries = ["ai", "@ai-sdk/anthropic", "langchain", "@langchain/anthropic", "@langchain/core"];

/** Compiles programs and snippets beside one set of SDKs, as strictly as a user may; gives what the compiler says. */
function compile(sdks: string): string {
  const folder = at(`${sdks}/build/`);
  rmSync(folder, { recursive: true, force: true });
  for (const name of libraries) {
    mkdirSync(dirname(`${folder}node_modules/${name}`), { recursive: true });
    symlinkSync(at(`../adapters/node_modules/${name}`), `${folder}node_modules/${name}`);
  }
  const files = [...programs, ...docSnippets()];
  for (const [name, text] of files) writeFileSync(`${folder}${name}`, text);
  const compilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: true },
    ...{
      target: "es2023",
      module: "nodenext",
      types: ["node"],
      typeRoots: [at("../../node_modules/@types")],
    },
  };
  writeFileSync(`${folder}package.json`, JSON.stringify({ type: "module" }));
  const config = { compilerOptions, files: files.map(([name]) => name) };
  writeFileSync(`${folder}tsconfig.json`, JSON.stringify(config));
  const compiler = at("../../node_modules/typescript/bin/tsc");
  try {
    return execFileSync(process.execPath, [compiler, "--pretty", "false", "-p", folder], {
      encoding: "utf8",
    });
  } catch (error) {
    return (error as { readonly stdout: string }).stdout;
  }
}

describe.each(["newest", "oldest"])("with the %s SDKs of Anthropic and OpenAI", (sdks) => {
  it("takes and gives their values without a cast, also in every snippet of README and guides", () => {
    expect(compile(sdks)).toBe("");
  });
});
