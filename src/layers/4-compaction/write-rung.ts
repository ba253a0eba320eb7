import { frameTokens } from "../../context/compaction/boundary-texts.ts";
import { scribeBudget } from "../../context/compaction/budget.ts";
import { cleanCuts } from "../../context/compaction/clean-cuts.ts";
import { compactionChoicesOf } from "../../context/compaction/compaction-choices.ts";
import { type KeptTail, keptBefore, keptFrom } from "../../context/compaction/kept-tail.ts";
import { measureItems } from "../../context/compaction/measure.ts";
import { plainTranscript, transcriptRounds } from "../../context/compaction/plain-transcript.ts";
import { lastingTokens } from "../../context/compaction/restored-attachment.ts";
import { type SummaryPrompt, summaryPrompt } from "../../context/compaction/summary-prompt.ts";
import { firstChars } from "../../context/first-chars.ts";
import { unpadEstimate } from "../../context/tokens/index.ts";
import { type CompactionRung, isBlock, type KeptSegment, type ViewItem } from "../../spec/index.ts";
import { askPlainly } from "./ask-plain.ts";
import { askPrefix } from "./ask-prefix.ts";
import { type Asked, isNobody } from "./asked.ts";
import { chooseTail, chooseUnseen } from "./choose-tail.ts";
import { piecesBeside } from "./finish-boundary.ts";
import { writeNatively } from "./native-rung.ts";
import type { CompactionRun, NotWritten, Written } from "./run.ts";

