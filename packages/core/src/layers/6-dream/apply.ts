import { type EntryDraft, type LayerIo, ok, type Result } from "../../spec/index.ts";
import type { DreamCommand } from "./decide.ts";
import type { DreamLayerPorts } from "./ports.ts";

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
