import { AsyncLocalStorage } from "node:async_hooks";
import { setMaxListeners } from "node:events";
import type { LoopPort, SessionHandle } from "@palimpsest/core";
import {
  fail,
  type LoopEvent,
  ok,
  type PalimpsestError,
  type PermissionMode,
  type PermissionRules,
  type Result,
  type RunEnd,
  type RunOptions,
  type SessionStartSource,
} from "@palimpsest/core/spec";
import { createLinkedSignal } from "../signals.ts";
import { askOnce } from "./ask-model.ts";
import { createWarming } from "./create-warming.ts";
import { startSession } from "./drain-queued-prompts.ts";
import { type LoopSetup, type Run, toFinish } from "./run.ts";
import { runFork } from "./run-fork.ts";
import { maskEvent } from "./run-hooks.ts";
import { runTurns } from "./run-turns.ts";
import { nothingSpent } from "./spending.ts";
import { createSurroundings } from "./surroundings/create-surroundings.ts";

/** Whether this is done by a hook that hears of a session's beginning: it need not wait for itself. */
const insideStart = new AsyncLocalStorage<boolean>();

export interface LoopOptions {
  /** The setup of runs: asked for when the first one begins, and again only where it failed. */
  readonly setupFor: (handle: SessionHandle) => Promise<LoopSetup>;
  /** Keys that its models were given. */
  readonly keys?: LoopPort["keys"];
  readonly mode?: PermissionMode;
  /** Another agent has begun the session. */
  readonly isAgent?: boolean;
  /** How the session begins, where that is not to be seen from its log. */
  readonly startSource?: SessionStartSource;
  /** A person thinks between runs: the prompt cache is kept warm meanwhile where that was set. */
  readonly keepsWarm?: boolean;
  /** Done when the session is closed. */
  readonly onClose?: () => Promise<void>;
}

