import fc from "fast-check";
import { expect, it } from "vitest";
import { foldOf, toInput } from "../../packages/core/src/layers/4-compaction/folding/prepare-folds.ts";
import {
  findSpans,
  foldGround,
  writeFold,
} from "../../packages/core/src/layers/4-compaction/folding/rules/index.ts";
import { createCompactionLayer } from "../../packages/core/src/layers/4-compaction/index.ts";
import type { CompactionPorts } from "../../packages/core/src/layers/4-compaction/ports.ts";
import {
  type CompactRequest,
  type Facts,
  isBlock,
  type Moment,
  type View,
} from "../../packages/core/src/spec/index.ts";
import { shortId } from "../../packages/core/src/view/quote-foreign.ts";
import { firstSentence } from "../../packages/core/src/view/sentences.ts";
import { estimateBlock } from "../../packages/core/src/view/tokens/index.ts";
import { countPlainly } from "../../packages/core/src/view/tokens/measure.ts";
import {
  addRound,
  answered,
  compactionIn,
  createTestLog,
  factsOf,
  forkAnswer,
  said,
  type TestLog,
  testIo,
} from "./compaction-support.ts";

const headTokens = 1_000;
const paths = [
  "auto",
  "early",
  "reactive",
  "manual",
  "instructions",
  "model",
  "notes",
  "from",
  "up-to",
] as const;
type Path = (typeof paths)[number];

type Step =
  | { readonly do: "turn"; readonly rounds: number; readonly sentences: number; readonly chars: number }
  | { readonly do: "compact"; readonly path: Path; readonly pick: number }
  | { readonly do: "fold" }
  | { readonly do: "undo" };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("turn" as const),
      rounds: fc.nat(4),
      sentences: fc.integer({ min: 4, max: 14 }),
      chars: fc.constantFrom(100, 2_000, 9_000),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("compact" as const),
      path: fc.constantFrom(...paths),
      pick: fc.nat(100),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: "fold" as const }) },
  { weight: 1, arbitrary: fc.constant({ do: "undo" as const }) },
);

/** An answer of at least 200 characters, none of whose sentences another one has. */
const answerOf = (turn: number, sentences: number) =>
  Array.from(
    { length: sentences },
    (_none, at) => `In turn ${turn} the sentence ${at} says something that no other one says.`,
  ).join(" ");

function takeTurn(log: TestLog, turn: number, { rounds, sentences, chars }: Extract<Step, { do: "turn" }>) {
  log.say(said(`Look at part ${turn}.`));
  for (let round = 0; round < rounds; round += 1) addRound(log, `t${turn}-${round}`, chars);
  log.say(answered(answerOf(turn, sentences)));
}

function viewOf(log: TestLog): View {
  return log.view(headTokens + countPlainly(log.view().items));
}

/** Every answer of which neither the first sentence nor the id is in view. */
function lostAnswers(log: TestLog): readonly string[] {
  const { items, ledgers } = log.view();
  const text = items.map(({ block }) => (isBlock(block, "text") ? block.text : "")).join("\n");
  const isThere = (entry: string, answer: string) =>
    text.includes(firstSentence(answer, 10_000)) || new RegExp(`\\b${shortId(entry)}\\b`).test(text);
  return ledgers.answers
    .filter((answer) => answer.text.length >= 200 && !isThere(answer.entry, answer.text))
    .map(({ text: answer }) => answer.slice(0, 40));
}

/** Summaries that say nothing of any answer. */
const poor = "<analysis>none</analysis><summary>Some files were read. It went well.</summary>";
const ports: Partial<CompactionPorts> = {
  decideNotesCompaction: async ({ view }) => {
    const last = view.items.findLast(({ role }) => role === "user");
    return { use: true, summary: "## Title\n\nParts", ...(last && { keptFromSeq: last.seq }) };
  },
};

function momentOf(path: Path, view: View, pick: number): Moment {
  const entry = view.items[pick % Math.max(1, view.items.length)]?.entry ?? "";
  const manual = (compact: CompactRequest): Moment => ({
    kind: "before-request",
    trigger: "manual",
    compact,
  });
  switch (path) {
    case "auto":
    case "early":
    case "notes":
      return { kind: "before-request", trigger: "auto" };
    case "reactive":
      return { kind: "before-request", trigger: "reactive" };
    case "instructions":
      return manual({ instructions: "Only the names of files." });
    case "from":
      return manual({ from: entry });
    case "up-to":
      return manual({ upTo: entry });
    default:
      return manual({});
  }
}

