// The museum of failures: what docs/museum.md says, against the fixtures and the tests that there are.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** So many failures were collected; a new one gets the next number. */
const rowCount = 41;

const at = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const read = (path) => readFileSync(at(path), "utf8");
const page = "docs/museum.md";
const testTitle = /(?:\bit\(|\)\(\s*)"(?:museum )?(\d{1,2}): ((?:[^"\\]|\\.)*)"/g;

const testFiles = () =>
  ["test/museum", "test/slow"].flatMap((folder) =>
    readdirSync(at(folder))
      .filter((name) => /\.(?:museum\.test|slow)\.ts$/.test(name))
      .map((name) => `${folder}/${name}`)
      .map((path) => ({ path, text: read(path) })),
  );

/** The tests that name a row, by its number. */
function testsByRow(files) {
  const tests = new Map();
  for (const { path, text } of files) {
    for (const [, number, title] of text.matchAll(testTitle)) {
      tests.set(Number(number), [...(tests.get(Number(number)) ?? []), { path, title }]);
    }
  }
  return tests;
}

/** The rows of the page: number, what happens elsewhere, what happens here, and what it says of tests. */
export function readRows(text = read(page)) {
  return [...text.matchAll(/^\| (\d+) \| ([^|]+) \| ([^|]+) \| ([^\n]+) \|$/gm)].map((row) => ({
    number: Number(row[1]),
    elsewhere: row[2],
    here: row[3],
    shown: row[4],
  }));
}

/** Every row with its fixtures and tests, and what is wrong with it. */
export function museumRows(rows = readRows()) {
  const files = testFiles();
  const tests = testsByRow(files);
  const names = readdirSync(at("test/museum/fixtures"));
  return Array.from({ length: rowCount }, (_, index) => {
    const number = index + 1;
    const row = rows.find((one) => one.number === number);
    const fixtures = names.filter((name) => name.startsWith(`${String(number).padStart(2, "0")}-`));
    const own = tests.get(number) ?? [];
    const shown = own.map(({ path, title }) => `\`${path}\`: ${title.replaceAll("|", "\\|")}`).join("<br>");
    const unused = fixtures.filter((name) => !files.some(({ text }) => text.includes(name)));
    const problems = [
      ...(row ? [] : [`${page} has no row ${number}`]),
      ...(fixtures.length > 0 ? [] : [`row ${number} has no fixture test/museum/fixtures/${number}-…`]),
      ...unused.map((name) => `no test reads the fixture ${name}`),
      ...(own.length > 0 ? [] : [`no test of test/museum is named "${number}: …"`]),
      ...(row && row.shown !== shown
        ? [`${page} is behind in row ${number}: node scripts/check-museum.mjs --write`]
        : []),
    ];
    return {
      number,
      elsewhere: row?.elsewhere ?? "",
      here: row?.here ?? "",
      fixtures,
      tests: own,
      shown,
      problems,
    };
  });
}

/** The page, with the tests that there are. */
export function museumPage(text = read(page)) {
  const rows = museumRows(readRows(text));
  return text.replace(
    /^\| (\d+) \| ([^|]+) \| ([^|]+) \| [^\n]+ \|$/gm,
    (_line, number, elsewhere, here) =>
      `| ${number} | ${elsewhere} | ${here} | ${rows[Number(number) - 1]?.shown ?? ""} |`,
  );
}
