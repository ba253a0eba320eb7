// A made-up session as the inspector's page takes it: for its tests and for the pictures in the docs.

const categories = [
  "systemPrompt",
  "builtInTools",
  "mcpTools",
  "memoryFiles",
  "summaries",
  "humanMessages",
  "assistantMessages",
  "thinking",
  "toolRequests",
  "toolResults",
  "attachments",
  "localCommandOutput",
  "imagesAndDocuments",
  "other",
];
const category = (name) => categories.indexOf(name);
const wishes = [
  "The export of invoices drops the last page. Find out why and mend it.",
  "Good. Now add a test that would have caught it.",
  "Rename `InvoiceWriter` to `InvoicePrinter` everywhere.",
  "Why does the build take two minutes? Make it quicker.",
  "Document the new option in the README.",
  "Please keep amounts in cents throughout, never in floats.",
];
const paths = [
  "src/export/pages.ts",
  "src/invoice/total.ts",
  "src/export/printer.ts",
  "test/export.test.ts",
  "README.md",
];
const calls = [
  ["Read", (path) => path],
  ["Grep", () => "lastPage"],
  ["Edit", (path) => path],
  ["Bash", () => "npm test"],
];

/**
 * @param {{ requests: number, seed?: number, isLive?: boolean, hostile?: string }} options `hostile` is said by the user
 * at the very first, and by the title.
 * @returns {import("../../packages/palimpsest/src/surfaces/inspector/inspected.ts").InspectedFile}
 */
export function sampleInspected({ requests, seed = 7, isLive = false, hostile }) {
  const work = startWork(seed);
  begin(work, hostile);
  for (let request = 0; request < requests; request += 1) takeRequest(work, request);
  const session = {
    id: "0198c1f2-7a44",
    title: hostile ?? "Mend the export of invoices",
    project: "~/work/invoices",
    model: "claude-sonnet-4-5",
    startedAt: "2026-03-02T09:00:00.000Z",
    changedAt: new Date(work.at).toISOString(),
    isLive,
    generation: 1,
    from: { request: 0, item: 0, mark: 0 },
    window: {
      tokens: 200_000,
      thresholds: [
        { name: "warning", tokens: 147_000 },
        { name: "compaction", tokens: 167_000 },
      ],
    },
    categories,
    requests: work.columns,
    items: work.items,
    marks: work.marks,
    damage: [],
  };
  return {
    entry: { ...session, bytes: 40 * work.items.length },
    session,
    texts: work.texts,
    policies: [
      { name: "faithful", about: "The engine as it ships: clearing, compaction." },
      { name: "sliding", about: "Keeps the newest messages that fit into half the window." },
      { name: "identity", about: "Changes nothing until the window is full." },
    ],
    whatIfs: [whatIf("faithful", 0.45, work), whatIf("sliding", 0.6, work), whatIf("identity", 1.15, work)],
    memories: [],
  };
}

function startWork(seed) {
  let state = seed;
  const names = [
    "at",
    "seq",
    "turn",
    "tokens",
    "byCategory",
    "cacheRead",
    "cacheWrite",
    "uncached",
    "output",
    "dollars",
    "breaks",
    "views",
  ];
  return {
    /** Whole numbers that come again for the same seed. */
    chance: (below) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((state / 2_147_483_648) * below);
    },
    columns: Object.fromEntries(names.map((name) => [name, []])),
    items: [],
    texts: [],
    marks: [],
    view: [],
    shown: [],
    seq: 0,
    turn: 0,
    at: Date.parse("2026-03-02T09:00:00.000Z"),
  };
}

/** Puts an item into the list and gives its number. */
function make(work, item, text) {
  work.items.push({
    origin: `${item.seq}.${work.items.length}`,
    state: "whole",
    hasOriginal: false,
    ...item,
  });
  work.texts.push(typeof text === "string" ? { shown: text } : text);
  return work.items.length - 1;
}

