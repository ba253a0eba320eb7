import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

export { temporaryFolder } from "../../support/temporary-folder.ts";

/** The folder of the package under test: that of this repository, or what `check-museum --against` has installed. */
const folder =
  process.env.PALIMPSEST_MUSEUM_SUBJECT ??
  dirname(createRequire(import.meta.url).resolve("palimpsest/package.json"));

/** The script of the command line under test, as the package names it. */
export const commandLine = join(folder, readPackage().bin.palimpsest);

/** The module that `palimpsest` names in the package under test; 0.1.0 names the file alone. */
const packageModule = pathToFileURL(join(folder, fileOf(readPackage().exports["."]))).href;

/** No session notes, in the words of 0.1.0 and in ours. */
export const withoutNotes = { sessionMemoryEnabled: false, sessionNotesEnabled: false };

export interface CommandOptions {
  /** The data root. */
  readonly home: string;
  /** Where it is run; the data root when absent. */
  readonly cwd?: string;
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface CommandEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line to its end, in a process of its own, as a person without keys or settings. */
export function runCommand(args: readonly string[], options: CommandOptions): Promise<CommandEnd> {
  const { home, cwd = home, input = "", environment } = options;
  const { PATH = "" } = process.env;
  const env = { PATH, TZ: "UTC", HOME: "/nonexistent", PALIMPSEST_HOME: home, ...environment };
  return runNode([commandLine, ...args], { cwd, env, input });
}

/** Runs a module that imports `palimpsest` to its end, in a process of its own that is started with these options. */
export function runProgram(source: string, nodeOptions: readonly string[]): Promise<CommandEnd> {
  const module = source.replaceAll('from "palimpsest"', `from ${JSON.stringify(packageModule)}`);
  return runNode([...nodeOptions, "--input-type=module", "-"], {
    cwd: folder,
    env: process.env,
    input: module,
  });
}

interface NodeOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input: string;
}

function runNode(args: readonly string[], { cwd, env, input }: NodeOptions): Promise<CommandEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd, env });
    const output = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (text: string) => {
        output[name] += text;
      });
    }
    child.on("error", reject).on("close", (code) => resolve({ code, ...output }));
    child.stdin.on("error", () => undefined).end(input);
  });
}

type ExportTarget = string | { readonly default: string };

function fileOf(target: ExportTarget): string {
  return typeof target === "string" ? target : target.default;
}

function readPackage(): {
  readonly bin: { readonly palimpsest: string };
  readonly exports: { readonly ".": ExportTarget };
} {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}