/** What one rung makes of the conversation. Changes nothing. */
export async function writeRung(rung: CompactionRung, run: CompactionRun): Promise<Written | NotWritten> {
  switch (rung) {
    case "prepared":
      return prepared(run);
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

function refused(message: string, tokensAfter?: number): NotWritten {
  return { ok: false, reason: "refused", message, ...(tokensAfter !== undefined && { tokensAfter }) };
}

function prepared({ view, records, measure }: CompactionRun): Written | NotWritten {
  if (!records.prepared) return refused("no summary was prepared");
  const { summary, basis } = records.prepared;
  const later = view.items.filter(({ seq }) => seq > basis);
  return { ok: true, strategy: "prepared", summary, basis, keptTokens: measureItems(later, measure) };
}

/** Half of the room is for the notes and what is brought back. */
const notesKeptShare = 0.5;

async function fromNotes(run: CompactionRun): Promise<Written | NotWritten> {
  const { view, plan, facts, records, ports, measure, signal } = run;
  const { boundarySeq } = records;
  const maxKeptTokens = unpadEstimate(plan.budget.totalTokens * notesKeptShare);
  const question = { view, facts, boundarySeq, maxKeptTokens };
  const answer = await ports.decideNotesCompaction?.(question, signal);
  if (!answer) return refused("nobody keeps notes");
  if (!answer.use) return refused(answer.reason, answer.tokensAfter);
  const { summary, keptFromSeq } = answer;
  const wanted = keptFromSeq === undefined ? -1 : view.items.findIndex(({ seq }) => seq >= keptFromSeq);
  const unseen = chooseUnseen(run)?.position ?? -1;
  const position = wanted === -1 || unseen === -1 ? Math.max(wanted, unseen) : Math.min(wanted, unseen);
  const cut = cleanCuts(view.items).findLast((one) => one <= position) ?? 0;
  if (position !== -1 && (view.items[cut]?.seq ?? 0) <= boundarySeq)
    return refused("what the notes do not cover cannot be cut off from the rest");
  const kept = position === -1 ? undefined : keptFrom(view.items, cut, measure);
  if (measure(summary) > Math.min(plan.budget.summaryTokens, roomBeside(run, keptPart(kept))))
    return {
      ok: false,
      reason: "no_progress",
      message: "The notes and what they keep are more than may stay.",
    };
  return { ok: true, strategy: "notes", summary, basis: view.head, ...keptPart(kept) };
}

function fromScribe(run: CompactionRun): Written {
  const { view, plan, ports, numbers, measure } = run;
  const tail = chooseTail(run);
  const items = tail ? view.items.slice(0, tail.position) : view.items;
  const room = roomBeside(run, keptPart(tail));
  const lasting = lastingTokens(view.ledgers, measure);
  const open = lasting <= room / 2 ? room - lasting : room;
  const summaryTokens = plan.scribeTokens ? Math.min(plan.scribeTokens, open) : scribeBudget(open, numbers);
  const summary = ports.writeSummary({ view, items, maxTokens: summaryTokens, measure });
  return { ok: true, strategy: "scribe", summary, summaryTokens, basis: view.head, ...keptPart(tail) };
}

/** What is left for summary, appendix and restoration. */
function roomBeside(run: CompactionRun, kept: Pick<Written, "kept" | "keptTokens">): number {
  const { plan, view, measure } = run;
  const pieces = piecesBeside(run, { basis: view.head, ...kept });
  const taken = kept.keptTokens + pieces.tokens + frameTokens(plan.trigger !== "manual", measure);
  return Math.max(0, plan.budget.totalTokens - taken);
}

/** What a model is to summarise, and what stays as it is. */
interface Scope {
  readonly items: readonly ViewItem[];
  readonly kept?: KeptSegment;
  readonly keptTokens: number;
  readonly roomTokens?: number;
  readonly part?: SummaryPrompt["part"];
}

async function fromModel(run: CompactionRun): Promise<Written | NotWritten> {
  const scope = scopeOf(run);
  if (!scope) return { ok: false, reason: "refused", message: "There is no such message to compact from." };
  const { part, kept, keptTokens, roomTokens } = scope;
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
    basis: run.view.head,
    ...(kept && { kept }),
    keptTokens,
    ...(roomTokens !== undefined && { roomTokens }),
    ...(usage && { usage }),
    ...(cacheShare !== undefined && { cacheShare }),
  };
}

/** Behind the cached prefix where that is worth something; as a plain transcript where it is not, or was too long. */
async function askModel(run: CompactionRun, scope: Scope, prompt: string): Promise<Asked> {
  const { plan, facts, ports, numbers, measure, io, signal } = run;
  const { model } = compactionChoicesOf(facts);
  const isOther = model !== undefined && model !== facts.model;
  const maxOutputTokens = Math.min(facts.capabilities.maxOutput, numbers.maxSummaryTokens);
  const flags = (facts.settings.flags ?? {}) as Readonly<Record<string, unknown>>;
  const isPlainBetter =
    isOther ||
    plan.trigger === "reactive" ||
    flags["compact-prefix"] === false ||
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
function cannotFit({ view, facts, measure }: CompactionRun, prompt: string): Asked | null {
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
  const first = items.findIndex(({ entry }) => entry === named);
  const position = first === -1 ? undefined : cleanCuts(items).findLast((cut) => cut <= first);
  if (position === undefined) return null;
  const range = from === undefined ? "up-to" : "from";
  const [before, after] = [items.slice(0, position), items.slice(position)];
  const covered = range === "from" ? after : before;
  if (covered.length === 0) return null;
  const kept = range === "from" ? keptBefore(items, position) : keptFrom(items, position, measure)?.segment;
  const keptTokens = measureItems(range === "from" ? before : after, measure);
  const share = run.numbers.budgetPercent / 100;
  const roomTokens = Math.min(plan.budget.totalTokens, Math.floor(measureItems(covered, measure) * share));
  const part = { range, beginning: beginningOf(after) } as const;
  return { items: covered, ...(kept && { kept }), keptTokens, roomTokens, part };
}

const beginningChars = 120;

function beginningOf(items: readonly ViewItem[]): string {
  const said = items.find(({ block }) => isBlock(block, "text") && block.text.trim() !== "");
  if (said && isBlock(said.block, "text")) return firstChars(said.block.text.trim(), beginningChars);
  return firstChars(plainTranscript([items.slice(0, 1)]), beginningChars);
}

function keptPart(tail: KeptTail | null | undefined): Pick<Written, "kept" | "keptTokens"> {
  return tail ? { kept: tail.segment, keptTokens: tail.tokens } : { keptTokens: 0 };
}
