import {
  type CompactionRung,
  type CompactRequest,
  isBlock,
  type KeptSegment,
  type ViewItem,
} from "../../spec/index.ts";
import { firstChars } from "../../view/quote-foreign.ts";
import { unpadEstimate } from "../../view/tokens/index.ts";
import { measureItems } from "../../view/tokens/measure.ts";
import { askPlainly, askPrefix } from "./ask-plain.ts";
import { frameOf, roomOf } from "./finish-boundary.ts";
import { spanLedgers } from "./folding/rules/find-spans.ts";
import { writeNatively } from "./native-rung.ts";
import { isNobody, type SummaryReply } from "./ports.ts";
import { scribeBudget } from "./rules/budget.ts";
import { besideSummary, frameTokens } from "./rules/build-boundary.ts";
import { compactionChoicesOf } from "./rules/compaction-plan.ts";
import { cleanCuts, type KeptTail, keptBefore, keptFrom, staysBehind } from "./rules/kept-tail.ts";
import { lastingTokens } from "./rules/plan-restoration.ts";
import {
  plainTranscript,
  type SummaryPrompt,
  summaryPrompt,
  transcriptRounds,
} from "./rules/summary-prompt.ts";
import { type CompactionRun, chooseTail, chooseUnseen, type RungFailure, type RungResult } from "./run.ts";

/** Runs one rung. Changes nothing. */
export async function writeRung(rung: CompactionRung, run: CompactionRun): Promise<RungResult | RungFailure> {
  switch (rung) {
    case "prepared":
      return usePrepared(run);
    case "notes":
      return fromNotes(run);
    case "native":
      return writeNatively(run);
    case "full":
      return fromModel(run);
    case "scribe":
      return fromScribe(run);
  }
}

function refuse(message: string, tokensAfter?: number): RungFailure {
  return { ok: false, reason: "refused", message, ...(tokensAfter !== undefined && { tokensAfter }) };
}

/** Messages not answered since stay, though the summary was written with them in view. */
function usePrepared(run: CompactionRun): RungResult | RungFailure {
  const { view, records, countOf } = run;
  if (!records.prepared) return refuse("no summary was prepared");
  const { summary, basis } = records.prepared;
  const unseen = chooseUnseen(run)?.segment;
  const kept = unseen && unseen.headSeq <= basis ? unseen : undefined;
  const stays = staysBehind(basis, kept);
  const keptTokens = countOf(view.items.filter(({ seq }) => stays(seq)));
  return { ok: true, strategy: "prepared", summary, basis, ...(kept && { kept }), keptTokens };
}

/** Half of the room is for the notes and what is brought back. */
const notesKeptShare = 0.5;

async function fromNotes(run: CompactionRun): Promise<RungResult | RungFailure> {
  const { view, plan, facts, records, ports, measure, signal } = run;
  const { boundarySeq } = records;
  const unseen = chooseUnseen(run);
  const maxKeptTokens = unpadEstimate(plan.budget.totalTokens * notesKeptShare);
  const input = { view, facts, boundarySeq, maxKeptTokens };
  const answer = await ports.decideNotesCompaction?.(input, signal);
  if (!answer) return refuse("no session notes are kept");
  if (!answer.use) return refuse(answer.reason, answer.tokensAfter);
  const { summary, keptFromSeq } = answer;
  const wanted = keptFromSeq === undefined ? -1 : view.items.findIndex(({ seq }) => seq >= keptFromSeq);
  const isWider = wanted !== -1 && wanted < (unseen?.position ?? view.items.length);
  const cut = isWider ? (cleanCuts(view.items).findLast((one) => one <= wanted) ?? 0) : 0;
  if (isWider && (view.items[cut]?.seq ?? 0) <= boundarySeq)
    return refuse("the part that the notes do not cover cannot be separated");
  const kept = isWider ? keptFrom(view.items, cut, measure) : unseen;
  if (measure(summary) > Math.min(plan.budget.summaryTokens, openRoom(run, keptPart(kept))))
    return {
      ok: false,
      reason: "no_progress",
      message: "The notes and what they keep are more than may stay.",
    };
  return { ok: true, strategy: "notes", summary, basis: view.head, ...keptPart(kept) };
}

function fromScribe(run: CompactionRun): RungResult | RungFailure {
  const { plan, ports, numbers, measure, facts } = run;
  const scope = scopeOf(run);
  if (!scope) return refuse(nothingIn(run.plan.request));
  const { items, part, kept, keptTokens, roomTokens, basis = run.view.head } = scope;
  const view = part ? { ...run.view, ledgers: spanLedgers(run.view.ledgers, items) } : run.view;
  const room = openRoom(run, scope);
  const lasting = lastingTokens(view.ledgers, measure);
  const open = lasting <= room / 2 ? room - lasting : room;
  const summaryTokens = plan.scribeTokens ? Math.min(plan.scribeTokens, open) : scribeBudget(open, numbers);
  const summary = ports.writeSummary({
    view,
    items,
    maxTokens: summaryTokens,
    measure,
    kept: besideSummary(run.view.items, staysBehind(basis, kept)).entries,
    logAddress: facts.logAddress,
  });
  return {
    ok: true,
    strategy: "scribe",
    summary,
    summaryTokens,
    basis,
    ...(kept && { kept }),
    keptTokens,
    ...(roomTokens !== undefined && { roomTokens }),
  };
}

/** Tokens left for summary, appendix and restoration. */
function openRoom(run: CompactionRun, kept: Pick<RungResult, "keptTokens" | "roomTokens">): number {
  const frame = frameTokens(frameOf(run), run.measure);
  return Math.max(0, roomOf(run, kept) - frame);
}

