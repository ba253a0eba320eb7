import { type EntryDraft, type EventBody, type LayerIo, ok, type Result } from "../../spec/index.ts";
import type { DreamCommand } from "./decide.ts";

/** A dream that fails is an event of its own, and a later session tries again: here only the gates can fail. */
export async function applyDream(
  command: DreamCommand,
  io: Pick<LayerIo, "emit">,
  signal: AbortSignal,
  ports: DreamLayerPorts,
): Promise<Result<readonly EntryDraft[]>> {
  const done =
    command.kind === "dream" ? await ports.dream(io.emit, signal) : await ports.logTurn(command.text);
  return done.ok ? ok([]) : done;
}

/** The ports of the layer. */
export interface DreamLayerPorts {
  /** Whether there is a memory folder with a lock. */
  readonly hasMemory: boolean;
  /** Default true. False for a session that ends with its answer: a dream begun in it would end with it, half done. */
  readonly isLongLived?: boolean;
  /** Goes through the gates and dreams where they are open. Ends soon once the signal aborts. */
  dream(emit: (event: EventBody) => void, signal: AbortSignal): Promise<Result<unknown>>;
  /** Adds a line to the day's log. */
  logTurn(text: string): Promise<Result<unknown>>;
}
