import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { outside } from "../docs/museum-table.mjs";
import { installPackage } from "./install-package.mjs";
import { judgeReport, rowProblems } from "./judge-report.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Runs the tests of these rows against a packed package, and prints for each row whether they fail there and how. Gives
 * whether every row is shown to fail. Nothing is left behind.
 */
export async function compareWith(tarball, rows) {
  const folder = mkdtempSync(join(tmpdir(), "palimpsest-museum-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const onSignal = () => process.exit(130);
  process.once("exit", remove);
  process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
  try {
    console.log(`Installing ${tarball} …`);
    const subject = await installPackage(tarball, folder);
    const paths = rows.flatMap(({ tests }) => tests.map(({ path }) => path));
    const files = [...new Set(paths.filter((path) => path.startsWith(`${outside}/`)))];
    const numbers = rows.map(({ number }) => number);
    const report = await runTests(files, numbers, { subject, reportFile: join(folder, "report.json") });
    return print(rows, judgeReport(report, numbers));
  } finally {
    process.off("exit", remove).off("SIGINT", onSignal).off("SIGTERM", onSignal);
    remove();
  }
}

/** Vitest's own report of these files' tests that are named after one of the rows. */
async function runTests(files, numbers, { subject, reportFile }) {
  if (files.length === 0) return { testResults: [] };
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const config = ["--config", "vitest.museum.config.ts", "--reporter=json", `--outputFile=${reportFile}`];
  const names = ["--testNamePattern", `(^| )(museum )?(${numbers.join("|")}): `];
  const env = { ...process.env, PALIMPSEST_MUSEUM_SUBJECT: subject };
  const said = await new Promise((resolve) => {
    execFile(
      process.execPath,
      [vitest, "run", ...config, ...names, ...files],
      { cwd: root, env },
      (_failed, out, error) => resolve(`${out}${error}`),
    );
  });
  if (!existsSync(reportFile)) throw new Error(`The tests could not be run:\n${said}`);
  return JSON.parse(readFileSync(reportFile, "utf8"));
}

function print(rows, judged) {
  const problems = judged.uncollected.map(
    ({ path, message }) => `${relative(root, path)} could not be collected: ${message}`,
  );
  for (const { number, elsewhere } of rows) {
    const wrong = rowProblems(number, judged);
    problems.push(...wrong);
    console.log(
      `${String(number).padStart(2)}  ${wrong.length === 0 ? "fails there" : "NOT SHOWN  "}  ${elsewhere}`,
    );
    for (const { row, title, verdict, messages } of judged.tests) {
      if (row !== number) continue;
      console.log(`      ${verdict.padEnd(11)}  ${title}`);
      for (const message of messages) console.log(`                   ${message}`);
    }
  }
  for (const problem of problems) console.error(problem);
  const shown = rows.filter(({ number }) => rowProblems(number, judged).length === 0).length;
  console.log(`${shown} of ${rows.length} rows are shown to fail there.`);
  return problems.length === 0;
}
