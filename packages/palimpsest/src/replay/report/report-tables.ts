import type { KeptCount } from "../retention/retention-tally.ts";
import { reasonText } from "./goal-reasons.ts";
import type { Estimate, PolicySummary, ReplayGoal, ReplayReport, ReportTable } from "./replay-report.ts";

export function reportTables(report: ReplayReport): readonly ReportTable[] {
  return [
    ...(report.goals.length > 0 ? [goalTable(report)] : []),
    costTable(report),
    excessTable(report),
    cacheTable(report),
    survivalTable(report),
    distanceTable(report),
    retentionTable(report),
  ];
}

function costTable({ policies, priceRows }: ReplayReport): ReportTable {
  return {
    title: "Cost, identity = 1",
    head: ["policy", ...priceRows.flatMap((row) => [row, `${row} fetched`, "95 %"])],
    rows: policies.map(({ policy, cost }) => [
      policy,
      ...priceRows.flatMap((row) => [
        ratio(cost[row]?.plain),
        ratio(cost[row]?.fetched),
        interval(cost[row]?.fetched),
      ]),
    ]),
    notes: [
      "A number names a price row: the price of cached input relative to input. “catalog”: each session's own model.",
      "“fetched”: a block that a later call needs and the view lacks costs one more request and its content, which stays. Compare this column.",
    ],
  };
}

function excessTable({ policies, priceRows }: ReplayReport): ReportTable {
  return {
    title: "Extra cost beyond system, tools and output, with fetches, the recorded agent's = 1",
    head: ["policy", ...priceRows.flatMap((row) => [row, "95 %", "of usage", "of cheapest"])],
    rows: policies.map(({ policy, cost }) => [
      policy,
      ...priceRows.flatMap((row) => [
        ratio(cost[row]?.excessOfRecorded),
        interval(cost[row]?.excessOfRecorded),
        ratio(cost[row]?.excessOfUsage),
        decimals(cost[row]?.excessOfCheapest),
      ]),
    ]),
    notes: [
      "The recorded agent: its contexts in the simulated cache (recorded-simulated); “of usage”: what the recording says that its requests took (recorded).",
      "“of cheapest”: compared with identity, recency, sliding-mask, api-default and token-threshold, as far as they were run.",
    ],
  };
}

function cacheTable({ policies, sessions, priceRows }: ReplayReport): ReportTable {
  const perSession = (value: number) => (value / Math.max(1, sessions.measured)).toFixed(1);
  const dollarsRow = priceRows.find((row) => row === "catalog");
  return {
    title: "Cache and context",
    head: [
      "policy",
      ...(dollarsRow ? ["$", "$ fetched"] : []),
      "breaks a session",
      "per 30 requests",
      "rewritten",
      "by TTL",
      "recorded",
      "mean",
      "p95",
      "peak",
      "overflows",
      "fetches a session",
      "kept warm",
      "invalid",
      "thinking",
    ],
    rows: policies.map((one) => [
      one.policy,
      ...(dollarsRow ? [money(one.cost[dollarsRow]?.total), money(one.cost[dollarsRow]?.totalFetched)] : []),
      perSession(one.breaks.policy),
      ((30 * one.breaks.policy) / Math.max(1, one.requests)).toFixed(2),
      thousands(one.rewrittenTokens / Math.max(1, sessions.measured)),
      perSession(one.breaks.idle),
      perSession(one.breaks.recorded),
      thousands(one.context.mean),
      thousands(one.context.p95),
      thousands(one.context.peak),
      String(one.overflows),
      perSession(one.fetches.blocks),
      perSession(one.keepWarmReads),
      String(one.invalid),
      String(one.invalidatedThinking),
    ]),
    notes: [
      "Breaks and tokens written again are the policy's own; those by idle time and by recorded boundaries and changes of model are listed separately.",
      "“kept warm”: reads between requests that kept the cache warm, a session; they are in the cost.",
      "“thinking”: blocks after an edit, whose signatures are invalid on models that bind them to their prefix.",
    ],
  };
}

function survivalTable({ policies }: ReplayReport): ReportTable {
  return {
    title: "Grounding survival: facts that later calls need, in view, and in view or one recall away",
    head: ["policy", "edit_old >10", "95 %", "+ recall", "num >10", "95 %", "+ recall", "all", "+ recall"],
    rows: policies.map(({ policy, headline, all }) => [
      policy,
      ratio(headline.edit_old.inView),
      interval(headline.edit_old.inView),
      ratio(headline.edit_old.withRecall),
      ratio(headline.num.inView),
      interval(headline.num.inView),
      ratio(headline.num.withRecall),
      ratio(all.inView),
      ratio(all.withRecall),
    ]),
    notes: [
      "A necessary condition only: facts out of view cannot be used word for word; facts in view may still be used wrongly. No answer was judged.",
    ],
  };
}

