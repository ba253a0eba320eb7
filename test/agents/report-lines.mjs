import { stripVTControlCharacters } from "node:util";

const headers = [
  "AGENT",
  "VERSION",
  "API",
  "TASK",
  "GATEWAY",
  "REQUESTS",
  "REFUSED",
  "REWRITTEN",
  "PEAK PROMPT",
  "CACHE READ",
  "RESULT",
];

const rows = [
  ["largeWithout", "large", "no"],
  ["largeWith", "large", "yes"],
  ["smallWithout", "small", "no"],
  ["smallWith", "small", "yes"],
];

/** A table for people: a line for every run, then what is claimed of each agent. */
export function reportLines(trials) {
  const cells = trials.flatMap(({ name, version, api, runs }) =>
    rows.map(([run, task, by]) => [name, version, api, task, by, ...numbersOf(runs[run])]),
  );
  const all = [headers, ...cells];
  const widths = headers.map((_, column) => Math.max(...all.map((row) => row[column].length)));
  const table = all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join("  ")
      .trimEnd(),
  );
  return [...table, "", ...trials.flatMap(claimLines)];
}

function numbersOf({ requests, refused, rewritten, peakTokens, readShare, isAnswered, code, rereads }) {
  return [
    String(requests),
    String(refused.length),
    rewritten === undefined ? "–" : String(rewritten),
    peakTokens.toLocaleString("en-US"),
    `${(readShare * 100).toFixed(1)} %`,
    isAnswered ? `answered${rereads > 0 ? `, ${rereads} read again` : ""}` : `failed, exit ${code}`,
  ];
}

function claimLines({ name, api, windowTokens, claims, runs }) {
  const all = Object.values(runs);
  const refusals = new Set(all.flatMap(({ refused }) => refused.map(({ message }) => message)));
  const hosts = new Set(all.flatMap(({ elsewhere }) => elsewhere));
  const broken = claims.some(({ holds }) => !holds);
  return [
    `${name}, ${api}, at a window of ${windowTokens.toLocaleString("en-US")} tokens:`,
    ...claims.map(({ claim, holds }) => `  ${holds ? "holds" : "DOES NOT HOLD"}: ${claim}`),
    ...[...refusals].map((message) => `  refused: ${message}`),
    ...[...hosts].map((host) => `  wanted to reach ${host}, and could not`),
    ...(broken
      ? all.flatMap(({ said }) =>
          stripVTControlCharacters(said)
            .split("\n")
            .map((line) => `  | ${line}`),
        )
      : []),
  ];
}
