import type {
  CompactDecision,
  CompactionAttempt,
  CompactionRecords,
  Entry,
  Note,
} from "../../../spec/index.ts";

export const noCompactions: CompactionRecords = { boundarySeq: 0, modelFailures: 0, modelFailuresBefore: 0 };

/** Keeps what the log says about compactions; few entries do, so all of them are kept, live or not. */
export interface CompactionRecorder {
  /** Takes the next entry of the log. */
  see(entry: Entry): void;
  /** The records that hold on the live chain. */
  read(chain: LiveChain): CompactionRecords;
  /** A second one that goes on from here by itself. */
  copy(): CompactionRecorder;
}

export interface LiveChain {
  isLive(seq: number): boolean;
  /** Whether a decision was undone. */
  isUndone(id: string): boolean;
}

type CompactionRecord =
  | {
      readonly seq: number;
      readonly id: string;
      readonly compact: Pick<CompactDecision, "trigger" | "strategy">;
    }
  | { readonly seq: number; readonly id: string; readonly restores: string }
  | { readonly seq: number; readonly id: string; readonly attempt: CompactionAttempt }
  | { readonly seq: number; readonly id: string; readonly lasting: Note };

const modelStrategies: ReadonlySet<string> = new Set(["prefix", "plain", "chunked", "prepared", "native"]);

export function createCompactionRecorder(): CompactionRecorder {
  return resumeFrom([], new Set());
}

function resumeFrom(before: readonly CompactionRecord[], known: ReadonlySet<string>): CompactionRecorder {
  const seen = [...before];
  const compactions = new Set(known);
  return {
    see(entry) {
      const { seq, id } = entry;
      if (entry.kind === "note" && entry.note.topic === "compaction")
        seen.push({ seq, id, attempt: entry.note });
      if (entry.kind === "note" && (entry.note.topic === "title" || entry.note.topic === "mode"))
        seen.push({ seq, id, lasting: entry.note });
      if (entry.kind !== "decision") return;
      const { decision } = entry;
      if (decision.type === "compact") {
        compactions.add(id);
        const { trigger, strategy } = decision;
        seen.push({ seq, id, compact: { trigger, strategy } });
      } else if (decision.type === "restore" && compactions.has(decision.decision))
        seen.push({ seq, id, restores: decision.decision });
    },
    read: ({ isLive, isUndone }) =>
      seen
        .filter(({ seq }) => isLive(seq))
        .reduce((records, one) => addRecord(records, one, isUndone(one.id)), noCompactions),
    copy: () => resumeFrom(seen, compactions),
  };
}

function addRecord(records: CompactionRecords, one: CompactionRecord, isUndone: boolean): CompactionRecords {
  if ("restores" in one) return isUndone ? records : { ...records, undoneSeq: one.seq };
  if ("lasting" in one) return { ...records, lasting: withNewest(records.lasting, one.lasting) };
  if ("attempt" in one) return addAttempt(records, one.seq, one.attempt);
  return addCompaction(records, one.seq, one.compact, isUndone);
}

function addAttempt(records: CompactionRecords, seq: number, attempt: CompactionAttempt): CompactionRecords {
  const { outcome, rung, trigger, reason, tokens, threshold, prepared } = attempt;
  if (outcome === "exhausted")
    return { ...records, exhausted: { seq, tokens, ...(threshold !== undefined && { threshold }) } };
  if (outcome === "prepared")
    return { ...records, modelAskedSeq: seq, ...(prepared && { prepared: { ...prepared, seq } }) };
  if (rung === "prepared") return { ...records, modelAskedSeq: seq };
  if (rung !== "full" || trigger === "manual" || reason === "aborted") return records;
  const failures = reason === "no_effect" ? records.modelFailuresBefore : records.modelFailures;
  return { ...records, modelFailures: failures + 1, modelAskedSeq: seq };
}

function addCompaction(
  records: CompactionRecords,
  seq: number,
  { trigger, strategy }: Pick<CompactDecision, "trigger" | "strategy">,
  isUndone: boolean,
): CompactionRecords {
  const isAutomatic = trigger === "auto" || trigger === "reactive";
  const asked =
    isAutomatic && modelStrategies.has(strategy)
      ? { modelAskedSeq: seq, modelFailures: 0, modelFailuresBefore: records.modelFailures }
      : {};
  if (isUndone) return { ...records, ...asked };
  const { exhausted: _exhausted, prepared: _prepared, ...rest } = records;
  const last = isAutomatic ? { lastAutomatic: { seq, strategy } } : {};
  return { ...rest, ...asked, ...last, boundarySeq: seq };
}

function withNewest(lasting: readonly Note[] = [], note: Note): readonly Note[] {
  return [...lasting.filter(({ topic }) => topic !== note.topic), note];
}
