import { sentItems } from "../context/prefix/sent-items.ts";
import { featuresOf } from "../context/tokens/index.ts";
import {
  type ContentBlock,
  type Entry,
  type EntryDraft,
  fail,
  type LayerReport,
  type Message,
  type MessageInput,
  type Moment,
  ok,
  PalimpsestError,
  type Result,
  type Session,
  type View,
} from "../spec/index.ts";
import { createCacheWatch } from "./cache-watch.ts";
import { contextUsage } from "./context-usage.ts";
import { insideLayers } from "./inside-layers.ts";
import { createLayerRunner } from "./layer-runner.ts";
import { momentsOf } from "./moments-of.ts";
import { createPreparation } from "./preparation.ts";
import { recall } from "./recall.ts";
import { responseEvents } from "./response-events.ts";
import { searchSession } from "./search.ts";
import type { SessionParts } from "./session-parts.ts";
import { createThinkingGuard } from "./thinking-guard.ts";
import { toMessage } from "./to-message.ts";
import { checkUndo, findEntry, undoTarget } from "./undo.ts";

/** A session that has not begun yet: `start` tells the layers, once. */
export interface StartableSession extends Session {
  start(): Promise<void>;
}

const engineHead = { layer: "engine", frees: 0 } as const;

/** A session over its log and state. One call runs at a time, in the order they were made. */
export function createSession(parts: SessionParts): StartableSession {
  const { id, state, log, store, head, config, rates, gaps, emit } = parts;
  const { calibration } = rates;
  const count = () => state.count((features) => calibration.estimate(head.model, features));
  const view = (): View => ({
    items: state.items,
    count: count(),
    ledgers: state.ledgers,
    head: state.head,
    settledResults: state.settledResults,
    sentItems: sentItems({
      items: state.items,
      digestAt: state.prefixDigest,
      digestOf: (entry) => state.messageOf(entry)?.prefixDigest,
    }),
  });
  const tokensOf = (block: ContentBlock) => calibration.estimate(head.model, featuresOf(block)).tokens;
  const { capabilities } = config;
  const guard = createThinkingGuard({ state, head, capabilities, tokensOf, append: settle });
  /** Who only reads decides nothing. */
  const layers = log.isReadOnly ? [] : parts.layers;
  const runner = createLayerRunner({ ...parts, layers, view, guard, tokensOf, append, inTurn });
  const watch = config.flags.values["prefix-guard"] ? createCacheWatch({ ...parts, tokensOf }) : undefined;
  const preparation = createPreparation({ ...parts, runner, guard, watch, count, tokensOf, append: settle });
  let turn: Promise<unknown> = Promise.resolve();
  let isClosed = false;
  let closing: Promise<void> | null = null;
  /** What must be read again before anything else, as a read that failed has left it. */
  let behind: number | null = null;

  function inTurn<T>(work: () => Promise<Result<T>>): Promise<T> {
    if (insideLayers.getStore()) return Promise.reject(waitsForItself());
    const mine = turn.then(async () => {
      const done = isClosed
        ? fail("closed", `Session ${id} is closed.`, { path: id, fix: "Open it again." })
        : await catchingUp(work);
      if (!done.ok) throw done.error;
      return done.value;
    });
    turn = mine.catch(() => undefined);
    return mine;
  }

  function waitsForItself(): PalimpsestError {
    const message = `Session ${id} waits for this layer, and cannot be used by it.`;
    const fix = "Give drafts, use what “apply” is handed, or run in the background.";
    return new PalimpsestError("conflict", message, { path: id, fix });
  }

  /** Where an entry could not be followed by reading the log again, that comes first. */
  async function catchingUp<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
    const caughtUp = behind === null ? ok() : await readAgain(behind);
    return caughtUp.ok ? work() : caughtUp;
  }

  async function readAgain(after: number): Promise<Result<void>> {
    behind = after;
    const entries: Entry[] = [];
    for await (const entry of log.readAfter(after)) {
      if (!entry.ok) return entry;
      entries.push(entry.value);
    }
    state.rebuild(entries);
    behind = null;
    return ok();
  }

  /** The engine alone appends: the log first, then everything derived from it. */
  async function append(drafts: readonly EntryDraft[]): Promise<Result<readonly Entry[]>> {
    const appended = await log.append(drafts);
    if (!appended.ok) return appended;
    let needs: number | null = null;
    for (const entry of appended.value) {
      needs = state.add(entry);
      if (entry.kind === "decision") {
        const { type: decision, layer, reason, frees } = entry.decision;
        emit({ type: "decision-record", decision, id: entry.id, layer, reason, frees });
      }
    }
    const read = needs === null ? ok() : await readAgain(needs);
    return read.ok ? appended : read;
  }

  /** What a valid request needs. Who only reads a log keeps it to himself: the request is made all the same. */
  async function settle(drafts: readonly EntryDraft[]): Promise<Result<readonly Entry[]>> {
    if (!log.isReadOnly) return append(drafts);
    const at = new Date(parts.clock.now()).toISOString();
    const entries = drafts.map((draft, index): Entry => {
      const seq = state.lastSeq + 1 + index;
      return { ...draft, v: 1, seq, epoch: 0, id: `unsaved_${seq}`, at };
    });
    for (const entry of entries) state.add(entry);
    return ok(entries);
  }

  async function add(input: MessageInput): Promise<Result<Entry>> {
    const checked = toMessage(input, head.tools);
    if (!checked.ok) return checked;
    const at = toTime(input.at);
    if (!at.ok) return at;
    const message = withOrigin(checked.value);
    const before = state.statistics;
    const appended = await append([{ kind: "message", message, ...(at.value && { at: at.value }) }]);
    if (!appended.ok) return appended;
    for (const event of responseEvents(message, before, state.statistics, watch, parts.clock.now()))
      emit(event);
    const { responses, respondedAtMs } = state.statistics;
    if (responses > before.responses && before.respondedAtMs !== undefined)
      gaps.see((respondedAtMs ?? before.respondedAtMs) - before.respondedAtMs);
    rates.saveIfDue();
    for (const moment of momentsOf(message)) {
      const reached = await reach(moment);
      if (!reached.ok) return reached;
    }
    return ok(appended.value[0] as Entry);
  }

  /** A response says which request it answers: the one made last, unless the caller knows better. */
  function withOrigin(message: Message): Message {
    if (message.type !== "assistant") return message;
    const { responseId: _id, ...rest } = message;
    const responseId = state.responseIdFor(message);
    const prefixDigest = message.prefixDigest ?? preparation.sentDigest();
    return { ...rest, ...(responseId !== undefined && { responseId }), prefixDigest };
  }

  async function reach(moment: Moment): Promise<Result<void>> {
    const reached = await runner.reach(moment);
    return reached.ok ? ok() : reached;
  }

  async function clear(targetTokens: number | undefined): Promise<Result<readonly LayerReport[]>> {
    const target = targetTokens === undefined ? {} : { targetTokens };
    const reached = await runner.reach({ kind: "before-request", trigger: "manual", ...target });
    return reached.ok ? ok(reached.value.reports) : reached;
  }

  async function undo(decisionId: string | undefined) {
    const target = await undoTarget(state, log, decisionId);
    if (!target.ok) return target;
    const tokensBefore = count().tokens;
    const { id: decision, seq } = target.value;
    const checked = checkUndo(target.value, tokensBefore, config.thresholds.blocking, guard);
    if (!checked.ok) return checked;
    const restored = await append([
      {
        kind: "decision",
        decision: {
          ...engineHead,
          type: "restore",
          reason: "undone on request",
          basis: state.head,
          decision,
          decisionSeq: seq,
        },
      },
    ]);
    if (!restored.ok) return restored;
    return ok({ decision, tokensBefore, tokensAfter: count().tokens });
  }

  async function rewind(to: string): Promise<Result<void>> {
    const target = await findEntry(log, to);
    if (!target.ok) return target;
    const { seq: toSeq } = target.value;
    const moved = await append([
      {
        kind: "decision",
        decision: {
          ...engineHead,
          type: "rewind",
          reason: "rewound on request",
          basis: state.head,
          to,
          toSeq,
        },
      },
    ]);
    return moved.ok ? ok() : moved;
  }

  return {
    id,
    isReadOnly: log.isReadOnly,
    add: (message) => inTurn(() => add(message)),
    prepare: () => inTurn(preparation.prepare),
    plan: () => ({ layers: runner.plan({ kind: "before-request", trigger: "auto" }), count: count() }),
    usage: () => contextUsage({ state, head, calibration, thresholds: config.thresholds, count: count() }),
    undo: (decisionId) => inTurn(() => undo(decisionId)),
    rewind: (to) => inTurn(() => rewind(to)),
    recall: (what, options) => inTurn(() => recall(log, store.blobs, id, what, options)),
    search: (query, options) => inTurn(() => searchSession(log, query, options?.limit)),
    clear: (options) => inTurn(() => clear(options?.targetTokens)),
    idle: () => inTurn(() => reach({ kind: "idle" })),
    start: () => inTurn(() => reach({ kind: "session-start" })),
    async *entries() {
      for await (const entry of log.readAfter(0)) {
        if (!entry.ok) throw entry.error;
        yield entry.value;
      }
    },
    close() {
      if (insideLayers.getStore()) return Promise.reject(waitsForItself());
      closing ??= close();
      return closing;
    },
  };

  async function close(): Promise<void> {
    await runner.stop();
    await inTurn(async () => {
      if (!log.isReadOnly) await Promise.all([rates.settle(), gaps.settle()]);
      const closed = await log.close();
      isClosed = true;
      emit({ type: "session-close" });
      return closed;
    });
  }
}

/** A time as entries have it. */
function toTime(at: unknown): Result<string | undefined> {
  if (at === undefined) return ok(undefined);
  const time = typeof at === "number" || typeof at === "string" ? new Date(at) : null;
  if (time && !Number.isNaN(time.getTime())) return ok(time.toISOString());
  return fail("invalid-input", `at: “${String(at)}” is not a time.`, {
    path: "at",
    fix: "Give milliseconds or an ISO time.",
  });
}
