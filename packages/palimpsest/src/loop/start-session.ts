import type { SessionHandle } from "@palimpsest/core";
import { fail, ok, type PermissionMode, type Result, type SessionStartSource } from "@palimpsest/core/spec";
import type { LoopSetup } from "./run.ts";

/**
 * Tells the hooks that a session begins which a program runs by itself: what they have for the model is attached, what
 * they have for the person is an event. `denied` where one of them stops it.
 */
export async function startSession(
  handle: SessionHandle,
  { hooks }: Pick<LoopSetup, "hooks">,
  { mode, startSource }: { readonly mode: PermissionMode; readonly startSource?: SessionStartSource },
  signal: AbortSignal,
): Promise<Result<void>> {
  if (!hooks.has("SessionStart")) return ok();
  const { session, cwd, emit } = handle;
  const source = startSourceOf(handle, startSource);
  const scene = { session: session.id, cwd, mode };
  const { stop, contexts, messages, warnings } = await hooks.run(
    "SessionStart",
    { source, ...scene },
    signal,
  );
  const tell = (level: "info" | "warning", text: string) =>
    emit({ type: "hook-message", hook: "SessionStart", level, text });
  for (const text of messages) tell("info", text);
  for (const text of warnings) tell("warning", text);
  if (stop !== undefined)
    return fail("denied", `A SessionStart hook does not let session ${session.id} begin: ${stop}`, {
      path: session.id,
      fix: "Do what it asks for, or take the hook out of the settings.",
    });
  for (const text of contexts) if (text.trim() !== "") await session.attach({ subtype: "hook", text });
  return ok();
}

/** How a session begins, as hooks are told: as whoever opened it says, else as its log shows. */
export function startSourceOf(
  { source, statistics }: Pick<SessionHandle, "source" | "statistics">,
  given: SessionStartSource | undefined,
): SessionStartSource {
  if (given !== undefined) return given;
  if (source !== "main") return "fork";
  return statistics().turns === 0 ? "startup" : "resume";
}
