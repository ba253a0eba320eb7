import { omitLargeValues } from "../../log/large-values.ts";
import {
  type BlobLocation,
  type CompactDecision,
  type Entry,
  isBlock,
  ok,
  type Result,
  type SessionHeader,
} from "../../spec/index.ts";
import { validEntry } from "../../view/projection/valid-entry.ts";
import { headerAfter } from "../head/session-head.ts";
import type { SessionLog } from "../session-log.ts";
import { createSessionState, type SessionState, type StateOptions } from "../session-state.ts";
import { countedTokens } from "./shortest-prompt.ts";

/** Builds a session's state while its log is read, which cannot wait for large values or read anything twice. */
export interface StateLoader {
  visit(entry: Entry): void;
  /** The head of every request in the log, a fork's own word last; absent where its first line is damaged. */
  readonly header: SessionHeader | undefined;
  /** Reads again what has to be: contents that were not held, large values in the view and those that ledgers speak of. */
  finish(log: SessionLog): Promise<Result<SessionState>>;
}

/** How much is held of a log while it is read, before anybody knows what its view has. */
export interface StateLoaderLimits {
  /** Characters of contents; what its view needs beyond is read again. */
  readonly chars: number;
  /** Items of the view; a log with more is read a second time, with what its decisions have told. */
  readonly items: number;
}

const usualLimits: StateLoaderLimits = { chars: 16 * 1024 * 1024, items: 20_000 };

export function createStateLoader(given: StateOptions, limits = usualLimits): StateLoader {
  let header: SessionHeader | undefined;
  const options: StateOptions = {
    pricesOf: (answered, asked) => given.pricesOf(answered, asked ?? header?.model),
    observe: (asked, features, tokens) => given.observe?.(asked ?? header?.model, features, tokens),
    ...(given.locations && { locations: given.locations }),
    outlineChars: limits.chars,
  };
  /** Entries read a second time are not learned from again. */
  let learnedSeq = 0;
  let readSeq = 0;
  let isOpen = false;
  const observe: StateOptions["observe"] = (model, features, tokens) => {
    if (isOpen || readSeq > learnedSeq) options.observe?.(model, features, tokens);
  };
  const horizon = createViewHorizon();
  let state = createSessionState({ ...options, observe });
  let needs: number | null = null;
  let needsLedgers = false;
  let isTooLong = false;

  function add(entry: Entry): void {
    readSeq = entry.seq;
    needs = state.add(entry);
    learnedSeq = Math.max(learnedSeq, entry.seq);
  }

  /** From the start, with large values that ledgers speak of and without what the end of the log has not in its view. */
  async function readAgain(log: SessionLog): Promise<Result<void>> {
    state = createSessionState({ ...options, observe });
    let isBehind = horizon.seq === 0;
    for await (const entry of log.readAfter(0, isForLedgers)) {
      if (!entry.ok) return entry;
      add(omitLargeValues(entry.value));
      const { seq } = entry.value;
      const { shortestPrompt } = state;
      if (isBehind || seq >= horizon.seq || !shortestPrompt) continue;
      isBehind = horizon.isShortest(seq, shortestPrompt.tokens);
      if (isBehind) state.beginBehind(horizon.seq, horizon.boundary);
    }
    return ok();
  }

  return {
    get header() {
      return header;
    },
    visit(given) {
      header = headerAfter(header, given);
      needsLedgers ||= isForLedgers(given);
      const entry = omitLargeValues(given);
      horizon.see(entry);
      if (isTooLong) return;
      add(entry);
      isTooLong = state.items.length > limits.items;
      if (isTooLong) state = createSessionState(options);
    },
    async finish(log) {
      if (needsLedgers || isTooLong) {
        const read = await readAgain(log);
        if (!read.ok) return read;
      }
      if (needs !== null || state.hasUnread) {
        const rebuilt = await rebuild(state, log, needs ?? state.segmentStart);
        if (!rebuilt.ok) return rebuilt;
      }
      const filled = await fill(state, log);
      isOpen = true;
      return filled;
    },
  };
}

/** Whether ledgers need large values of an entry: a user's words, inputs of calls, texts of errors, a plan. */
function isForLedgers(entry: Entry): boolean {
  if (entry.kind !== "message" || !entry.blobs) return false;
  const { type, content } = entry.message;
  if (type === "attachment") return true;
  return entry.blobs.some(({ path }) => {
    if (path.length === 2) return type === "user" || type === "assistant";
    const block = typeof content === "string" ? undefined : content[indexOf(path)];
    if (!block) return false;
    return isBlock(block, "tool_result") ? block.is_error === true : block.type !== "image";
  });
}

