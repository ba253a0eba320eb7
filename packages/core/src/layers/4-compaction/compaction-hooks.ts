import type { CompactTrigger, HookVerdict, LayerIo } from "../../spec/index.ts";
import type { CompactCommand, CompactionPorts } from "./ports.ts";
import { compactionLayerId } from "./rules/build-boundary.ts";
import { nothingRestorable } from "./rules/plan-restoration.ts";
import { joinInstructions } from "./rules/summary-prompt.ts";
import type { Background } from "./run.ts";

/** Asks the hooks before a compaction: they may add instructions, and refuse an automatic one. */
export async function runPreCompact(
  { plan, view }: CompactCommand,
  { emit }: LayerIo,
  signal: AbortSignal,
  { hooks, show }: CompactionPorts,
): Promise<{ readonly instructions?: string; readonly veto?: string }> {
  const own = joinInstructions(plan.request?.instructions);
  const given = own === undefined ? {} : { instructions: own };
  if (!hooks?.has("PreCompact")) return given;
  emit({ type: "hooks-start", hook: "PreCompact" });
  const messages = new Set(view.items.map(({ entry }) => entry)).size;
  const input = { trigger: plan.trigger, ...given, tokens: view.count.tokens, messages };
  const verdict = await awaitVerdict(hooks.run("PreCompact", input, signal), emit);
  for (const text of verdict.messages) show?.(text);
  const instructions = joinInstructions(own, ...verdict.contexts);
  const veto = verdict.block ?? verdict.stop;
  return { ...(instructions !== undefined && { instructions }), ...(veto !== undefined && { veto }) };
}

/** Content restored besides files. */
export async function readBackground(
  { emit }: LayerIo,
  signal: AbortSignal,
  { hooks, restore }: CompactionPorts,
): Promise<Background> {
  const others = (await restore?.others?.(signal)?.catch(warnUnreadable(emit))) ?? nothingRestorable;
  if (!hooks?.has("SessionStart")) return { others, contexts: [] };
  emit({ type: "hooks-start", hook: "SessionStart" });
  const { contexts } = await awaitVerdict(hooks.run("SessionStart", { source: "compact" }, signal), emit);
  return { others, contexts };
}

/** Tells the hooks of a compaction that is about to be recorded. */
export async function runPostCompact(
  trigger: CompactTrigger,
  summary: string,
  { emit }: LayerIo,
  signal: AbortSignal,
  { hooks, show }: CompactionPorts,
): Promise<void> {
  if (!hooks?.has("PostCompact")) return;
  emit({ type: "hooks-start", hook: "PostCompact" });
  const { messages } = await awaitVerdict(hooks.run("PostCompact", { trigger, summary }, signal), emit);
  for (const text of messages) show?.(text);
}

const silence: HookVerdict = { contexts: [], messages: [], warnings: [] };

/** Hooks that fail are named, and keep nothing from happening. */
async function awaitVerdict(verdict: Promise<HookVerdict>, emit: LayerIo["emit"]): Promise<HookVerdict> {
  const said = await verdict.catch((cause: unknown) => ({ ...silence, warnings: [messageOf(cause)] }));
  for (const message of said.warnings) emit({ type: "layer-failed", layer: compactionLayerId, message });
  return said;
}

function warnUnreadable(emit: LayerIo["emit"]) {
  return (cause: unknown) => {
    const message = `The content to restore could not be read: ${messageOf(cause)}`;
    emit({ type: "layer-failed", layer: compactionLayerId, message });
    return nothingRestorable;
  };
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