function say(work, role, kind, name, tokens, title, text, call) {
  const item = {
    seq: work.seq,
    role,
    kind,
    category: category(name),
    tokens,
    title,
    ...(call ? { call } : {}),
  };
  work.view.push(make(work, item, text ?? title));
}

function begin(work, hostile) {
  say(
    work,
    "system",
    "text",
    "systemPrompt",
    2900,
    "You are a careful engineer.",
    "You are a careful engineer.\n\nWork in small steps.",
  );
  say(work, "tools", "tool", "builtInTools", 8700, "18 tools: Read, Write, Edit, Bash, Grep …");
  say(work, "tools", "tool", "mcpTools", 2100, "4 tools of the server “issues”");
  work.seq = 1;
  say(
    work,
    "user",
    "text",
    "memoryFiles",
    1400,
    "AGENTS.md",
    "# Rules\n\n- Amounts are in cents.\n- Tests beside the code.",
  );
  if (hostile) say(work, "user", "text", "humanMessages", 120, hostile, hostile);
}

function takeRequest(work, request) {
  if (request % 9 === 0) {
    work.turn += 1;
    work.seq += 1;
    const wish = wishes[work.chance(wishes.length)];
    say(work, "user", "text", "humanMessages", 40 + work.chance(260), wish);
  }
  const gap = work.chance(140) === 0;
  work.at += gap ? 4_000_000 : 8000 + work.chance(30_000);
  const decided = decide(work, request);
  record(
    work,
    request,
    decided ?? (gap ? { kind: "cold", reason: "66 minutes passed; the cache holds for 5" } : null),
  );
  answer(work);
}

/** What layers would do: clear old results now and then, fold finished work, compact when the window fills. */
function decide(work, request) {
  const tokens = sum(work);
  if (tokens > 167_000) return compact(work, request, tokens);
  if (request % 60 === 47) return fold(work, request);
  if (request % 30 === 29) return clear(work, request);
  return null;
}

function compact(work, request, tokens) {
  const covers = work.view.slice(4, -8);
  work.seq += 1;
  const item = {
    seq: work.seq,
    role: "user",
    kind: "text",
    category: category("summaries"),
    tokens: 3200,
    state: "summarised",
    covers,
    title: `Summary of ${covers.length} items`,
    hasOriginal: false,
  };
  const summary = make(
    work,
    item,
    "## So far\n\nThe export dropped its last page since `pages.ts` cut the remainder.\nMended and tested.\n\n## Open\n\nRename `InvoiceWriter`.",
  );
  work.view = [...work.view.slice(0, 4), summary, ...work.view.slice(-8)];
  return mark(work, request, "compaction", `Summary of ${covers.length} items`, tokens - sum(work));
}

function fold(work, request) {
  const before = sum(work);
  const start = work.view.length - 40;
  if (start < 6) return null;
  const covers = work.view.slice(start, start + 24);
  work.seq += 1;
  const item = {
    seq: work.seq,
    role: "user",
    kind: "text",
    category: category("summaries"),
    tokens: 420,
    state: "folded",
    covers,
    title: "Folded: looked for where pages are counted",
    hasOriginal: false,
  };
  work.view = [
    ...work.view.slice(0, start),
    make(work, item, "Looked for where pages are counted; it is in `src/export/pages.ts`."),
    ...work.view.slice(start + 24),
  ];
  return mark(work, request, "fold", "Six rounds of finished work", before - sum(work));
}

function clear(work, request) {
  const before = sum(work);
  const old = work.view.slice(4, -30).filter((number) => {
    const { kind, state } = work.items[number];
    return kind === "tool_result" && state === "whole";
  });
  if (old.length === 0) return null;
  const gone = new Set(old.slice(0, 12));
  work.view = work.view.map((number) => (gone.has(number) ? clearOne(work, number) : number));
  return mark(work, request, "clear", `${gone.size} old results`, before - sum(work));
}

function clearOne(work, number) {
  const item = work.items[number];
  const shown = `[result cleared: ${item.title}; recall ${item.call}]`;
  return make(
    work,
    { ...item, tokens: 24, state: "cleared", hasOriginal: true },
    { shown, original: work.texts[number].shown },
  );
}