/** How a session acts by itself: one run at a time, forks beside it. */
export function createLoop(options: LoopOptions): LoopPort {
  const queued: string[] = [];
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  /** Work in progress, to be waited for at the end. */
  const working = new Set<Promise<unknown>>();
  let current: AbortSignal | null = null;
  /** The run that goes on: forks begin with what it may do by now. */
  let running: Pick<Run, "mode" | "rules" | "emit"> | null = null;
  let isFirst = true;
  /** Hooks were told of the beginning, by a run or since a program uses the session by itself. */
  let hasStarted = false;
  let starting: Promise<Result<void>> | null = null;
  const beginning = options.startSource && { startSource: options.startSource };
  const warming = createWarming(closing.signal);
  let { mode = "default" } = options;
  let setup: Promise<Result<LoopSetup>> | null = null;
  let rules: PermissionRules = {};

  function setupOf(handle: SessionHandle): Promise<Result<LoopSetup>> {
    setup ??= makeSetup(handle);
    return setup;
  }

  async function makeSetup(handle: SessionHandle): Promise<Result<LoopSetup>> {
    try {
      return ok(await options.setupFor(handle));
    } catch (cause) {
      setup = null;
      return { ok: false, error: toFinish(cause).error as PalimpsestError };
    }
  }

  function track<T>(work: Promise<T>): Promise<T> {
    const tracked = work.finally(() => working.delete(tracked));
    tracked.catch(() => undefined);
    working.add(tracked);
    return tracked;
  }

  /** Goes through a run to its end. Never throws. */
  async function perform(
    handle: SessionHandle,
    prompt: string,
    { signal, emit, given }: { signal: AbortSignal; emit: Run["emit"]; given: RunOptions },
  ): Promise<RunEnd> {
    const startedMs = handle.clock.monotonic();
    const made = await setupOf(handle);
    if (!made.ok) return { ...toFinish(made.error), ...nothingSpent, text: "", durationMs: 0 };
    const begunIn = given.mode ?? mode;
    const run: Run = {
      handle,
      setup: made.value,
      options: given,
      signal,
      emit,
      startedMs,
      isFirst,
      ...(hasStarted && { hasStarted }),
      ...(options.isAgent && { isAgent: true }),
      ...beginning,
      queued: given.queued ?? queued,
      spending: nothingSpent,
      mode: begunIn,
      rules,
      asking: Promise.resolve(),
      touched: [],
      text: "",
      brokenAnswers: 0,
      brokenStreams: 0,
      stopObjections: 0,
    };
    running = run;
    const end = await runTurns(run, prompt);
    ({ isFirst, rules } = run);
    hasStarted ||= !isFirst;
    if (run.mode !== begunIn) mode = run.mode;
    return end;
  }

  async function start(handle: SessionHandle): Promise<Result<void>> {
    const made = await setupOf(handle);
    const started = made.ok
      ? await startSession(handle, made.value, { mode, ...beginning }, closing.signal)
      : made;
    hasStarted ||= started.ok;
    return started;
  }

  async function* run(handle: SessionHandle, prompt: string, given: RunOptions): AsyncGenerator<LoopEvent> {
    if (closing.signal.aborted) throw refuseClosed(handle).error;
    if (current !== null) throw refuseRunning(handle).error;
    warming.stop();
    const { signal, abort, unlink } = createLinkedSignal([closing.signal, given.signal]);
    current = signal;
    const channel = createChannel<LoopEvent>();
    const emit = (event: LoopEvent) => channel.push(maskEvent(event, handle.secrets));
    const ended = track(
      perform(handle, prompt, { signal, emit, given }).then((end) => {
        unlink();
        current = null;
        running = null;
        if (options.keepsWarm) track(warming.start(handle));
        channel.push({ type: "run-end", ...end });
        channel.end();
      }),
    );
    try {
      yield* channel;
    } finally {
      // Work begun beside a run that came to its own end goes on.
      if (current === signal) abort();
      await ended;
    }
  }

  return {
    ...(options.keys && { keys: options.keys }),
    run,
    queue(prompt) {
      if (closing.signal.aborted)
        throw fail("closed", "The session is closed.", { fix: "Open it again." }).error;
      if (prompt.trim() === "")
        throw fail("invalid-input", "The message is empty.", { fix: "Say something." }).error;
      queued.push(prompt);
    },
    async count(handle) {
      const made = await setupOf(handle);
      return made.ok ? countRequest(handle, made.value) : made;
    },
    async ask(handle, request, given, { tries } = {}) {
      if (closing.signal.aborted) return refuseClosed(handle);
      const { signal, unlink } = createLinkedSignal([closing.signal, current, given]);
      const asked = { handle, request, signal, ...(tries !== undefined && { tries }) };
      const answered = setupOf(handle).then((made) =>
        made.ok ? askOnce({ ...asked, setup: made.value }) : made,
      );
      return track(answered.finally(unlink));
    },
    async keepWarm(handle) {
      if (closing.signal.aborted) return refuseClosed(handle);
      if (current !== null) return refuseRunning(handle);
      return track(handle.keepWarm(closing.signal));
    },
    async fork(handle, directive, given) {
      if (closing.signal.aborted) return refuseClosed(handle);
      const { signal, unlink } = createLinkedSignal([closing.signal, current, given.signal]);
      const allowed = running ?? { mode, rules };
      const forked = setupOf(handle).then((made) =>
        made.ok
          ? runFork({
              handle,
              setup: made.value,
              directive,
              options: given,
              signal,
              mode: allowed.mode,
              rules: allowed.rules,
            })
          : made,
      );
      return track(forked.finally(unlink));
    },
    async surroundings(handle) {
      const made = await setupOf(handle);
      if (!made.ok) return {};
      return createSurroundings({
        handle,
        setup: made.value,
        mode: () => running?.mode ?? mode,
        signal: () => current,
        tell: (event) => running?.emit(event),
      });
    },
    begin(handle) {
      const isDone = hasStarted || current !== null || closing.signal.aborted;
      if (isDone || options.isAgent || insideStart.getStore()) return null;
      starting ??= track(insideStart.run(true, () => start(handle))).finally(() => {
        starting = null;
      });
      return starting;
    },
    async close(handle, reason) {
      closing.abort();
      await Promise.allSettled(working);
      const made = !hasStarted || options.isAgent ? null : await setupOf(handle);
      if (made?.ok && made.value.hooks.has("SessionEnd")) {
        const context = { session: handle.session.id, cwd: handle.cwd, mode };
        const never = new AbortController().signal;
        await made.value.hooks.run("SessionEnd", { ...context, reason }, never);
      }
      await options.onClose?.();
    },
  };
}

function refuseRunning({ session: { id } }: SessionHandle) {
  return fail("conflict", `Session ${id} is running already.`, {
    path: id,
    fix: "Use “queue” for what the user says meanwhile, or wait for its end.",
  });
}

function refuseClosed({ session: { id } }: SessionHandle) {
  return fail("closed", `Session ${id} is closed.`, { path: id, fix: "Open it again." });
}

/** Tokens of the request that would be sent now, as the model's own endpoint counts them. */
async function countRequest(handle: SessionHandle, setup: LoopSetup): Promise<Result<number>> {
  const { model } = handle.head();
  const found = await setup.modelFor(model);
  if (!found.ok) return found;
  const { count } = found.value;
  if (!count)
    return fail("invalid-input", `The server of ${model} does not count tokens.`, {
      path: "model",
      fix: "Use the estimate that “session.usage” gives.",
    });
  const prepared = await handle.prepare({ trigger: "auto" });
  return prepared.ok ? count.call(found.value, prepared.value.request) : prepared;
}

/** Values on their way from one who makes them to one who reads them, in order. */
interface Channel<T> extends AsyncIterable<T> {
  /** Dropped where the end was before it. */
  push(value: T): void;
  /** Nothing comes behind this; what was pushed is still read. */
  end(): void;
}

export function createChannel<T>(): Channel<T> {
  const waiting: T[] = [];
  let hasEnded = false;
  let wake: (() => void) | null = null;

  function notify(): void {
    wake?.();
    wake = null;
  }

  return {
    push(value) {
      if (hasEnded) return;
      waiting.push(value);
      notify();
    },
    end() {
      hasEnded = true;
      notify();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        while (waiting.length > 0) yield waiting.shift() as T;
        if (hasEnded) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
