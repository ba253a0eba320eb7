import type { LayerIo, PlainAnswer, Result, Usage } from "../../spec/index.ts";
import { unpadEstimate } from "../../view/tokens/index.ts";
import type { Measure } from "../../view/tokens/measure.ts";
import { askNobody, type CompactionPorts, type SummaryReply } from "./ports.ts";
import { fitText } from "./rules/build-boundary.ts";
import { dropOldestRounds, type Rounds, toChunks } from "./rules/kept-tail.ts";
import { readSummary } from "./rules/read-summary.ts";
import {
  isBrokenStream,
  maxBrokenStreams,
  plainTranscript,
  transcriptTitle,
} from "./rules/summary-prompt.ts";
import { sumOf } from "./run.ts";
import type { CompactionNumbers } from "./settings.ts";

interface PlainAsking {
  readonly rounds: Rounds;
  readonly prompt: string;
  readonly maxOutputTokens: number;
  /** The model to ask; absent: the session's own. */
  readonly model?: string;
  /** The most tokens of a prompt; absent: nobody knows, so the model is asked. */
  readonly maxPromptTokens?: number;
  /** Of the window, less the room for the answer. */
  readonly effectiveTokens: number;
  readonly numbers: CompactionNumbers;
  readonly measure: Measure;
  readonly askPlain: CompactionPorts["askPlain"];
  readonly emit: LayerIo["emit"];
  readonly signal: AbortSignal;
}

/** A conversation in more parts than this is the scribe's. */
const maxChunks = 20;

/**
 * Asks with a transcript of the conversation as plain text. Where that is too long, the oldest rounds are left out, a few
 * times; then it is summarised part by part.
 */
export async function askPlainly(asking: PlainAsking): Promise<SummaryReply> {
  if (!asking.askPlain) return askNobody();
  let { rounds } = asking;
  for (let attempt = 1; ; attempt += 1) {
    const transcript = plainTranscript(rounds);
    const asked = cannotFit(asking, transcript) ?? (await askOnce(asking, transcript));
    if (asked.ok || asked.reason !== "prompt_too_long") return asked;
    const { tooLongRetries, dropPercent } = asking.numbers;
    const fewer = attempt > tooLongRetries ? null : dropOldestRounds(rounds, asked.excessTokens, dropPercent);
    if (!fewer) return askInChunks(asking, rounds);
    const droppedRounds = rounds.length - fewer.length;
    asking.emit({ type: "compaction-retry", attempt, droppedRounds, remainingRounds: fewer.length });
    rounds = fewer;
  }
}

/** A request that leaves no room for its answer is not made: what it has too much is known beforehand. */
function cannotFit(
  { maxPromptTokens, prompt, measure }: PlainAsking,
  transcript: string,
): SummaryReply | null {
  if (maxPromptTokens === undefined) return null;
  const tokens = unpadEstimate(measure(transcript) + measure(prompt));
  if (tokens <= maxPromptTokens) return null;
  const message = `The transcript has ${tokens} tokens, over the ${maxPromptTokens} that fit beside an answer.`;
  return { ok: false, reason: "prompt_too_long", message, excessTokens: tokens - maxPromptTokens };
}

/** All rounds, part by part: each part is summarised together with the summary of those before it. */
async function askInChunks(asking: PlainAsking, tooMany: Rounds): Promise<SummaryReply> {
  const { measure, numbers } = asking;
  const failedTokens = measure(plainTranscript(tooMany));
  const chunkTokens = Math.floor(Math.min(asking.effectiveTokens, failedTokens) / 2);
  const chunks = toChunks(asking.rounds, Math.floor((chunkTokens * 3) / 4));
  if (chunks.length > maxChunks)
    return { ok: false, reason: "prompt_too_long", message: `It would take ${chunks.length} parts.` };
  let summary = "";
  let usage: Usage | undefined;
  for (const [index, chunk] of chunks.entries()) {
    const before = summary === "" ? "" : `The summary of all that came before:\n${summary}\n\n`;
    const part = `Part ${index + 1} of ${chunks.length}.\n\n`;
    const asked = await askOnce(
      asking,
      `${part}${before}${fitText(plainTranscript(chunk), chunkTokens, measure)}`,
    );
    if (!asked.ok) return asked;
    summary = fitText(asked.summary, numbers.maxSummaryTokens, measure);
    usage = usage && asked.usage ? sumOf(usage, asked.usage) : (usage ?? asked.usage);
  }
  return { ok: true, summary, strategy: "chunked", ...(usage && { usage }) };
}

async function askOnce(asking: PlainAsking, transcript: string): Promise<SummaryReply> {
  const { prompt, maxOutputTokens, model, emit } = asking;
  const text = `${transcriptTitle}\n\n${transcript}\n\n${prompt}`;
  const answered = await withoutBreaks(asking, {
    text,
    maxOutputTokens,
    ...(model !== undefined && { model }),
    onChars: (chars) => emit({ type: "compaction-delta", chars }),
  });
  if (!answered.ok) {
    const { error } = answered;
    const read = readSummary({ text: "", error });
    return read.ok ? { ...read, strategy: "plain" } : { ...read, code: error.code };
  }
  const { usage, ...answer } = answered.value;
  const read = readSummary(answer);
  return read.ok ? { ...read, strategy: "plain", ...(usage && { usage }) } : read;
}

async function withoutBreaks(
  { askPlain, signal }: PlainAsking,
  question: Parameters<NonNullable<CompactionPorts["askPlain"]>>[0],
): Promise<Result<PlainAnswer>> {
  const ask = askPlain as NonNullable<CompactionPorts["askPlain"]>;
  for (let breaks = 0; ; breaks += 1) {
    const answered = await ask(question, signal);
    const isBroken = !answered.ok && isBrokenStream(answered.error) && !signal.aborted;
    if (!isBroken || breaks === maxBrokenStreams) return answered;
  }
}

/**
 * Asks behind the conversation's own prefix, which is read from the cache. A tool that is called all the same is denied
 * once: the fork has two requests, and a second call ends it.
 */
export async function askPrefix(
  prompt: string,
  maxOutputTokens: number,
  io: Pick<LayerIo, "fork" | "emit">,
  signal: AbortSignal,
): Promise<SummaryReply> {
  const forked = await io.fork(prompt, {
    kind: "compaction",
    turns: 2,
    tools: [],
    maxOutputTokens,
    onChars: (chars) => io.emit({ type: "compaction-delta", chars }),
    signal,
  });
  if (!forked.ok) {
    const { error } = forked;
    const read = readSummary({ text: "", error });
    return read.ok ? { ...read, strategy: "prefix" } : { ...read, code: error.code };
  }
  const { text, content, end, usage, cache } = forked.value;
  const { reason, error } = end;
  const read = readSummary({ text, content, end: reason, ...(error && { error }) });
  if (!read.ok) return error ? { ...read, code: error.code } : read;
  return { ...read, strategy: "prefix", usage, cacheShare: cache.share };
}