/** The part to summarise, and the part that stays as it is. */
interface Scope {
  readonly items: readonly ViewItem[];
  /** The last entry it covers; absent: with the view. */
  readonly basis?: number;
  readonly kept?: KeptSegment;
  readonly keptTokens: number;
  readonly roomTokens?: number;
  readonly part?: SummaryPrompt["part"];
}

async function fromModel(run: CompactionRun): Promise<RungResult | RungFailure> {
  const scope = scopeOf(run);
  if (!scope) return refuse(nothingIn(run.plan.request));
  const { part, kept, keptTokens, roomTokens, basis = run.view.head } = scope;
  const { prompt: words } = compactionChoicesOf(run.facts);
  const prompt = summaryPrompt({
    ...(words !== undefined && { words }),
    ...(part && { part }),
    ...(run.instructions !== undefined && { instructions: run.instructions }),
  });
  const asked = await askModel(run, scope, prompt);
  if (!asked.ok) return asked;
  const { strategy, summary, usage, cacheShare } = asked;
  return {
    ok: true,
    strategy,
    summary,
    basis,
    ...(kept && { kept }),
    keptTokens,
    ...(roomTokens !== undefined && { roomTokens }),
    ...(usage && { usage }),
    ...(cacheShare !== undefined && { cacheShare }),
  };
}

/** Behind the cached prefix where that is worth something; as a plain transcript where it is not, or was too long. */
async function askModel(run: CompactionRun, scope: Scope, prompt: string): Promise<SummaryReply> {
  const { plan, facts, ports, numbers, measure, io, signal } = run;
  const { model } = compactionChoicesOf(facts);
  const isOther = model !== undefined && model !== facts.model;
  const maxOutputTokens = Math.min(facts.capabilities.maxOutput, numbers.maxSummaryTokens);
  const isPlainBetter =
    isOther ||
    plan.trigger === "reactive" ||
    facts.settings.flags?.["compact-prefix"] === false ||
    facts.cache.state === "cold";
  if (!(isPlainBetter && ports.askPlain)) {
    const asked = cannotFit(run, prompt) ?? (await askPrefix(prompt, maxOutputTokens, io, signal));
    const mayHelp = !asked.ok && (asked.reason === "prompt_too_long" || isNobody(asked));
    if (!mayHelp || !ports.askPlain) return asked;
  }
  return askPlainly({
    rounds: transcriptRounds(scope.items),
    prompt,
    maxOutputTokens,
    ...(isOther && { model }),
    ...(!isOther && { maxPromptTokens: facts.thresholds.effective }),
    effectiveTokens: facts.thresholds.effective,
    numbers,
    measure,
    askPlain: ports.askPlain,
    emit: io.emit,
    signal,
  });
}

/** No request is made that leaves no room for its answer: the provider would refuse it. */
function cannotFit({ view, facts, measure }: CompactionRun, prompt: string): SummaryReply | null {
  const { effective } = facts.thresholds;
  const tokens = view.count.tokens + measure(prompt);
  if (tokens <= effective) return null;
  const message = `The conversation and the request for its summary have ${tokens} tokens, over the ${effective} that fit beside an answer.`;
  return { ok: false, reason: "prompt_too_long", message, code: "too-large" };
}

function scopeOf(run: CompactionRun): Scope | null {
  const { view, plan, measure } = run;
  const { items } = view;
  const { from, upTo } = plan.request ?? {};
  const named = from ?? upTo;
  if (named === undefined) {
    const tail = chooseTail(run);
    return { items: tail ? items.slice(0, tail.position) : items, ...keptPart(tail) };
  }
  const cuts = cleanCuts(items);
  const unseen = chooseUnseen(run)?.position ?? items.length;
  /** Items that no model has been asked with are no part of it, whatever was named. */
  const end = unseen === items.length ? unseen : cuts.findLast((cut) => cut <= unseen);
  const first = items.findIndex(({ entry }) => entry === named);
  const position = cuts.findLast((cut) => cut <= first && cut <= (end ?? 0));
  if (first === -1 || end === undefined || position === undefined) return null;
  const range = from === undefined ? "up-to" : "from";
  const [before, after] = [items.slice(0, position), items.slice(position)];
  const covered = range === "from" ? items.slice(position, end) : before;
  if (covered.length === 0) return null;
  const kept = range === "from" ? keptBefore(items, position) : keptFrom(items, position, measure)?.segment;
  const keptTokens = measureItems(range === "from" ? [...before, ...items.slice(end)] : after, measure);
  const share = run.numbers.budgetPercent / 100;
  const roomTokens = Math.min(plan.budget.totalTokens, Math.floor(measureItems(covered, measure) * share));
  const part = { range, beginning: beginningOf(after) } as const;
  const basis = range === "from" && end < items.length ? { basis: covered.at(-1)?.seq ?? 0 } : {};
  return { items: covered, ...basis, ...(kept && { kept }), keptTokens, roomTokens, part };
}

function nothingIn({ from, upTo }: CompactRequest = {}): string {
  return `There is nothing to compact ${from === undefined ? `up to ${upTo}` : `from ${from} on`}.`;
}

const beginningChars = 120;

function beginningOf(items: readonly ViewItem[]): string {
  const said = items.find(({ block }) => isBlock(block, "text") && block.text.trim() !== "");
  if (said && isBlock(said.block, "text")) return firstChars(said.block.text.trim(), beginningChars);
  return firstChars(plainTranscript([items.slice(0, 1)]), beginningChars);
}

function keptPart(tail: KeptTail | null | undefined): Pick<RungResult, "kept" | "keptTokens"> {
  return tail ? { kept: tail.segment, keptTokens: tail.tokens } : { keptTokens: 0 };
}
