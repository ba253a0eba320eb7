// npm run check-museum -- [--write] [--against TARBALL] [--rows 42,43]: shows every row of the museum with its fixtures
// and tests, and fails where one is missing. With --write it brings the tests in docs/museum.md up to date. With --against
// it runs the tests of the rows that were found in a release against that release as it was packed, and fails unless each
// of them fails there by what it asserts.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { firstOutsideRow, museumPage, museumRows } from "./docs/museum-table.mjs";
import { compareWith } from "./museum/compare.mjs";
import { tarballProblem } from "./museum/install-package.mjs";

const usage = "Usage: npm run check-museum -- [--write] [--against TARBALL] [--rows 42,43]";

function wrongUse(message) {
  console.error(`${message}\n${usage}`);
  process.exit(2);
}

function readOptions() {
  const options = { write: { type: "boolean" }, against: { type: "string" }, rows: { type: "string" } };
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return wrongUse(error.message);
  }
}

/** The rows that are asked for; each has to be one. */
function chosen(rows, { rows: list, against }) {
  const asked = against === undefined ? rows : rows.filter(({ number }) => number >= firstOutsideRow);
  if (list === undefined) return asked;
  return list.split(",").map((text) => {
    const row = asked.find(({ number }) => String(number) === text.trim());
    const first = against === undefined ? 1 : firstOutsideRow;
    return row ?? wrongUse(`--rows: the museum has no row “${text}” from ${first} on.`);
  });
}

function show(rows) {
  for (const { number, elsewhere, fixtures, tests, problems } of rows) {
    console.log(
      `${String(number).padStart(2)}  ${problems.length === 0 ? "shown  " : "MISSING"}  ${elsewhere}`,
    );
    for (const fixture of fixtures) console.log(`      fixture ${fixture}`);
    for (const { path, title } of tests) console.log(`      test    ${path}: ${title}`);
  }
  const problems = rows.flatMap((row) => row.problems);
  for (const problem of problems) console.error(problem);
  console.log(
    `${rows.filter((row) => row.problems.length === 0).length} of ${rows.length} failures are shown not to happen here.`,
  );
  return problems.length === 0;
}

const options = readOptions();
if (options.against !== undefined) {
  const problem = tarballProblem(options.against);
  if (problem !== null) wrongUse(problem);
}
if (options.write) writeFileSync(fileURLToPath(new URL("../docs/museum.md", import.meta.url)), museumPage());
const rows = chosen(museumRows(), options);
try {
  const isShown = options.against === undefined ? show(rows) : await compareWith(options.against, rows);
  process.exitCode = isShown ? 0 : 1;
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
