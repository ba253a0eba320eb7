import { fail, ok, PalimpsestError, type Result } from "../spec/index.ts";
import { layerContext } from "./prepare/layer-context.ts";

/** One thing is done with a session at a time, in the order it was asked for. */
export interface SessionTurns {
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
