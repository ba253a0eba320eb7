import type { LoopPort, SessionHandle } from "../engine/loop-port.ts";
import {
  fail,
  type LoopEvent,
  type PermissionMode,
  type PermissionRules,
  type RunOptions,
} from "../spec/index.ts";
import { createChannel } from "./channel.ts";
import type { LoopSetup, Run } from "./run.ts";
import { runFork } from "./run-fork.ts";
import { runTurns } from "./run-turns.ts";
import { nothingSpent } from "./spending.ts";

export interface LoopOptions {
  /** What runs are made with: asked once, when the first one begins. */
  readonly setupFor: (handle: SessionHandle) => Promise<LoopSetup>;
  readonly mode?: PermissionMode;
  /** Done when the session is closed. */
  readonly onClose?: () => Promise<void>;
}

/** How a session acts by itself: one run at a time, forks beside it. */
export function createLoop(options: LoopOptions): LoopPort {
  const queued: string[] = [];
  const closing = new AbortController();
  /** What goes on, to be waited for at the end. */
  const working = new Set<Promise<unknown>>();
  let current: AbortSignal | null = null;
  let isFirst = true;
  let { mode = "default" } = options;
  let setup: Promise<LoopSetup> | null = null;
  let rules: PermissionRules = {};

  function setupOf(handle: SessionHandle): Promise<LoopSetup> {
    setup ??= options.setupFor(handle);
    return setup;
  }

  function track<T>(work: Promise<T>): Promise<T> {
    const tracked = work.finally(() => working.delete(tracked));
    tracked.catch(() => undefined);
    working.add(tracked);
    return tracked;
  }

  async function* run(handle: SessionHandle, prompt: string, given: RunOptions): AsyncGenerator<LoopEvent> {
    if (current !== null) {
      const fix = "Use “queue” for what the user says meanwhile, or wait for its end.";
      throw fail("conflict", `Session ${handle.session.id} is running already.`, { fix }).error;
    }
    const stopped = new AbortController();
    const signals = [closing.signal, stopped.signal, ...(given.signal ? [given.signal] : [])];
    const signal = AbortSignal.any(signals);
    current = signal;
    const channel = createChannel<LoopEvent>();
    const state: Run = {
      handle,
      setup: await setupOf(handle).catch((cause) => {
        current = null;
        throw cause;
      }),
      options: given,
      signal,
      emit: channel.push,
      startedMs: handle.clock.monotonic(),
      isFirst,
      takeQueued: () => queued.splice(0),
      spending: nothingSpent,
      mode: given.mode ?? mode,
      rules,
      touched: [],
      text: "",
      brokenAnswers: 0,
      stopObjections: 0,
    };
    isFirst = false;
    const ended = track(
      runTurns(state, prompt).then((end) => {
        ({ mode, rules } = state);
        current = null;
        channel.push({ type: "run-end", ...end });
        channel.end();
      }),
    );
    try {
      yield* channel;
    } finally {
      stopped.abort();
      await ended;
    }
  }

  return {
    run,
    queue: (prompt) => {
      queued.push(prompt);
    },
    fork(handle, directive, given) {
      const linked = [closing.signal, ...(current ? [current] : []), ...(given.signal ? [given.signal] : [])];
      const signal = AbortSignal.any(linked);
      const forked = setupOf(handle).then((made) =>
        runFork({ handle, setup: made, directive, options: given, signal, mode, rules }),
      );
      return track(forked);
    },
    async close(handle) {
      closing.abort();
      await Promise.allSettled(working);
      const { hooks } = isFirst ? { hooks: undefined } : await setupOf(handle);
      if (hooks?.has("SessionEnd")) {
        const scene = { session: handle.session.id, cwd: handle.cwd, mode };
        await hooks.run("SessionEnd", { ...scene, reason: "closed" }, new AbortController().signal);
      }
      await options.onClose?.();
    },
  };
}
