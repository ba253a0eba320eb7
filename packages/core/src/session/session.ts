import { answerPrices } from "../catalog/index.ts";
import {
  type Capabilities,
  type CompactionReport,
  type CompactRequest,
  type ContentBlock,
  type ContextUsage,
  type Entry,
  type ForkKind,
  type ForkOptions,
  type ForkResult,
  fail,
  type Message,
  type MessageInput,
  type ModelRequest,
  type Moment,
  type Note,
  type Notice,
  ok,
  PalimpsestError,
  type Prepared,
  type Result,
  type Session,
  type SessionEndReason,
  type SessionStatistics,
  type View,
} from "../spec/index.ts";
import { dollarsOf } from "../view/economics/dollars.ts";
import { sentItems } from "../view/prefix/prefix-chain.ts";
import { countItems, featuresOf } from "../view/tokens/index.ts";
import { withOriginalIds } from "./answers/call-ids.ts";
import { createAwaitedResponse, responseEvents } from "./answers/recordable-answer.ts";
import { toMessage } from "./answers/to-message.ts";
import { createUsageJudge } from "./answers/to-usage.ts";
import { tellAssumptions } from "./assumptions.ts";
import { cacheUsage, createCacheWatch } from "./cache/cache-watch.ts";
import { createKeepWarm } from "./cache/keep-warm.ts";
import { createOwnRequest } from "./cache/kept-request.ts";
import { createThinkingGuard } from "./cache/thinking-guard.ts";
import { checkEndReason } from "./check-options.ts";
import { withMaskedErrors } from "./close-stores-with-session.ts";
import { fileStampIn } from "./head/store-head.ts";
import type { SessionHandle } from "./loop-port.ts";
import { contextUsage } from "./prepare/context-usage.ts";
import { layerContext, momentsOf, readBackAddress } from "./prepare/facts.ts";
import { createLayerRunner } from "./prepare/layer-runner.ts";
import { createNativeCompaction } from "./prepare/native-compaction.ts";
import { createRequestBuilder, type RequestTrigger } from "./prepare/request-builder.ts";
import { recall } from "./recall.ts";
import { searchSession } from "./search.ts";
import type { SessionConfig } from "./session-config.ts";
import { createSessionEdits } from "./session-edits.ts";
import { createSessionWriter } from "./session-log.ts";
import type { SessionParts } from "./session-parts.ts";
import { createSessionTurns } from "./session-records.ts";

/** A session that has not begun yet: `start` tells the layers, once. */
export interface OpenedSession {
  readonly session: Session;
  readonly handle: SessionHandle;
  start(): Promise<void>;
}