/** Compacts on this way; false where the layer would not. */
async function compact(log: TestLog, path: Path, pick: number, window: number): Promise<boolean> {
  const view = viewOf(log);
  const isAuto = path === "auto" || path === "notes";
  const full: View = isAuto ? { ...view, count: { ...view.count, tokens: window } } : view;
  const settings = { ...(path === "early" && { economy: "thrifty" as const }) };
  const facts: Facts = factsOf({ window, settings });
  const layer = createCompactionLayer(path === "notes" ? ports : {});
  const moment = momentOf(path, view, pick);
  const verdict = layer.decide(full, moment, { ...facts, headTokens, compaction: log.records() });
  if (verdict.verdict === "skip") return false;
  const { io } = testIo(() => forkAnswer(poor));
  const scribeOnly = testIo().io;
  const used = path === "model" || path === "instructions" ? io : scribeOnly;
  const applied = await layer.apply(
    verdict.command,
    { ...used, tokensOf: estimateBlock },
    new AbortController().signal,
  );
  if (!applied.ok) return false;
  for (const draft of applied.value) log.add(draft);
  return compactionIn(applied.value) !== undefined;
}

function fold(log: TestLog): boolean {
  const view = { ...viewOf(log), boundarySeq: log.records().boundarySeq };
  const measure = { item: ({ block }: View["items"][number]) => estimateBlock(block) };
  const ground = foldGround(view, { measure: measure as never, numbers: { keepTokens: 0, keepRounds: 1 } });
  const [span] = findSpans(ground, { spanTokens: 2_000, minSpanTokens: 200, taken: [], takesLast: true });
  if (!span) return false;
  const input = toInput(span, view, { summaryTokens: 400 });
  const summary = foldOf(input, writeFold(input, input.ledgers, input.summaryTokens));
  const { from, to } = span;
  const head = { layer: "folding", reason: "the test says so", frees: 1, basis: view.head } as const;
  log.add({ kind: "decision", decision: { ...head, type: "fold", from, to, summary } });
  return true;
}

/** Undoes the newest compaction that is not undone. */
function undo(log: TestLog): boolean {
  const undone = new Set(
    log.entries.flatMap((entry) =>
      entry.kind === "decision" && entry.decision.type === "restore" ? entry.decision.decision : [],
    ),
  );
  const newest = log.entries.findLast(
    (entry) => entry.kind === "decision" && entry.decision.type === "compact" && !undone.has(entry.id),
  );
  if (!newest) return false;
  const head = { layer: "engine", reason: "the test says so", frees: 0, basis: log.entries.length } as const;
  log.add({
    kind: "decision",
    decision: { ...head, type: "restore", decision: newest.id, decisionSeq: newest.seq },
  });
  return true;
}

it("keeps the first sentence of each answer in view, or its id, after any sequence of compactions by any path", async () => {
  const happened = new Map<string, number>();
  const count = (what: string) => happened.set(what, (happened.get(what) ?? 0) + 1);
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 4, maxLength: 24 }),
      fc.constantFrom(8_000, 32_000, 200_000),
      async (steps, window) => {
        const log = createTestLog();
        takeTurn(log, 0, { do: "turn", rounds: 2, sentences: 6, chars: 2_000 });
        for (const [at, one] of steps.entries()) {
          if (one.do === "turn") takeTurn(log, at + 1, one);
          else if (one.do === "fold" && fold(log)) count("fold");
          else if (one.do === "undo" && undo(log)) count("undo");
          else if (one.do === "compact" && (await compact(log, one.path, one.pick, window))) count(one.path);
          expect([at, one, lostAnswers(log)]).toEqual([at, one, []]);
        }
      },
    ),
    { numRuns: 150 },
  );
  const ways = [
    "auto",
    "reactive",
    "manual",
    "instructions",
    "model",
    "notes",
    "from",
    "up-to",
    "fold",
    "undo",
  ];
  for (const way of ways) expect([way, happened.get(way) ?? 0]).not.toEqual([way, 0]);
});
