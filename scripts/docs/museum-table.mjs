// The museum of failures: what docs/museum.md says, against the fixtures and the tests that there are.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * Failures from here on were found in our own first release, 0.1.0, used from outside: their tests are in a folder that
 * knows the package only as its users do, and run against a release too. All rows below are there; those from here on
 * come one by one, each with its row on the page, its fixture and its test.
 */
export const firstOutsideRow = 42;

/** The folder of their tests. */
export const outside = "test/museum/outside";

const at = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const read = (path) => readFileSync(at(path), "utf8");
const page = "docs/museum.md";
const testTitle = /(?:\bit\(|\)\(\s*)"(?:museum )?(\d{1,2}): ((?:[^"\\]|\\.)*)"/g;

const testFiles = () =>
  ["test/museum", outside, "test/slow"].flatMap((folder) =>
    readdirSync(at(folder))
      .filter((name) => /\.(?:museum\.test|slow)\.ts$/.test(name))
      .map((name) => `${folder}/${name}`)
      .map((path) => ({ path, text: read(path) })),
  );

const fixtureNames = () => readdirSync(at("test/museum/fixtures"));

/** A row of the page; its last column may be empty until it is made. */
const rowPattern = /^\| (\d+) \| ([^|]+) \| ([^|]+) \|([^\n]*)\|$/gm;

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
  return [...text.matchAll(rowPattern)].map((row) => ({
    number: Number(row[1]),
    elsewhere: row[2],
    here: row[3],
    shown: row[4].trim(),
  }));
}

const rowOfFixture = (name) => Number(name.split("-", 1)[0]);

/** Every row below the first from outside, and those from there on that page, fixtures or tests name. */
function rowNumbers(rows, tests, fixtures) {
  const named = [...rows.map(({ number }) => number), ...tests.keys(), ...fixtures.map(rowOfFixture)];
  const required = Array.from({ length: firstOutsideRow - 1 }, (_, index) => index + 1);
  return [...new Set([...required, ...named])].sort((a, b) => a - b);
}

/** Every row with its fixtures and tests, and what is wrong with it. */
export function museumRows(rows = readRows(), files = testFiles(), names = fixtureNames()) {
  const tests = testsByRow(files);
  return rowNumbers(rows, tests, names).map((number) => {
    const row = rows.find((one) => one.number === number);
    const fixtures = names.filter((name) => rowOfFixture(name) === number);
    const own = tests.get(number) ?? [];
    const shown = own.map(({ path, title }) => `\`${path}\`: ${title.replaceAll("|", "\\|")}`).join("<br>");
    const unused = fixtures.filter((name) => !files.some(({ text }) => text.includes(name)));
    const problems = [
      ...(row ? [] : [`${page} has no row ${number}`]),
      ...(fixtures.length > 0 ? [] : [`row ${number} has no fixture test/museum/fixtures/${number}-…`]),
      ...unused.map((name) => `no test reads the fixture ${name}`),
      ...testProblems(number, own),
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

/** A row found from outside needs a test there; the slow suite may have more. */
function testProblems(number, tests) {
  const isFromOutside = number >= firstOutsideRow;
  const folder = isFromOutside ? outside : "test/museum";
  const misplaced = tests.filter(
    ({ path }) => isFromOutside && path.startsWith("test/museum/") && !path.startsWith(`${outside}/`),
  );
  const isThere = tests.some(({ path }) => !isFromOutside || path.startsWith(`${outside}/`));
  return [
    ...(isThere ? [] : [`no test of ${folder} is named "${number}: …"`]),
    ...misplaced.map(({ path }) => `row ${number} is tested in ${path}: its tests belong into ${outside}`),
  ];
}

/** The page, with the tests that there are. */
export function museumPage(text = read(page)) {
  const rows = museumRows(readRows(text));
  return text.replace(
    rowPattern,
    (_line, number, elsewhere, here) =>
      `| ${number} | ${elsewhere} | ${here} | ${rows.find((row) => row.number === Number(number))?.shown ?? ""} |`,
  );
}