function mark(work, request, kind, text, freed) {
  work.marks.push({ request, seq: work.seq, kind, text, freed });
  return { kind: "announced", reason: `${kind}: ${text}, ${freed} tokens freed` };
}

const sum = (work) => work.view.reduce((total, number) => total + work.items[number].tokens, 0);

function record(work, request, broken) {
  const { columns, view, shown } = work;
  let keep = 0;
  while (keep < shown.length && keep < view.length && shown[keep] === view[keep]) keep += 1;
  const tokensOf = (numbers) => numbers.reduce((total, number) => total + work.items[number].tokens, 0);
  const tokens = sum(work);
  const read = broken?.kind === "cold" || request === 0 ? 0 : tokensOf(view.slice(0, keep));
  const output = 180 + work.chance(700);
  columns.at.push(work.at);
  columns.seq.push(work.seq);
  columns.turn.push(work.turn);
  columns.tokens.push(tokens);
  columns.byCategory.push(categoryTokens(work));
  columns.cacheRead.push(read);
  columns.cacheWrite.push(tokens - read);
  columns.uncached.push(0);
  columns.output.push(output);
  columns.dollars.push((read * 0.3 + (tokens - read) * 3.75 + output * 15) / 1e6);
  columns.breaks.push(broken && { ...broken, tokens: tokens - read });
  columns.views.push({ keep, add: view.slice(keep) });
  work.shown = [...view];
}

function categoryTokens({ view, items }) {
  const tokens = categories.map(() => 0);
  for (const number of view) tokens[items[number].category] += items[number].tokens;
  return tokens;
}

/** The model thinks, says something and calls a tool; the result is there for the next request. */
function answer(work) {
  const [tool, argument] = calls[work.chance(calls.length)];
  const title = `${tool} ${argument(paths[work.chance(paths.length)])}`;
  const call = `call-${work.items.length}`;
  work.seq += 1;
  if (work.chance(3) === 0)
    say(
      work,
      "assistant",
      "thinking",
      "thinking",
      60 + work.chance(500),
      "The remainder is cut before the last page is counted.",
    );
  say(
    work,
    "assistant",
    "text",
    "assistantMessages",
    30 + work.chance(120),
    "I look at how pages are counted.",
  );
  say(
    work,
    "assistant",
    "tool_use",
    "toolRequests",
    50 + work.chance(120),
    title,
    `${title}\n{ "limit": 200 }`,
    call,
  );
  work.seq += 1;
  const tokens = 200 + work.chance(tool === "Read" ? 5200 : 1800);
  say(work, "user", "tool_result", "toolResults", tokens, title, resultText(work, title), call);
}

const resultText = (work, title) =>
  [
    title,
    "",
    ...Array.from(
      { length: 3 + work.chance(8) },
      (_, line) => `${line + 1}  const page = pages[${line}]; // ${work.chance(1000)}`,
    ),
  ].join("\n");

function whatIf(policy, share, { columns }) {
  let dollars = 0;
  const limit = 167_000 * share;
  const tokens = columns.tokens.map((own) =>
    Math.round(own <= limit ? own : limit * 0.55 + (own % (limit * 0.45))),
  );
  const breaks = tokens.flatMap((own, request) =>
    own < (tokens[request - 1] ?? 0) - 20_000 ? [request] : [],
  );
  const dollarsOf = columns.dollars.map((own) => {
    dollars += own * (0.35 + 0.6 * share);
    return dollars;
  });
  const lost = policy === "sliding" ? 0.09 : 0;
  return {
    policy,
    tokens,
    dollars: dollarsOf,
    breaks,
    survival: {
      inView: 0.97 - lost - 0.06 * (1 - share),
      recall: 0.02 + 0.06 * (1 - share),
      refetch: 0.01,
      lost,
    },
    fetches: Math.round((1.2 - share) * 40),
  };
}
