import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

/** The environment without what would give Node other options, or a cache of compiled code. */
const { NODE_OPTIONS, NODE_COMPILE_CACHE, ...environment } = process.env;

/** Runs before anything of the program's own: the CPU time of the process until then, user and system, is what importing took. */
const firstLine = `import { writeSync } from "node:fs";
const { user, system } = process.cpuUsage();
writeSync(1, "\\n" + (user + system) / 1000);
process.exit();`;

/** A subject is { name, node, folder }: a package, the Node that loads it, and a folder where it is installed; without a name, nothing is imported. */
const programOf = ({ name }, rest) => [
  "--input-type=module",
  "--eval",
  `${name === undefined ? "" : `import ${JSON.stringify(name)};\n`}${rest}`,
];

/** Milliseconds of CPU until the first line of a program that imports a package, in a process of its own. */
export function importCpuMs(subject) {
  const said = execFileSync(subject.node, programOf(subject, firstLine), {
    cwd: subject.folder,
    env: environment,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  return Number(said.slice(said.lastIndexOf("\n")));
}

/** Paths of the packages' files that importing a package loads. They are counted in a process that is not timed. */
export function importedFiles(subject, home) {
  const record = join(home, "imported");
  rmSync(record, { force: true });
  execFileSync(
    subject.node,
    ["--import", path("import-recorder.mjs"), ...programOf(subject, "process.exit();")],
    {
      cwd: subject.folder,
      env: { ...environment, PALIMPSEST_IMPORT_RECORD: record },
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  const urls = readFileSync(record, "utf8").split("\n");
  return [...new Set(urls.filter((url) => url.includes("/node_modules/")))];
}

/** CPU and wall time of a whole process, in milliseconds. */
export function runCost(node, args, home) {
  const startedMs = performance.now();
  const { status, stderr } = spawnSync(node, ["--require", path("import-cpu-at-exit.cjs"), ...args], {
    cwd: home,
    env: { ...environment, HOME: home },
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe"],
  });
  const wallMs = performance.now() - startedMs;
  if (status !== 0) throw new Error(`node ${args.join(" ")} ended with ${status}: ${stderr.slice(0, 400)}`);
  return { cpuMs: Number(stderr.slice(stderr.lastIndexOf("\n"))), wallMs };
}
