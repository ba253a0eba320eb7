import { setMaxListeners } from "node:events";
import type { LoopPort, SessionHandle } from "../engine/loop-port.ts";
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
} from "../spec/index.ts";
import { askOnce } from "./ask-once.ts";
import { createChannel } from "./channel.ts";
import { countRequest } from "./count-request.ts";
import { toFinish } from "./finish.ts";
import { createLinkedSignal } from "./linked-signal.ts";
import type { LoopSetup, Run } from "./run.ts";
import { runFork } from "./run-fork.ts";
import { runTurns } from "./run-turns.ts";
import { nothingSpent } from "./spending.ts";
import { createSurroundings } from "./surroundings/create-surroundings.ts";

export interface LoopOptions {
  /** What runs are made with: asked when the first one begins, and again only where it failed. */
  readonly setupFor: (handle: SessionHandle) => Promise<LoopSetup>;
  readonly mode?: PermissionMode;
  /** Another agent has begun the session. */
  readonly isAgent?: boolean;
  /** Done when the session is closed. */
  readonly onClose?: () => Promise<void>;
}

/** How a session acts by itself: one run at a time, forks beside it. */
export function createLoop(options: LoopOptions): LoopPort {
  const queued: string[] = [];
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  /** What goes on, to be waited for at the end. */
  const working = new Set<Promise<unknown>>();
  let current: AbortSignal | null = null;
  /** The run that goes on: forks begin with what it may do by now. */
  let running: Pick<Run, "mode" | "rules" | "emit"> | null = null;
  let isFirst = true;
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
      ...(options.isAgent && { isAgent: true }),
      queued: given.queued ?? queued,
      spending: nothingSpent,
      mode: begunIn,
      rules,
      asking: Promise.resolve(),
      touched: [],
      text: "",
      brokenAnswers: 0,
      stopObjections: 0,
    };
    running = run;
    const end = await runTurns(run, prompt);
    ({ isFirst, rules } = run);
    if (run.mode !== begunIn) mode = run.mode;
    return end;
  }

  async function* run(handle: SessionHandle, prompt: string, given: RunOptions): AsyncGenerator<LoopEvent> {
    if (closing.signal.aborted) throw closed(handle).error;
    if (current !== null) {
      const fix = "Use “queue” for what the user says meanwhile, or wait for its end.";
      throw fail("conflict", `Session ${handle.session.id} is running already.`, { fix }).error;
    }
    const { signal, abort, unlink } = createLinkedSignal([closing.signal, given.signal]);
    current = signal;
    const channel = createChannel<LoopEvent>();
    const ended = track(
      perform(handle, prompt, { signal, emit: channel.push, given }).then((end) => {
        unlink();
        current = null;
        running = null;
        channel.push({ type: "run-end", ...end });
        channel.end();
      }),
    );
    try {
      yield* channel;
    } finally {
      // What was begun beside a run that came to its own end goes on.
      if (current === signal) abort();
      await ended;
    }
  }

  return {
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
    async ask(handle, request, given) {
      if (closing.signal.aborted) return closed(handle);
      const { signal, unlink } = createLinkedSignal([closing.signal, current, given]);
      const answered = setupOf(handle).then((made) =>
        made.ok ? askOnce({ handle, setup: made.value, request, signal }) : made,
      );
      return track(answered.finally(unlink));
    },
    async fork(handle, directive, given) {
      if (closing.signal.aborted) return closed(handle);
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
    async close(handle) {
      closing.abort();
      await Promise.allSettled(working);
      const made = isFirst || options.isAgent ? null : await setupOf(handle);
      if (made?.ok && made.value.hooks.has("SessionEnd")) {
        const scene = { session: handle.session.id, cwd: handle.cwd, mode };
        const never = new AbortController().signal;
        await made.value.hooks.run("SessionEnd", { ...scene, reason: "closed" }, never);
      }
      await options.onClose?.();
    },
  };
}

function closed({ session: { id } }: SessionHandle) {
  return fail("closed", `Session ${id} is closed.`, { path: id, fix: "Open it again." });
}
