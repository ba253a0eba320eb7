import { type NotesState, nextNotes } from "../layers/3-session-notes/rules/index.ts";
import { type FoldsState, nextFolds } from "../layers/4-compaction/folding/rules/index.ts";
import { type ExtractionState, nextExtraction } from "../layers/5-memory/decide.ts";
import {
  type Entry,
  fail,
  isBlock,
  type Ledgers,
  type Message,
  ok,
  PalimpsestError,
  type Result,
  type Taint,
  type ViewItem,
} from "../spec/index.ts";
import { createLedgers, type LedgerSnapshot } from "../view/ledgers/index.ts";
import { emptyTaint, type TaintState } from "../view/trust/index.ts";
import { layerContext } from "./prepare/facts.ts";
import { createSessionTaint, type SessionTrustLocations } from "./session-taint.ts";

/** Records as they were at some entry, to go back to. */
export interface RecordsSnapshot {
  readonly ledgers: LedgerSnapshot;
  /** Messages in the view without their content, which the items have. */
  readonly traits: ReadonlyMap<string, Message>;
  readonly settledResults: ReadonlySet<string>;
  readonly notes: NotesState;
  readonly folds: FoldsState;
  readonly extraction: ExtractionState;
  readonly taint: TaintState;
}

/** Records of live entries besides the view. */
interface SessionRecords extends Omit<RecordsSnapshot, "ledgers" | "taint"> {
  /** `isDead`: the entry is a decision that was undone. */
  add(entry: Entry, isDead: boolean): void;
  /** Drops what speaks of messages and results that the view no longer has. */
  forgetHidden(items: readonly ViewItem[]): void;
  snapshot(): RecordsSnapshot;
  goBackTo(former: RecordsSnapshot | undefined): void;
  readonly ledgers: Ledgers;
  readonly taint: Taint;
  /** Tool uses that an undone cache edit had deleted, since the newest boundary. */
  readonly sparedResults: ReadonlySet<string>;
}

export interface RecordsStart {
  readonly records: RecordsSnapshot;
  readonly sparedResults: ReadonlySet<string>;
  readonly locations: SessionTrustLocations;
}

export function noRecords(): RecordsSnapshot {
  return {
    ledgers: createLedgers().snapshot(),
    traits: new Map(),
    settledResults: new Set(),
    notes: {},
    folds: {},
    extraction: {},
    taint: emptyTaint,
  };
}

export function createSessionRecords(start: RecordsStart): SessionRecords {
  const taint = createSessionTaint(start.locations, start.records.taint);
  let ledgers = createLedgers(start.records.ledgers);
  let traits = new Map(start.records.traits);
  let settledResults = new Set(start.records.settledResults);
  let sparedResults = new Set(start.sparedResults);
  let { notes, folds, extraction } = start.records;

  function addDecision({ id, decision }: Entry & { readonly kind: "decision" }, isDead: boolean): void {
    if (decision.type === "compact") {
      const { attachments, summary } = decision;
      const files = attachments.flatMap(({ files: shown = [] }) => shown);
      const base: Message =
        summary?.prefixDigest === undefined ? { type: "attachment", content: "" } : summary;
      traits.set(id, { ...base, content: "", ...(files.length > 0 && { files }) });
    } else if (decision.type === "offload") {
      for (const { toolUseId } of decision.results) settledResults.add(toolUseId);
    } else if (decision.type === "cache-edit" && isDead) {
      for (const { toolUseId } of decision.parts) sparedResults.add(toolUseId);
    }
  }

  return {
    add(entry, isDead) {
      if (!isDead) {
        notes = nextNotes(notes, entry);
        taint.see(entry);
      }
      folds = nextFolds(folds, entry, isDead);
      extraction = nextExtraction(extraction, entry);
      if (entry.kind === "message") {
        ledgers.add(entry);
        traits.set(entry.id, traitsOf(entry.message));
      } else if (entry.kind === "decision") addDecision(entry, isDead);
    },
    forgetHidden(items) {
      const visible = new Set(items.map(({ entry }) => entry));
      traits = new Map([...traits].filter(([id]) => visible.has(id)));
      const results = new Set(
        items.flatMap(({ block }) => (isBlock(block, "tool_result") ? block.tool_use_id : [])),
      );
      settledResults = new Set([...settledResults].filter((id) => results.has(id)));
    },
    snapshot: () => ({
      ledgers: ledgers.snapshot(),
      traits: new Map(traits),
      settledResults: new Set(settledResults),
      notes,
      folds,
      extraction,
      taint: taint.state,
    }),
    goBackTo(former) {
      ledgers = createLedgers(former?.ledgers);
      traits = new Map(former?.traits);
      settledResults = new Set(former?.settledResults);
      sparedResults = new Set();
      notes = former?.notes ?? {};
      folds = former?.folds ?? {};
      extraction = former?.extraction ?? {};
      taint.goBackTo(former?.taint);
    },
    get ledgers() {
      return ledgers.ledgers();
    },
    get traits() {
      return traits;
    },
    get settledResults() {
      return settledResults;
    },
    get sparedResults() {
      return sparedResults;
    },
    get notes() {
      return notes;
    },
    get folds() {
      return folds;
    },
    get extraction() {
      return extraction;
    },
    get taint() {
      return taint.taint;
    },
  };
}

/** Most messages of a user have none but their kind. */
const plainUser: Message = { type: "user", content: "" };

function traitsOf(message: Message): Message {
  const isPlain = message.type === "user" && Object.keys(message).length === 2;
  return isPlain ? plainUser : { ...message, content: "" };
}

/** One thing is done with a session at a time, in the order it was asked for. */
interface SessionTurns {
  /** Does the work when its turn comes; throws what it fails with. */
  take<T>(work: () => Promise<Result<T>>): Promise<T>;
  /** Throws where a layer that the session waits for asks for it. */
  refuseLayers(): void;
  /** No turn is given any more. */
  end(): void;
}

/** `before` is done ahead of each turn, and its failure is the turn's; `null` where nothing is to be done. */
export function createSessionTurns(id: string, before: () => Promise<Result<void>> | null): SessionTurns {
  let turn: Promise<unknown> = Promise.resolve();
  let hasEnded = false;

  function refuseLayers(): void {
    if (!layerContext.getStore()) return;
    const message = `Session ${id} waits for this layer, and cannot be used by it.`;
    const fix = "Give drafts, use what “apply” is handed, or run in the background.";
    throw new PalimpsestError("conflict", message, { path: id, fix });
  }

  async function next<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
    if (hasEnded) return fail("closed", `Session ${id} is closed.`, { path: id, fix: "Open it again." });
    const due = before();
    const ready = due ? await due : ok();
    return ready.ok ? work() : ready;
  }

  return {
    async take(work) {
      refuseLayers();
      const mine = turn.then(
        () => next(work),
        () => next(work),
      );
      turn = mine;
      const done = await mine;
      if (!done.ok) throw done.error;
      return done.value;
    },
    refuseLayers,
    end() {
      hasEnded = true;
    },
  };
}
