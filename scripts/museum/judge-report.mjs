// Whether a failed test is evidence. A test that cannot find an export, or cannot be collected, shows nothing about the
// package: it has to have run, and to have failed by an assertion or by an error that the package itself has thrown.

const rowPattern = /^(?:museum )?(\d+): /;

/** The row that a test is named after; `undefined` where it names none. */
const rowOf = (title) => {
  const [, number] = rowPattern.exec(title) ?? [];
  return number === undefined ? undefined : Number(number);
};

/** A failed property reports its cause behind these words, once fast-check is told to include it. */
const causeOf = (text) => {
  const [, cause] = /^Error: Property failed after [\s\S]*?\nGot ([\s\S]*)$/.exec(text) ?? [];
  return cause?.replace(/^error: /, "Error: ") ?? text;
};

/** `expect(…).resolves` and `.rejects` throw a plain error where the promise ends the other way. */
const wrongEnd = /^Error: promise (?:resolved|rejected) [\s\S]*? instead of (?:resolving|rejecting)/;

/** How a test failed; `breaks` shows nothing about the package. */
function judgeCause(text) {
  if (/^AssertionError\b/.test(text) || wrongEnd.test(text)) return "fails";
  const isThrownByPackage = /^PalimpsestError\b/.test(text) && text.includes("/node_modules/palimpsest/");
  return isThrownByPackage ? "throws" : "breaks";
}

function judgeTest({ status, failureMessages }) {
  if (status === "passed") return { verdict: "passes", messages: [] };
  if (status !== "failed" || failureMessages.length === 0) return { verdict: "did not run", messages: [] };
  const causes = failureMessages.map(causeOf);
  const verdicts = causes.map(judgeCause);
  const verdict = ["breaks", "throws"].find((one) => verdicts.includes(one)) ?? "fails";
  return { verdict, messages: causes.map((cause) => cause.split("\n", 1)[0]) };
}

/**
 * Reads a report of vitest's JSON reporter. `tests`: every test of these rows, with its verdict: `fails` (by what
 * it asserts), `throws` (an error of the package ends it), `passes`, `breaks` (failed for another reason) or `did not
 * run`, and the first line of each failure. `uncollected`: files whose tests could not be found out.
 */
export function judgeReport({ testResults }, rows) {
  const tests = testResults.flatMap(({ name: path, assertionResults }) =>
    assertionResults
      .map((test) => ({ row: rowOf(test.title), path, title: test.title, ...judgeTest(test) }))
      .filter(({ row }) => rows.includes(row)),
  );
  const uncollected = testResults
    .filter(({ status, assertionResults }) => status === "failed" && assertionResults.length === 0)
    .map(({ name: path, message }) => ({ path, message: message.split("\n", 1)[0] }));
  return { tests, uncollected };
}

/** What speaks against a row being shown to fail: nothing, or one line each. */
export function rowProblems(row, { tests }) {
  const own = tests.filter((test) => test.row === row);
  if (own.length === 0) return [`row ${row} has no test that could be run`];
  return own
    .filter(({ verdict }) => verdict !== "fails" && verdict !== "throws")
    .map(({ title, verdict, messages }) =>
      verdict === "breaks"
        ? `“${title}” fails for a reason that is not the package's: ${messages.join("; ")}`
        : `“${title}” ${verdict} there`,
    );
}
