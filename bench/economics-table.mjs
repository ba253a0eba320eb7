// The report of the economics bench, as text.

const part = (value) => (value === null ? "–" : value.toFixed(2).replace(/^0/, ""));
const both = ({ inView, withRecall }) => `${part(inView)}, ${part(withRecall)}`;
const thousands = (value) => `${Math.round(value / 1000)}k`;
const costs = (byRow, names) => names.map((name) => byRow[name].toFixed(3)).join(" ");

const columns = [
  ["policy", 16, (row) => row.policy],
  ["$ at read .10/.05/.025", 24, (row, names) => costs(row.cost, names)],
  ["with fetches", 20, (row, names) => costs(row.fetchedCost, names)],
  ["95 % (.10)", 12, (row) => row.interval.map(part).join("–")],
  ["by session", 12, (row) => `${part(row.meanOfSessions)} ${part(row.meanOfSessionsFetched)}`],
  ["breaks", 8, (row) => row.breaksPerSession.toFixed(1)],
  ["rewritten", 11, (row) => thousands(row.rewrittenPerSession)],
  ["mean", 6, (row) => thousands(row.meanContext)],
  ["peak", 6, (row) => thousands(row.peakContext)],
  ["edit_old", 12, (row) => both(row.farEditOld)],
  ["num", 12, (row) => both(row.farNumber)],
  ["all", 12, (row) => both(row.all)],
  ["fetches", 9, (row) => row.fetchesPerSession.toFixed(1)],
  ["invalid", 7, (row) => String(row.invalid)],
];

const explanations = [
  "$: identity = 1, all sessions together; by session: the mean of each session's own, without and with fetches.",
  "with fetches: a block that a call needs and the view does not hold costs one more request, and stays.",
  "breaks and rewritten tokens: made by the policy while the cache was warm, per session. fetches: per session.",
  "edit_old, num: sources more than 10 requests away, in view, and in view or one recall away. all: of every type.",
  "Survival is a necessary condition for a call to be grounded, not a proof that it is right.",
];

export function printEconomics({ rows, names, options, report, identity }) {
  const cache = options.storesEveryBlock
    ? "an entry at every block"
    : `a look-back of ${options.lookBackBlocks} blocks`;
  const boundaries = options.ignoresBoundaries ? "ignored" : "kept";
  console.log(
    `economics: cache of ${options.ttl} with ${cache}; recorded boundaries ${boundaries}; teacher-forced`,
  );
  printRecordings(report);
  console.log("");
  console.log(
    columns
      .map(([title, width]) => title.padEnd(width))
      .join("")
      .trimEnd(),
  );
  for (const row of rows)
    console.log(
      columns
        .map(([, width, cell]) => cell(row, names).padEnd(width))
        .join("")
        .trimEnd(),
    );
  console.log("");
  printIdentity(identity);
  for (const { policy, fetchesPerSession, fetchedByTool } of rows)
    if (fetchesPerSession > 0) console.log(`fetched under ${policy}: ${firstOf(fetchedByTool)}`);
  for (const line of explanations) console.log(line);
}

function printRecordings({ files, sessions, measured, segments, excludedSegments, ...report }) {
  const passing = segments - excludedSegments.length;
  console.log(
    `${files} files, ${sessions} distinct sessions, n = ${measured} measured; ${passing} of ${segments} segments pass the size gate (3 % median)`,
  );
  console.log(`one fit for a whole session would pass ${report.strict} of ${sessions} sessions`);
  for (const { name, sameAs } of report.duplicates) console.log(`  duplicate: ${name} is ${sameAs}`);
  for (const { name, reason } of report.unreadable) console.log(`  unreadable: ${name}: ${reason}`);
  for (const { session, segment, requests, excluded } of excludedSegments)
    console.log(`  left out: ${session} segment ${segment} (${requests} requests): ${excluded}`);
  const { novel, fixed, given } = report.leftOut;
  console.log(
    `atoms: ${report.needs} needed; left out: ${novel} novel, ${fixed} of the working folder, ${given} given by the user or a summary`,
  );
}

/** Where the money goes when nothing is done, and how often idle times let the cache go. */
function printIdentity(reports) {
  const sum = (pick) => reports.reduce((total, report) => total + pick(report), 0);
  const [row] = Object.keys(reports[0]?.cost ?? {});
  const cost = sum((report) => report.cost[row]);
  const percent = (value) => `${Math.round((100 * value) / cost)} %`;
  const reading = sum(({ tokens }) => tokens.read) * Number(row);
  const output = sum(({ tokens }) => tokens.output) * 5;
  const perSession = (value) => value / reports.length;
  const requests = perSession(sum((report) => report.requests)).toFixed(0);
  const idle = perSession(sum(({ breaks }) => breaks.idle)).toFixed(1);
  console.log(
    `identity, a session: ${requests} requests at the price of ${thousands(perSession(cost))} input tokens: ${percent(reading)} reading, ${percent(cost - reading - output)} writing, ${percent(output)} output; idle past the time to live ${idle} times`,
  );
}

function firstOf(counts) {
  const entries = Object.entries(counts).slice(0, 6);
  return entries.map(([name, count]) => `${name} ${count}`).join(", ");
}
