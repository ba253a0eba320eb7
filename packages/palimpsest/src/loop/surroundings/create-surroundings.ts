import type { SessionHandle } from "@palimpsest/core";
import type { LayerHooks, LoopEvent, PermissionMode, Surroundings } from "@palimpsest/core/spec";
import type { LoopSetup } from "../run.ts";
import { createAskPlain } from "./ask-plain.ts";
import { createRestorePort } from "./create-restore-port.ts";

export interface SurroundingsOptions {
  readonly handle: SessionHandle;
  readonly setup: LoopSetup;
  /** What the session may do by now. */
  readonly mode: () => PermissionMode;
  /** Tells whoever follows the run that goes on; nobody where none does. */
  readonly tell: (event: LoopEvent) => void;
  /** Of the run that goes on: its end ends what is done for the layers too. */
  readonly signal: () => AbortSignal | null;
}

/** What the program around a session can do for its layers. */
export function createSurroundings(options: SurroundingsOptions): Surroundings {
  const { handle, setup, tell, signal: current } = options;
  const withRun = (signal: AbortSignal) => {
    const run = current();
    return run ? AbortSignal.any([signal, run]) : signal;
  };
  const askPlain = createAskPlain(handle, setup);
  return {
    hooks: layerHooks(options, withRun),
    askPlain: (question, signal) => askPlain(question, withRun(signal)),
    restore: createRestorePort(handle, setup),
    show: (text) => tell({ type: "message-show", level: "info", text }),
  };
}

function layerHooks(
  { handle, setup, mode }: SurroundingsOptions,
  withRun: (signal: AbortSignal) => AbortSignal,
): LayerHooks {
  const { session, cwd } = handle;
  const { hooks } = setup;
  return {
    has: (name) => hooks.has(name),
    run: (name, input, signal) =>
      hooks.run(name, { ...input, session: session.id, cwd, mode: mode() }, withRun(signal)),
  };
}
