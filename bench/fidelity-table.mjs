/** The headline of a replay, one row for each policy at each price row. */
export function fidelityRows({ policies, priceRows }) {
  return priceRows.flatMap((prices) =>
    policies.map(({ policy, cost, headline, retention, invalid, keepWarmReads }) => {
      const { plain, fetched, excessOfRecorded, excessOfUsage } = cost[prices];
      return {
        prices,
        policy,
        cost: plain.value,
        fetched: fetched.value,
        excess: excessOfRecorded?.value ?? null,
        excessOfUsage: excessOfUsage?.value ?? null,
        farInView: headline.edit_old.inView.value,
        farWithRecall: headline.edit_old.withRecall.value,
        answersInView: part(retention.answers),
        answersWithRecall: part(retention.answers, retention.recallableAnswers),
        userMessages: part(retention.userMessages),
        leastUserMessages: retention.leastUserMessages,
        orders: part(retention.orders),
        invalid,
        keepWarmReads,
      };
    }),
  );
}

function part({ asked, kept }, besides = 0) {
  return asked === 0 ? null : (kept + besides) / asked;
}

const head = [
  "policy",
  "$",
  "+fetch",
  "excess",
  "of usage",
  "far edits",
  "+recall",
  "answers",
  "+recall",
  "user",
  "least",
  "orders",
  "invalid",
];

/** The same for a person. */
export function fidelityLines({ sessions, ttl, goals, policies }, rows) {
  const needs = policies[0]?.headline.edit_old.needs ?? 0;
  const lines = [
    `n = ${sessions.measured} of ${sessions.files} sessions, ${sessions.measuredRequests} requests, ${needs} far edits, lifetimes ${ttl}; keeping everything = 1`,
    "excess: cost with fetches over the floor, as a part of the recorded agent's in the same cache; of usage: of what its requests were charged",
  ];
  for (const prices of new Set(rows.map((row) => row.prices))) {
    const cells = rows.filter((row) => row.prices === prices).map(toCells);
    lines.push("", `reading from the cache at ${prices} of input`, ...columns([head, ...cells]));
  }
  const missed = goals.filter(({ verdict }) => verdict !== "reached");
  if (missed.length > 0) lines.push("", ...missed.map(goalLine));
  return lines;
}

function toCells(row) {
  return [
    row.policy,
    ...[
      row.cost,
      row.fetched,
      row.excess,
      row.excessOfUsage,
      row.farInView,
      row.farWithRecall,
      row.answersInView,
      row.answersWithRecall,
      row.userMessages,
      row.leastUserMessages,
      row.orders,
    ].map((value) => (value === null ? "–" : value.toFixed(3))),
    String(row.invalid),
  ];
}

function goalLine({ policy, what, row, value, atMost, atLeast, verdict }) {
  const wanted = atMost === undefined ? `≥ ${atLeast}` : `≤ ${atMost}`;
  return `${policy}: ${what}: ${value === null ? "–" : value.toFixed(3)}, wanted ${wanted}: ${verdict} (prices ${row})`;
}

function columns(rows) {
  const widths = rows[0].map((_cell, at) => Math.max(...rows.map((row) => row[at].length)));
  return rows.map((row) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join("  "),
  );
}
