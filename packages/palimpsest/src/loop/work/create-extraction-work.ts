import { memoryLayerId, systemShell } from "@palimpsest/core/internal";
import {
  type BackgroundWork,
  type Event,
  fail,
  type Layer,
  ok,
  PalimpsestError,
  type Result,
  type Session,
  type Store,
  type WorkDone,
  type WorkHandler,
  type WorkKind,
  type WorkOrder,
} from "@palimpsest/core/spec";
import { createFileTools } from "../../tools/files/index.ts";
import type { AgentLocation } from "../agent/agent-location.ts";
import { openAgentMemory } from "../agent/memory/open-agent-memory.ts";
import { openSession, type SessionOptions } from "../open-session.ts";
import { noHooks } from "../run-hooks.ts";

/** Where the work on a project is done. */
interface ExtractionLocation extends Pick<SessionOptions, "model" | "settings"> {
  readonly location: AgentLocation;
  readonly store: Store;
}

type OpenExtractionLocation = (order: WorkOrder) => Promise<Result<ExtractionLocation>>;

/** A session that is open elsewhere extracts by itself; this looks again in case it does not. */
const againAfterMs = 5 * 60_000;

/**
 * Extracts what a session that has ended left unextracted. It takes the session's lease, and what it did is a note in
 * the session's log: done again it finds nothing left to do.
 */
export function createExtractionWork(open: OpenExtractionLocation): WorkHandler {
  return async (order, { signal }) => {
    const opened = await open(order);
    if (!opened.ok) return opened;
    try {
      return await extract(opened.value, order, signal);
    } catch (cause) {
      if (PalimpsestError.isInstance(cause)) return finishRefused(cause);
      throw cause;
    }
  };
}

function finishRefused(error: PalimpsestError): Result<WorkDone> {
  if (error.code === "held") return ok({ message: "The session is open elsewhere.", againAfterMs });
  if (error.code === "not-found" || error.code === "collected")
    return ok({ message: "The session is gone: there is nothing to extract." });
  return { ok: false, error };
}

async function extract(
  { location, store, ...choices }: ExtractionLocation,
  { session: id = "" }: WorkOrder,
  signal: AbortSignal,
): Promise<Result<WorkDone>> {
  const watch = createWatch(signal);
  const memory = await openAgentMemory({ location, store, isCustomTool: false, warn: () => {} });
  const opening = openSession({
    ...choices,
    store: takingOver(store),
    id,
    resume: true,
    keepsHead: true,
    home: location.home,
    cwd: location.cwd,
    clock: location.clock,
    hooks: noHooks,
    layers: [atStart(memory.layer)],
    tools: createFileTools({ shell: systemShell, environment: location.runtime.environment }),
    places: { readable: location.readable, memoryFolder: location.memoryFolder },
    onEvent: watch.see,
  });
  try {
    await run(await opening, watch);
  } finally {
    await memory.close();
  }
  return signal.aborted ? fail("aborted", "The extraction was stopped.") : watch.outcome();
}

/** A machine that was lost never gives its sessions back: one whose heartbeat is old is taken from it. */
function takingOver(store: Store): Store {
  const { logs } = store;
  const open: Store["logs"]["open"] = (session, visit, options) =>
    logs.open(session, visit, { ...options, takeOver: true });
  return { ...store, logs: { ...logs, open } };
}

async function run(session: Session, watch: ReturnType<typeof createWatch>): Promise<void> {
  try {
    await watch.idle();
  } finally {
    await session.close();
  }
}

/** It is asked once, when the session is opened. What failed before does not make it wait: the queue does that. */
function atStart(layer: Layer): Layer {
  return {
    ...layer,
    moments: ["session-start"],
    decide({ failedExtractions: _failed, ...view }, moment, facts) {
      return layer.decide(view, moment, facts);
    },
  };
}

function createWatch(signal: AbortSignal) {
  let running = 0;
  let onIdle: () => void = () => {};
  let failure: string | null = null;
  let written: readonly string[] | null = null;
  return {
    see(event: Event): void {
      if (event.type === "task-start" && event.layer === memoryLayerId) running += 1;
      if (event.type === "memory-extracted") ({ written } = event);
      if (event.type === "memory-failed" && event.path === undefined) failure = event.message;
      if (event.type === "layer-failed") failure = event.message;
      if (event.type !== "task-end" || event.layer !== memoryLayerId) return;
      running -= 1;
      if (running === 0) onIdle();
    },
    async idle(): Promise<void> {
      if (running === 0 || signal.aborted) return;
      await new Promise<void>((resolve) => {
        onIdle = resolve;
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
    },
    outcome(): Result<WorkDone> {
      if (failure !== null) return fail("io", failure, { retryable: true });
      if (written === null) return ok({ message: "There was nothing to extract." });
      return ok({ message: `Extracted: ${written.length === 0 ? "nothing new" : written.join(", ")}.` });
    },
  };
}

/** Whether somebody stands ready for work of this kind. Where that cannot be told, nobody does. */
export async function hasWorker(work: BackgroundWork, kind: WorkKind): Promise<boolean> {
  const workers = await work.workers(kind);
  return workers.ok && workers.value > 0;
}

/** Whether somebody else does the work: it is queued, and a worker for it is there. What goes wrong leaves it here. */
export async function handOver(work: BackgroundWork, order: WorkOrder): Promise<boolean> {
  return (await hasWorker(work, order.kind)) && (await work.enqueue(order)).ok;
}