function distanceTable({ policies }: ReplayReport): ReportTable {
  const keys = [...new Set(policies.flatMap(({ survival }) => survival.map(keyOf)))];
  return {
    title: "In view, by type of atom and requests since its source",
    head: ["policy", ...keys],
    rows: policies.map(({ policy, survival }) => [
      policy,
      ...keys.map((key) => {
        const row = survival.find((one) => keyOf(one) === key);
        if (!row) return "–";
        const { "in-view": inView, recall, refetch, lost } = row.counts;
        return decimals(inView / (inView + recall + refetch + lost));
      }),
    ]),
    notes: [],
  };
}

function keyOf({ type, distance }: PolicySummary["survival"][number]): string {
  return `${type} ${distance}`;
}

function retentionTable({ policies }: ReplayReport): ReportTable {
  return {
    title: "Facts that should still be known, at every request",
    head: [
      "policy",
      "user messages",
      "least",
      "latest",
      "answers",
      "+ recall",
      "orders",
      "rules",
      "plan, to-dos",
      "stale",
      "written files",
      "newest error",
    ],
    rows: policies.map(({ policy, retention: kept }) => [
      policy,
      part(kept.userMessages),
      decimals(kept.leastUserMessages),
      part(kept.latestUserMessage),
      part(kept.answers),
      part({ ...kept.answers, kept: kept.answers.kept + kept.recallableAnswers }),
      part(kept.orders),
      part(kept.rules),
      part(kept.plans),
      String(kept.stalePlans),
      part(kept.writtenFiles),
      part(kept.unresolvedErrors),
    ]),
    notes: [
      "Word for word for user messages, standing orders in force (none of them marked as ended) and rules. Answers: a third of their sentences, word for word; “+ recall”: or one recall away. “stale”: requests with an earlier list of to-dos and not the newest.",
    ],
  };
}

/** The sessions replayed, and those that were not. */
export function sessionLines({ sessions, atoms, ttl }: ReplayReport): readonly string[] {
  const { files, measured, measuredRequests, whole, inParts, excluded, unreadable, duplicates } = sessions;
  return [
    `${files} ${files === 1 ? "file" : "files"}, n = ${measured} sessions measured (${measuredRequests} requests), cache of ${ttl}, teacher-forced`,
    `calibration gate (two numbers on the first third, within 3 % median on the rest): ${whole} pass whole, ${measured - whole} in parts, ${excluded.length} not`,
    ...inParts.map(({ name, reason }) => `  in parts: ${name}: ${reason}`),
    ...excluded.map(({ name, reason }) => `  left out: ${name}: ${reason}`),
    ...unreadable.map(({ name, reason }) => `  unreadable: ${name}: ${reason}`),
    ...duplicates.map(({ name, sameAs }) => `  duplicate: ${name} is ${sameAs}`),
    `atoms: ${atoms.needed} needed; left out: ${atoms.novel} novel, ${atoms.fixed} of the working folder, ${atoms.given} given by the user or a summary`,
  ];
}

function ratio(estimate: Estimate | undefined): string {
  return decimals(estimate?.value);
}

function interval(estimate: Estimate | undefined): string {
  const limits = estimate?.interval;
  return limits ? limits.map((limit) => limit.toFixed(2)).join("–") : "–";
}

function part({ asked, kept }: KeptCount): string {
  return asked === 0 ? "–" : decimals(kept / asked);
}

function thousands(tokens: number): string {
  return `${Math.round(tokens / 1000)}k`;
}

function money(dollars: number | undefined): string {
  return dollars === undefined ? "–" : dollars.toFixed(2);
}

function goalTable({ goals }: ReplayReport): ReportTable {
  return {
    title: "Goals, each at the price row where it is worst",
    head: ["goal", "row", "reached", "oracle", "wanted", "", "short by"],
    rows: goals.map((goal) => [
      `${goal.policy}: ${goal.what}`,
      goal.row,
      decimals(goal.value),
      decimals(goal.oracle),
      describeGoal(goal),
      goal.verdict,
      goal.verdict === "missed" ? decimals(goal.shortBy) : "–",
    ]),
    notes: [
      ...goals.flatMap(({ policy, what, verdict, why }) =>
        why ? [`${policy}: ${what}, ${verdict}: ${reasonText(why)}.`] : [],
      ),
      "The oracle clears results with hindsight and does nothing else: an upper bound for kept facts, not for cost.",
    ],
  };
}

function describeGoal({ atMost, atLeast }: ReplayGoal): string {
  return atMost === undefined ? `≥ ${atLeast}` : `≤ ${atMost}`;
}

function decimals(value: number | null | undefined): string {
  return value === null || value === undefined || Number.isNaN(value) ? "–" : value.toFixed(3);
}
