import { goalLines } from "./goal-lines.mjs";
import { amount, escaped, table } from "./markdown.mjs";
import { breaksPer30, part, replayGoals } from "./replay-goals.mjs";
import { withoutPaths } from "./run-part.mjs";
import { shortName } from "./short-name.mjs";

/** The report of `palimpsest replay --json` as a section: what the goals say, then the tables behind them. */
export function replaySection(report, about) {
  if (report.sessions.measured === 0) return [...sessionLines(report), "", "No session could be measured."];
  return [
    ...sessionLines(report),
    "",
    ...goalLines(replayGoals(report, about)),
    "",
    ...costLines(report),
    "",
    ...keptLines(report),
  ];
}

function costLines({ policies, priceRows, sessions }) {
  const range = rangeOf(sessions);
  const cells = (pick) =>
    policies.map((one) => [one.policy, ...priceRows.flatMap((row) => pick(one.cost[row]))]);
  return [
    "Cost, identity = 1. A column's number is what reading from the cache costs as a part of input; catalog: each session's own model. “fetched”: every missing block that a later call needs is fetched again and charged; compare this one. In parentheses: bootstrap intervals of 95 %, paired by session; one session has none.",
    "",
    ...table(
      ["policy", ...priceRows.flatMap((row) => [row, "fetched"])],
      cells(({ plain, fetched }) => [amount(plain.value), range(fetched)]),
    ),
    "",
    "Extra cost beyond system, tools and output, with fetches, identity = 1. “of cheapest”: compared with the extra cost of the cheapest of identity, recency, sliding-mask, api-default and token-threshold, as far as they were run.",
    "",
    ...table(
      ["policy", ...priceRows.flatMap((row) => [row, "of cheapest"])],
      cells(({ excess, excessOfCheapest }) => [range(excess), amount(excessOfCheapest)]),
    ),
    ...modes.flatMap((mode) => fetchLines(policies.find(({ policy }) => policy === mode))),
  ];
}

const modes = ["faithful", "thrifty"];

/** What a mode did not have when it was needed, by the tool it came from; tools of others are not named. */
function fetchLines(summary) {
  if (!summary) return [];
  const { blocks, tokens, byTool } = summary.fetches;
  const known = new Map();
  for (const [tool, count] of Object.entries(byTool)) {
    const name = ownTools.has(tool.replace(/ input$/, "")) ? tool : "others";
    known.set(name, (known.get(name) ?? 0) + count);
  }
  const listed = [...known].sort(([one, most], [other, least]) => least - most || (one < other ? -1 : 1));
  const sources = listed.map(([name, count]) => `${name} ${count}`).join(", ");
  return [
    "",
    `Fetched again for ${summary.policy}: ${blocks} blocks, ${amount(tokens, "tokens")} tokens${sources === "" ? "" : `; by source: ${sources}`}.`,
  ];
}

const ownTools = new Set(
  "Agent Bash Edit Glob Grep MultiEdit NotebookEdit Read Task TaskOutput TodoWrite WebFetch WebSearch Write text thinking".split(
    " ",
  ),
);

/** A number with its interval; one session has none. */
function rangeOf({ measured }) {
  return ({ value, interval }) =>
    measured < 2 || !interval
      ? amount(value)
      : `${amount(value)} (${interval.map((limit) => limit.toFixed(2)).join("–")})`;
}

function keptLines({ policies, sessions }) {
  const range = rangeOf(sessions);
  const head = [
    "policy",
    "breaks per 30 requests",
    "mean context",
    "p95",
    "peak",
    "over the window",
    "far edit_old in view",
    "+ recall",
    "far num in view",
    "+ recall",
    "user messages",
    "latest",
    "rules",
    "invalid",
  ];
  const rows = policies.map((one) => [
    one.policy,
    breaksPer30(one).toFixed(2),
    ...["mean", "p95", "peak"].map((name) => `${Math.round(one.context[name] / 1000)}k`),
    one.overflows,
    ...["edit_old", "num"].flatMap((type) => [
      range(one.headline[type].inView),
      amount(one.headline[type].withRecall.value),
    ]),
    ...["userMessages", "latestUserMessage", "rules"].map((name) => amount(part(one.retention[name]))),
    one.invalid,
  ]);
  return [
    "Cache, context and what is kept. “far”: the source is more than ten requests away. User messages and rules: word for word, at every request. “over the window”: requests that the recorded model could not have been sent.",
    "",
    ...table(head, rows),
  ];
}

function sessionLines({ sessions, atoms, ttl }) {
  const { files, measured, measuredRequests, whole, inParts, excluded, unreadable, duplicates } = sessions;
  const named = (title, list) =>
    list.map(({ name, reason, sameAs }) =>
      escaped(
        `- ${title}: ${shortName(name)}: ${sameAs ? `the same as ${shortName(sameAs)}` : withoutPaths(reason)}`,
      ),
    );
  return [
    `${files} ${files === 1 ? "file" : "files"}, n = ${measured} sessions measured (${measuredRequests} requests), cache of ${ttl}, teacher-forced. Calibration gate (two numbers fitted on the first third, within 3 % median on the rest): ${whole} pass whole, ${inParts.length} in parts, ${excluded.length} not. Atoms: ${atoms.needed} needed; left out: ${atoms.novel} novel, ${atoms.fixed} of the working folder, ${atoms.given} given.`,
    "",
    ...named("in parts", inParts),
    ...named("left out", excluded),
    ...named("unreadable", unreadable),
    ...named("duplicate", duplicates),
  ];
}
