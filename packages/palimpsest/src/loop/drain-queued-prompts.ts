import type { SessionHandle } from "@palimpsest/core";
import { toAttachmentText } from "@palimpsest/core/internal";
import {
  fail,
  isBlock,
  type Notice,
  type NoticeMoment,
  ok,
  type PermissionMode,
  type Result,
  type SessionStartSource,
} from "@palimpsest/core/spec";
import { type Finish, type LoopSetup, type Run, warn } from "./run.ts";
import { runHooks } from "./run-hooks.ts";

interface Hearing {
  readonly hasHeard: boolean;
  /** A hook ends the run. */
  readonly finish?: Finish;
}

/**
 * Takes in what the user has said in the meantime, oldest first, each as one message. Hooks judge it like every prompt;
 * what they refuse is told to the person. What is not heard because of an interrupt goes on waiting.
 */
export async function drainQueuedPrompts(run: Run): Promise<Hearing> {
  let hasHeard = false;
  for (;;) {
    const [prompt] = run.queued;
    if (prompt === undefined || run.signal.aborted) return { hasHeard };
    const { stop, block, contexts } = await runHooks(run, "UserPromptSubmit", { prompt });
    if (run.signal.aborted) return { hasHeard };
    run.queued.shift();
    if (stop !== undefined) return { hasHeard, finish: { reason: "hook", message: stop } };
    if (block !== undefined) warn(run, block);
    else {
      await attachContexts(run, contexts);
      await run.handle.session.add({ role: "user", content: prompt });
      hasHeard = true;
    }
  }
}

/** Attaches what there is to tell the model. A source that fails is named, and the others are heard. */
export async function attachNotices(run: Run, kind: NoticeMoment["kind"], prompt?: string): Promise<void> {
  const { touched, mode } = run;
  run.touched = [];
  for (const source of run.setup.notices) {
    const notices = await takeSafely(
      run,
      () =>
        source.take({
          kind,
          ...(prompt !== undefined && { prompt }),
          touched,
          mode,
          signal: run.signal,
        }),
      source.name,
    );
    const mayRepeat = kind !== "session-start" || source.remembers === true;
    for (const notice of notices) if (mayRepeat || !isInView(run, notice)) await attach(run, notice);
  }
}

/** A session that is resumed was told before, and still has it before its eyes. */
function isInView({ handle }: Run, { subtype, text }: Notice): boolean {
  const attached = toAttachmentText(text, subtype);
  return handle.view().items.some(({ block }) => isBlock(block, "text") && block.text === attached);
}

export async function attach(run: Run, notice: Notice): Promise<void> {
  if (notice.text.trim() === "") return;
  await run.handle.session.attach(notice);
  run.emit({ type: "notice-add", ...notice });
}

/** Attaches the contexts of hooks, for the model and for the person. */
export async function attachContexts(run: Run, contexts: readonly string[]): Promise<void> {
  for (const text of contexts) await attach(run, { subtype: "hook", text });
}

async function takeSafely(
  run: Run,
  take: () => Promise<readonly Notice[]>,
  name: string,
): Promise<readonly Notice[]> {
  try {
    return await take();
  } catch (cause) {
    warn(run, `${name}: ${cause instanceof Error ? cause.message : String(cause)}`);
    return [];
  }
}

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
  const context = { session: session.id, cwd, mode };
  const { stop, contexts, messages, warnings } = await hooks.run(
    "SessionStart",
    { source, ...context },
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
