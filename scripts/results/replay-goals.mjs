// What the engine should reach on recorded sessions, beside what it does.

/**
 * Each goal is a headline: { what, value, unit, atMost | atLeast }, with `oracle`'s number where it has one. The value is
 * null where the sessions have nothing to judge it by.
 */
export function replayGoals(report, { isWholeSet, took }) {
  const engine = report.policies.find(({ policy }) => policy === "engine");
  if (!engine) return [];
  const oracle = report.policies.find(({ policy }) => policy === "oracle");
  const both = (what, goal, pick) => ({
    what,
    unit: "",
    value: pick(engine),
    oracle: oracle && pick(oracle),
    ...goal,
  });
  return [
    ...report.priceRows.map((row) =>
      both(
        `excess over the floor, of the cheapest other's, row ${row}`,
        { atMost: 0.5 },
        ({ cost }) => cost[row]?.excessOfCheapest,
      ),
    ),
    both("policy-made cache breaks per 30 requests", { atMost: 1 }, breaksPer30),
    both(
      "far edit_old in view or one recall away",
      { atLeast: 0.98 },
      ({ headline }) => headline.edit_old.withRecall.value,
    ),
    both("user messages word for word", { atLeast: 0.99 }, ({ retention }) => part(retention.userMessages)),
    both("latest user message word for word", { atLeast: 1 }, ({ retention }) =>
      part(retention.latestUserMessage),
    ),
    both("rules word for word", { atLeast: 1 }, ({ retention }) => part(retention.rules)),
    both("invalid requests", { unit: "count", atMost: 0 }, ({ invalid }) => invalid),
    ...(isWholeSet ? setGoals(report, took) : []),
  ];
}

/** Those of a whole folder of sessions. */
function setGoals({ sessions }, { wallMs, rss }) {
  const goals = [
    {
      what: "sessions that pass the calibration gate, whole or in parts",
      value: sessions.measured,
      unit: "count",
      atLeast: 25,
    },
    { what: "of them whole", value: sessions.whole, unit: "count" },
    { what: "all sessions under all policies, minutes", value: wallMs / 60_000, unit: "", atMost: 3 },
  ];
  return rss === null
    ? goals
    : [...goals, { what: "peak memory", value: rss / 2 ** 20, unit: "MB", atMost: 1024 }];
}

export function breaksPer30({ breaks, requests }) {
  return (30 * breaks.policy) / Math.max(1, requests);
}

export function part({ asked, kept }) {
  return asked === 0 ? null : kept / asked;
}
