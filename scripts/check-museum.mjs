// npm run check-museum [-- --write]: shows every row of the museum with its fixtures and tests, and fails where one is
// missing. With --write it brings the tests in docs/museum.md up to date.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { museumPage, museumRows } from "./docs/museum-table.mjs";

if (process.argv.includes("--write")) {
  writeFileSync(fileURLToPath(new URL("../docs/museum.md", import.meta.url)), museumPage());
}
const rows = museumRows();
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
process.exit(problems.length === 0 ? 0 : 1);
