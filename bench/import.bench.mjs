// What is paid before the first line of a program runs: CPU and files of importing the packages beside other libraries,
// the size of an install, and the start of the command.
// npm run bench -- import [--samples 20] [--json]
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { installPart } from "../scripts/install-part.mjs";
import { importCpuMs, importedFiles, runCost } from "./import-once.mjs";
import { installSize, installTarballs, packPackages } from "./import-packages.mjs";
import { machineLine } from "./machine-line.mjs";
import { createReporting, isMet } from "./reporting.mjs";

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { samples: { type: "string", default: "20" }, json: { type: "boolean", default: false } },
});
const { say, headline, end } = createReporting("import", values.json);
const samples = Number(values.samples);
const others = fileURLToPath(new URL("import-others", import.meta.url));

const goals = {
  cpuMs: { "@palimpsest/core": 60, palimpsest: 90 },
  files: { "@palimpsest/core": 40 },
  installMegabytes: { "@palimpsest/core": 12, palimpsest: 90 },
  installPackages: { "@palimpsest/core": 20 },
  versionMs: 25,
  tarballFiles: 150,
};

const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const megabytes = (bytes) => bytes / 1e6;

/** Notes a number, and gives its goal as the line beside it says it. */
function judged(one) {
  headline(one);
  if (one.atMost === undefined) return "";
  return `  ≤ ${one.atMost} ${one.unit} ${isMet(one) ? "reached" : "missed"}`;
}

/** Node 22 as npm has it for this platform, which two of the others ask for; `null` where it has none. */
function newerNode() {
  const { optionalDependencies } = readJson(join(others, "package.json"));
  for (const name of Object.keys(optionalDependencies)) {
    const folder = join(others, "node_modules", name);
    if (!existsSync(folder)) continue;
    const { version, bin } = readJson(join(folder, "package.json"));
    return { path: join(folder, bin.node), version: `v${version}` };
  }
  return null;
}

/** Takes a sample of each subject in turn, so that what else the machine does falls on all; the first warms the disk's cache. */
function interleaved(subjects, sample) {
  const measured = subjects.map(() => []);
  for (let round = -1; round < samples; round += 1)
    for (const [at, subject] of subjects.entries()) {
      const one = sample(subject);
      if (round >= 0) measured[at].push(one);
    }
  return measured;
}

function measureImports({ path, version }, subjects, home) {
  const all = [{ folder: home }, ...subjects].map((one) => ({ ...one, node: path }));
  const [empty, ...rest] = interleaved(all, importCpuMs).map(median);
  const costs = rest.map((cpuMs) => cpuMs - empty);
  const line = (name, columns, verdicts = "") =>
    say(`${name.padEnd(22)}${columns.map((one) => one.padStart(9)).join("")}${verdicts}`);
  say(
    `\nimport under Node ${version}: CPU above an empty module's ${empty.toFixed(1)} ms, median of ${samples}`,
  );
  line("", ["ms", "× core", "files"]);
  for (const [at, { name, folder }] of subjects.entries()) {
    const [cpuMs, ratio] = [costs[at], costs[at] / costs[0]];
    const files = importedFiles({ name, folder, node: path }, home).length;
    const under = `import ${name}, Node ${version}`;
    const cpu = judged({ what: `CPU, ${under}`, value: cpuMs, unit: "ms", atMost: goals.cpuMs[name] });
    const opened = judged({
      what: `files, ${under}`,
      value: files,
      unit: "files",
      atMost: goals.files[name],
    });
    headline({ what: `CPU, ${under}, of @palimpsest/core`, value: ratio, unit: "×" });
    line(`  ${name}`, [cpuMs.toFixed(1), ratio.toFixed(2), String(files)], cpu + opened);
  }
}

function printSizes(tarballs, projects) {
  say("\ninstalled by npm install, without optional peers, and size on disk");
  for (const { name, folder } of projects) {
    const { bytes, packages } = installSize(folder);
    const size = megabytes(bytes);
    const verdicts = [
      judged({ what: `install of ${name}`, value: size, unit: "MB", atMost: goals.installMegabytes[name] }),
      judged({
        what: `packages of an install of ${name}`,
        value: packages,
        unit: "packages",
        atMost: goals.installPackages[name],
      }),
    ];
    say(
      `  ${name.padEnd(22)}${size.toFixed(1).padStart(7)} MB ${String(packages).padStart(4)} packages${verdicts.join("")}`,
    );
  }
  say("\ntarballs");
  for (const { name, files, bytes } of tarballs) {
    const packed = megabytes(bytes);
    headline({ what: `tarball of ${name}, packed`, value: packed, unit: "MB" });
    const verdict = judged({
      what: `files in the tarball of ${name}`,
      value: files,
      unit: "files",
      atMost: goals.tarballFiles,
    });
    say(
      `  ${name.padEnd(22)}${packed.toFixed(2).padStart(7)} MB ${String(files).padStart(4)} files${verdict}`,
    );
  }
}

function measureVersion(cli, home) {
  const runs = interleaved(
    [
      ["-e", "0"],
      [cli, "--version"],
    ],
    (args) => runCost(process.execPath, args, home),
  );
  const [cpu, wall] = ["cpuMs", "wallMs"].map((name) =>
    runs.map((costs) => median(costs.map((one) => one[name]))),
  );
  const [cpuMs, wallMs] = [cpu[1] - cpu[0], wall[1] - wall[0]];
  const verdict = judged({
    what: "palimpsest --version above node -e 0, CPU",
    value: cpuMs,
    unit: "ms",
    atMost: goals.versionMs,
  });
  headline({ what: "palimpsest --version above node -e 0, wall time", value: wallMs, unit: "ms" });
  say(
    `\npalimpsest --version above node -e 0, Node ${process.version}, median of ${samples}\n` +
      `  CPU  ${cpuMs.toFixed(1).padStart(6)} ms above ${cpu[0].toFixed(1)} ms${verdict}\n` +
      `  wall ${wallMs.toFixed(1).padStart(6)} ms above ${wall[0].toFixed(1)} ms`,
  );
}

const home = mkdtempSync(join(tmpdir(), "palimpsest-bench-"));
try {
  say(`import on ${machineLine()}`);
  const absent = installPart("bench/import-others", "what is imported beside the packages", { tell: say });
  mkdirSync(join(home, "packed"));
  const tarballs = packPackages(join(home, "packed"));
  const projects = [
    { name: "@palimpsest/core", folder: join(home, "core"), tarballs: tarballs.slice(0, 1) },
    { name: "palimpsest", folder: join(home, "palimpsest"), tarballs },
  ];
  for (const { tarballs: wanted, folder } of projects) installTarballs(wanted, folder);
  const newer = absent === null ? newerNode() : null;
  if (newer !== null) {
    const beside = ["ai", "langchain", "@mastra/core"].map((name) => ({ name, folder: others }));
    measureImports(newer, [...projects, ...beside], home);
  } else say(`The others are absent: ${absent ?? "npm has no Node 22 for this platform"}.`);
  measureImports({ path: process.execPath, version: process.version }, projects, home);
  printSizes(tarballs, projects);
  measureVersion(join(home, "palimpsest/node_modules/palimpsest/dist/cli.js"), home);
  say(
    "\nFiles are the modules that Node loads; the package.json files it reads to find them come on top, 2 at most for ours.",
  );
  end();
} finally {
  rmSync(home, { recursive: true, force: true });
}