function indexOf(path: BlobLocation["path"]): number {
  return Number(path[2]);
}

async function rebuild(state: SessionState, log: SessionLog, after: number): Promise<Result<void>> {
  const rebuilding = state.startRebuild();
  for await (const entry of log.readAfter(after)) {
    if (!entry.ok) return entry;
    rebuilding.add(entry.value);
  }
  rebuilding.end();
  return ok();
}

/** Reads the contents that the view at the end of the log has, and of which stubs were made on the way. */
async function fill(state: SessionState, log: SessionLog): Promise<Result<SessionState>> {
  const { firstSeq, needs, take, end } = state.startFill();
  if (firstSeq !== undefined) {
    for await (const entry of log.readAfter(firstSeq - 1, ({ seq }) => needs(seq))) {
      if (!entry.ok) return entry;
      take(entry.value);
    }
  }
  end();
  return ok(state);
}

/**
 * Finds behind which entry the view at the end of a log begins, by decisions and usages alone: what stands before it
 * need not be held while the log is read.
 */
interface ViewHorizon {
  see(entry: Entry): void;
  /** Nothing up to this entry is in the view at the end; 0 where that is not known. */
  readonly seq: number;
  /** The compaction that hides what stands before it. */
  readonly boundary: number;
  /** Whether no response behind this entry, up to the boundary, has a prompt under so many tokens, or another head. */
  isShortest(seq: number, tokens: number): boolean;
}

/** Decisions that leave every item where it is, or that end with a compaction. */
const leavesOrder: ReadonlySet<string> = new Set(["offload", "clear", "strip-thinking", "cache-edit"]);

function createViewHorizon(): ViewHorizon {
  const responses: { readonly seqs: number[]; readonly tokens: number[] } = { seqs: [], tokens: [] };
  let horizon = 0;
  /** The compaction that made it so: up to there the view is not whole. */
  let boundary = 0;
  let newestHead = 0;
  let newestMove = 0;
  /** A log with an undo or a rewind is read as it is: what is live there is not known before its end. */
  let hasGoneBack = false;
  /** By response, the fewest tokens from it on, up to the boundary. */
  let fewest: readonly number[] | null = null;

  function seeCompaction(decision: CompactDecision, seq: number): void {
    const behind = firstKept(decision) - 1;
    if (newestMove <= behind) {
      horizon = behind;
      boundary = seq;
    }
    newestMove = seq;
  }

  function fewestFrom(): readonly number[] {
    let least = Number.POSITIVE_INFINITY;
    const from: number[] = [];
    for (let at = responses.seqs.length - 1; at >= 0; at -= 1) {
      if ((responses.seqs[at] as number) <= boundary) least = Math.min(least, responses.tokens[at] as number);
      from.push(least);
    }
    return from.reverse();
  }

  return {
    get boundary() {
      return boundary;
    },
    get seq() {
      return hasGoneBack ? 0 : horizon;
    },
    see(given) {
      const entry = validEntry(given);
      const { seq } = entry;
      if (entry.kind === "session" || (entry.kind === "note" && entry.note.topic === "head"))
        newestHead = seq;
      if (entry.kind === "message") {
        const tokens = countedTokens(entry.message);
        if (tokens === undefined) return;
        responses.seqs.push(seq);
        responses.tokens.push(tokens);
      }
      if (entry.kind !== "decision") return;
      const { decision } = entry;
      hasGoneBack ||= decision.type === "restore" || decision.type === "rewind";
      if (decision.type === "compact") seeCompaction(decision, seq);
      else if (!leavesOrder.has(decision.type)) newestMove = seq;
    },
    isShortest(seq, tokens) {
      if (newestHead > seq) return false;
      fewest ??= fewestFrom();
      return (fewest[firstBehind(responses.seqs, seq)] ?? Number.POSITIVE_INFINITY) >= tokens;
    },
  };
}

/** The position of the first number over `seq`, of numbers that grow. */
function firstBehind(seqs: readonly number[], seq: number): number {
  let low = 0;
  let high = seqs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((seqs[middle] as number) > seq) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The first entry that a boundary can leave in the view; none is kept before the first where that is not sure. */
function firstKept({ basis, kept }: CompactDecision): number {
  if (!kept) return basis + 1;
  const isSure = kept.from === undefined || kept.from.entry === kept.head;
  return isSure ? Math.min(basis + 1, kept.headSeq) : 0;
}