/** A session over its log and state. One call runs at a time, in the order they were made. */
export function createSession(given: SessionParts): OpenedSession {
  const { id, state, log, rates, gaps, emit } = given;
  const { calibration } = rates;
  /** As they are now: a switch of models changes them. */
  let parts = given;
  const count = () => state.count((features) => calibration.estimate(parts.head.model, features));
  /** The same until something is appended, or another model counts. */
  let seen: { readonly seq: number; readonly model: string; readonly view: View } | null = null;
  const view = (): View => {
    const { lastSeq: seq } = state;
    const { model } = parts.head;
    if (seen?.seq !== seq || seen.model !== model) seen = { seq, model, view: readView() };
    return seen.view;
  };
  const readView = (): View => ({
    items: state.items,
    count: count(),
    countOf: (items) => countItems(items, (features) => calibration.estimate(parts.head.model, features)),
    ledgers: state.ledgers,
    head: state.head,
    settledResults: state.settledResults,
    sparedResults: state.sparedResults,
    boundarySeq: state.liveCompactions.at(-1)?.seq,
    ...notesOf(state),
    ...state.folds,
    ...state.extraction,
    get taint() {
      return state.taint;
    },
    get sentItems() {
      return sentNow();
    },
  });
  /** Looked for where it is asked for: after an edit every response in the view may have to be asked. */
  let sent: { readonly seq: number; readonly items: number } | null = null;
  const sentNow = (): number => {
    const { items, lastSeq: seq, prefixDigest: digestAt } = state;
    const digestOf = (entry: string) => state.messageOf(entry)?.prefixDigest;
    if (sent?.seq !== seq) sent = { seq, items: sentItems({ items, digestAt, digestOf }) };
    return sent.items;
  };
  const tokensOf = (block: ContentBlock) => calibration.estimate(parts.head.model, featuresOf(block)).tokens;
  const { append, settle, catchUp } = createSessionWriter(given);
  const turns = createSessionTurns(id, catchUp);
  const inTurn = turns.take;
  let equipment = equip();
  const edits = createSessionEdits({
    state,
    log,
    config: () => parts.config,
    logAddress: () => readBackAddress(parts).logAddress,
    runner: () => equipment.runner,
    guard: () => equipment.guard,
    view,
    count,
    tokensOf,
    append,
  });
  const judge = createUsageJudge({
    ...given,
    windowTokens: () => parts.config.windowTokens,
    estimate: (features) => calibration.estimate(parts.head.model, features),
  });
  let closing: Promise<void> | null = null;
  const awaited = createAwaitedResponse();
  const own = createOwnRequest(
    () => parts,
    () => handle,
  );
  const warmth = createKeepWarm({
    parts: () => parts,
    handle: () => handle,
    kept: given.relay?.kept ?? own.kept,
    note: (note, atMs) => catchErrors(inTurn(() => record(note, new Date(atMs).toISOString()))),
    touch: (nowMs) => equipment.watch?.touch(nowMs),
  });

  function usage(): ContextUsage {
    const { head, config } = parts;
    const { thresholds, assumptions } = config;
    const context = { state, head, calibration, thresholds, assumptions, count: count() };
    return { ...contextUsage(context), cache: cacheUsage(parts, parts.clock.now()) };
  }

  /** Makes the parts that build requests for the model of the session. */
  function equip() {
    const { head, config } = parts;
    const { capabilities } = config;
    const guard = createThinkingGuard({ state, head, capabilities, tokensOf, append: settle });
    /** Who only reads decides nothing. */
    const layers = log.isReadOnly ? [] : parts.layers;
    const fork = (directive: string, options: ForkOptions) => forkFrom(directive, options);
    const { surroundings: around } = parts;
    const surroundings = around && (() => around(handle));
    const compactNatively = createNativeCompaction({ ...parts, guard, handle: () => handle, note: record });
    const runner = createLayerRunner({
      ...parts,
      layers,
      view,
      guard,
      tokensOf,
      append,
      inTurn,
      fork,
      surroundings,
      accounting: () => usage().accounting,
      ...(compactNatively && { compactNatively }),
    });
    const watch = config.flags.values["prefix-guard"] ? createCacheWatch({ ...parts, tokensOf }) : undefined;
    const requests = createRequestBuilder({
      ...parts,
      runner,
      guard,
      watch,
      count,
      tokensOf,
      append: settle,
    });
    return { guard, runner, watch, requests };
  }

  /** Work that a request should not go without is waited for before its turn, since it needs turns itself. */
  function prepare(trigger: RequestTrigger, signal?: AbortSignal): Promise<Prepared> {
    const take = () => inTurn(() => makeRequest(trigger, signal));
    const settled = layerContext.getStore() ? null : equipment.runner.settle();
    return settled ? settled.then(take) : take();
  }

  async function makeRequest(trigger: RequestTrigger, signal?: AbortSignal): Promise<Result<Prepared>> {
    const prepared = await equipment.requests.prepare(trigger, signal);
    if (prepared.ok) {
      awaited.ask(parts.clock.now());
      own.sent(prepared.value.request as ModelRequest);
    }
    return prepared;
  }

  async function add(input: MessageInput): Promise<Result<Entry>> {
    const checked = toMessage(input, parts.head.traits);
    if (!checked.ok) return checked;
    const at = toTime(input.at);
    if (!at.ok) return at;
    const message = state.withDistinctCalls(withOriginalIds(checked.value, state));
    return take(withOrigin(judge.settle(message)), at.value);
  }

  /** Something the model should know that nobody said. */
  async function attach({ subtype, text }: Notice): Promise<Result<Entry>> {
    const checked = toMessage({ role: "user", content: text });
    return checked.ok ? take({ ...checked.value, type: "attachment", subtype }, undefined) : checked;
  }

  async function take(message: Message, at: string | undefined): Promise<Result<Entry>> {
    const before = state.statistics;
    const times = awaited.take(message, parts.clock.now());
    const appended = await append([{ kind: "message", message, ...(at && { at }) }], times);
    if (!appended.ok) return appended;
    for (const event of responseEvents(message, before, state.statistics, equipment.watch, parts.clock.now()))
      emit(event);
    learnGaps(before);
    rates.saveIfDue();
    for (const moment of momentsOf(message)) {
      const reached = await equipment.runner.reach(moment);
      if (!reached.ok) return reached;
    }
    return ok(appended.value[0] as Entry);
  }

  /** How long after the one before it a response came, and its request was sent. */
  function learnGaps(before: SessionStatistics): void {
    const { responses, respondedAtMs, askedAtMs } = state.statistics;
    if (responses === before.responses) return;
    if (before.respondedAtMs !== undefined)
      gaps.see((respondedAtMs ?? before.respondedAtMs) - before.respondedAtMs);
    const { use } = gaps.pauses;
    // What another program asks once and never again, a title or a check, is no conversation that has ended.
    if (before.responses === (use === "relayed" ? 1 : 0)) gaps.pauses.begin();
    if (before.askedAtMs !== undefined) gaps.pauses.see((askedAtMs ?? before.askedAtMs) - before.askedAtMs);
  }

  /** A response says which request it answers: the one made last, unless the caller knows better. */
  function withOrigin(message: Message): Message {
    if (message.type !== "assistant") return message;
    const { responseId: _id, ...rest } = message;
    const responseId = state.responseIdFor(message);
    const sent = message.prefixDigest === undefined ? equipment.requests.sentPrefix() : {};
    return { ...rest, ...(responseId !== undefined && { responseId }), ...sent };
  }

  async function reach(moment: Moment): Promise<Result<void>> {
    const reached = await equipment.runner.reach(moment);
    return reached.ok ? ok() : reached;
  }

  /** Work in the background is waited for before its turn: it may be the very notes that stand for the past. */
  async function compact(request: CompactRequest, signal?: AbortSignal): Promise<CompactionReport> {
    await (layerContext.getStore() ? null : equipment.runner.settle());
    return inTurn(() => edits.compact(request, signal));
  }

  /** Work in the background may need a turn to come to its end: none is held while it is waited for. */
  async function changeModel(model: string): Promise<Result<void>> {
    const config = await parts.configFor(model);
    if (!config.ok) return config;
    await equipment.runner.stop();
    return catchErrors(inTurn(() => switchModel(model, config.value)));
  }

  /** From here on another model answers: a cold moment, in which thinking of the former one is worth nothing. */
  async function switchModel(model: string, config: SessionConfig): Promise<Result<void>> {
    const reason = `thinking of ${parts.head.model} means nothing to ${model}`;
    const stripped = await equipment.guard.strip(reason);
    if (!stripped.ok) return stripped;
    const noted = await append([{ kind: "note", note: { topic: "head", model } }]);
    if (!noted.ok) return noted;
    if (config.windowRefusal !== undefined) emit({ type: "setting-ignored", message: config.windowRefusal });
    tellAssumptions(config, emit);
    parts = { ...parts, head: { ...parts.head, model }, config };
    equipment = equip();
    return ok();
  }

  async function learnCapabilities(told: Partial<Capabilities>): Promise<Result<void>> {
    // A server's facts may be impossible: then they are ignored.
    const resolved = await catchErrors(parts.configFor(parts.head.model, told));
    const config = resolved.ok ? resolved.value : resolved;
    if (!config.ok) return config;
    await equipment.runner.stop();
    return catchErrors(inTurn(() => refit(config.value)));
  }

  /** Makes the request builder anew; the state and the log stay as they are. */
  async function refit(config: SessionConfig): Promise<Result<void>> {
    parts = { ...parts, config };
    equipment = equip();
    return ok();
  }

  async function forkHandle(kind: ForkKind): Promise<Result<SessionHandle>> {
    const forked = await parts.forkParts(parts, kind);
    return forked.ok ? ok(createSession(forked.value).handle) : forked;
  }

  /** A layer that the session waits for has the session's turn: its forks need not wait for one. */
  async function forkFrom(directive: string, options: ForkOptions): Promise<Result<ForkResult>> {
    const { loop } = parts;
    if (closing) return fail("closed", `Session ${id} is closed.`, { path: id, fix: "Open it again." });
    if (parts.parent) return forkOfFork(id);
    if (log.isReadOnly) return readOnlyFork(id);
    if (!loop) return noLoop();
    if (!layerContext.getStore()) return loop.fork(handle, directive, options);
    const inside: SessionHandle = { ...handle, fork: forkHandle, note: record };
    return layerContext.run(false, () => loop.fork(inside, directive, options));
  }

  /** Hooks are told outside of every turn, since they may use the session. */
  function afterBeginning<T>(work: () => Promise<T>): Promise<T> {
    const beginning = log.isReadOnly || layerContext.getStore() ? null : parts.loop?.begin?.(handle);
    if (!beginning) return work();
    return beginning.then((begun) => {
      if (!begun.ok) throw begun.error;
      return work();
    });
  }

  const session: Session = withMaskedErrors(given.secrets, {
    id,
    isReadOnly: log.isReadOnly,
    get assumptions() {
      return parts.config.assumptions;
    },
    add: (message) => afterBeginning(() => inTurn(() => add(message))),
    attach: (notice) => afterBeginning(() => inTurn(() => attach(notice))),
    prepare: ({ refused } = {}) =>
      afterBeginning(() =>
        prepare({ trigger: "auto", ...(refused !== undefined && { refused: String(refused) }) }),
      ),
    plan: () => ({
      layers: equipment.runner.plan({ kind: "before-request", ...equipment.requests.dueTrigger() }),
      count: count(),
    }),
    usage,
    undo: (decisionId) => inTurn(() => edits.undo(decisionId)),
    rewind: (to) => inTurn(() => edits.rewind(to)),
    recall: (what, options) => inTurn(() => recall(log, what, options)),
    search: (query, options) => inTurn(() => searchSession(log, query, options?.limit)),
    compact: (request = {}, { signal } = {}) => compact(request, signal),
    snip: (ids) => inTurn(() => edits.snip(ids)),
    clear: (options) => inTurn(() => edits.clear(options?.targetTokens)),
    idle: () => inTurn(() => reach({ kind: "idle" })),
    async keepWarm() {
      if (log.isReadOnly) throw fail("read-only", `Session ${id} is open for reading only.`).error;
      const read = parts.loop?.keepWarm ? await parts.loop.keepWarm(handle) : noLoop();
      if (!read.ok) throw read.error;
      return read.value;
    },
    stopTask: (layer) => equipment.runner.stopTask(layer),
    async countExactly() {
      const counted = parts.loop ? await parts.loop.count(handle) : noLoop();
      if (!counted.ok) throw counted.error;
      return counted.value;
    },
    run(prompt, options = {}) {
      if (!parts.loop) throw noLoop().error;
      return parts.loop.run(handle, prompt, options);
    },
    queue(prompt) {
      if (!parts.loop) throw noLoop().error;
      parts.loop.queue(prompt);
    },
    async fork(directive, options) {
      const forked = await forkFrom(directive, options);
      if (!forked.ok) throw forked.error;
      return forked.value;
    },
    async *entries() {
      for await (const entry of log.readAfter(0)) {
        if (!entry.ok) throw entry.error;
        yield entry.value;
      }
    },
    async close({ reason = "closed" } = {}) {
      const checked = checkEndReason(reason);
      if (!checked.ok) throw checked.error;
      turns.refuseLayers();
      closing ??= close(reason);
      return closing;
    },
  });

  const handle: SessionHandle = {
    session,
    source: parts.source,
    cwd: parts.cwd,
    clock: parts.clock,
    ids: parts.ids,
    emit,
    secrets: given.secrets,
    head: () => parts.head,
    config: () => parts.config,
    view,
    statistics: () => state.statistics,
    dollars: (usage, answered, asked = parts.head.model) =>
      dollarsOf(usage, answerPrices(parts.config.catalog, answered, asked)),
    fileStamp: (path) => fileStampIn(state.items, state.messageOf, path),
    note: (note) => catchErrors(inTurn(() => record(note))),
    doubtUsage: judge.doubt,
    prepare: (trigger, signal) => catchErrors(prepare(trigger, signal)),
    dropImages: (words) => catchErrors(inTurn(() => edits.dropImages(words))),
    nextRead: warmth.next,
    keepWarm: warmth.read,
    switchModel: changeModel,
    learnCapabilities,
    fork: (kind) => catchErrors(inTurn(() => forkHandle(kind))),
  };

  return { session, handle, start: () => inTurn(() => reach({ kind: "session-start" })) };

  async function record(note: Note, at?: string): Promise<Result<void>> {
    const noted = await append([{ kind: "note", note, ...(at !== undefined && { at }) }]);
    return noted.ok ? ok() : noted;
  }

  async function close(reason: SessionEndReason): Promise<void> {
    await parts.loop?.close(handle, reason);
    await equipment.runner.stop();
    await inTurn(async () => {
      if (!log.isReadOnly) await Promise.all([rates.settle(), gaps.settle()]);
      const closed = await log.close();
      turns.end();
      emit({ type: "session-close" });
      return closed;
    });
  }
}

function notesOf({
  notes: { notes, failedUpdates },
}: SessionParts["state"]): Pick<View, "notes" | "failedUpdates"> {
  return { ...(notes && { notes }), ...(failedUpdates && { failedUpdates }) };
}

function noLoop(): { readonly ok: false; readonly error: PalimpsestError } {
  return fail("no-model", "This session only keeps a context: nothing in it asks a model.", {
    fix: "Open it with “openSession” of the package itself.",
  });
}

function forkOfFork(id: string): Result<never> {
  return fail("denied", `${id} is a fork, and a fork cannot fork again.`, {
    path: id,
    fix: "Do the work in this conversation, or fork the session it came from.",
  });
}

function readOnlyFork(id: string): Result<never> {
  return fail("read-only", `Session ${id} is open read-only: what a fork costs could not be noted.`, {
    path: id,
    fix: "Open it for writing.",
  });
}

async function catchErrors<T>(work: Promise<T>): Promise<Result<T>> {
  try {
    return ok(await work);
  } catch (cause) {
    if (PalimpsestError.isInstance(cause)) return { ok: false, error: cause };
    throw cause;
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
