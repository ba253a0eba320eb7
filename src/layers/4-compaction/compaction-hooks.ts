import { nothingRestorable } from "../../context/compaction/plan-restoration.ts";
import { joinInstructions } from "../../context/compaction/summary-prompt.ts";
import type { CompactTrigger, LayerIo } from "../../spec/index.ts";
import type { CompactCommand } from "./command.ts";
import type { CompactionPorts } from "./ports.ts";
import type { Background } from "./run.ts";

/** Asks the hooks before a compaction: they may add instructions, and refuse an automatic one. */
export async function runPreCompact(
  { plan, view }: CompactCommand,
  { hooks, emit }: LayerIo,
  signal: AbortSignal,
  ports: CompactionPorts,
): Promise<{ readonly instructions?: string; readonly veto?: string }> {
  const own = joinInstructions(plan.request?.instructions);
  const given = own === undefined ? {} : { instructions: own };
  if (!hooks?.has("PreCompact")) return given;
  emit({ type: "hooks-start", hook: "PreCompact" });
  const messages = new Set(view.items.map(({ entry }) => entry)).size;
  const input = { trigger: plan.trigger, ...given, tokens: view.count.tokens, messages };
  const verdict = await hooks.run("PreCompact", input, signal);
  for (const text of verdict.messages) ports.show?.(text);
  const instructions = joinInstructions(own, ...verdict.contexts);
  const veto = verdict.block ?? verdict.stop;
  return { ...(instructions !== undefined && { instructions }), ...(veto !== undefined && { veto }) };
}

/** What is brought back besides files. */
export async function readBackground(
  { hooks, emit }: LayerIo,
  signal: AbortSignal,
  { restore }: CompactionPorts,
): Promise<Background> {
  const others = (await restore?.others?.(signal)) ?? nothingRestorable;
  if (!hooks?.has("SessionStart")) return { others, contexts: [] };
  emit({ type: "hooks-start", hook: "SessionStart" });
  const { contexts } = await hooks.run("SessionStart", { source: "compact" }, signal);
  return { others, contexts };
}

/** Tells the hooks of a compaction that is about to be recorded. */
export async function runPostCompact(
  trigger: CompactTrigger,
  summary: string,
  { hooks, emit }: LayerIo,
  signal: AbortSignal,
  { show }: CompactionPorts,
): Promise<void> {
  if (!hooks?.has("PostCompact")) return;
  emit({ type: "hooks-start", hook: "PostCompact" });
  const { messages } = await hooks.run("PostCompact", { trigger, summary }, signal);
  for (const text of messages) show?.(text);
}
