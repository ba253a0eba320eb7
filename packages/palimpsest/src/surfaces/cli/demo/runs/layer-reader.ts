import type { DecisionType, EventBody } from "@palimpsest/core/spec";
import { formatBytes, formatNumber } from "../../format-amount.ts";
import { formatTokens } from "../lines/format-demo.ts";
import type { LayerEvent } from "./demo-word.ts";

type Told<Type extends EventBody["type"]> = Extract<EventBody, { readonly type: Type }>;

/**
 * Makes of what the engine tells what its layers did: a decision that frees something, or notes that were written. What a
 * layer tells of its work comes before the decision that it is about.
 */
export function createLayerReader(): (event: EventBody, request: number) => LayerEvent | null {
  let offloads: readonly Told<"result-offload">[] = [];
  let clearing: Told<"results-clear"> | null = null;
  let compaction: Told<"compaction-end"> | null = null;
  let fold: Told<"fold-commit"> | null = null;
  let notesReason = "";

  function doneBy(decision: DecisionType): string {
    if (decision === "offload" && offloads.length > 0) return offloads.map(offloadText).join(", ");
    if (decision === "clear" && clearing) return clearingText(clearing);
    if (decision === "compact" && compaction) return `to ${formatTokens(compaction.tokensAfter)}`;
    if (decision === "fold" && fold) return formatNumber(fold.folds, "span folded", "spans folded");
    return decision;
  }

  function whyOf({ decision, reason }: Told<"decision-record">): string {
    const [first] = offloads;
    if (decision === "offload" && first)
      return first.limit === "tool" ? "over the limit of one result" : "over the limit of a round";
    return decision === "clear" ? reason.replace(/^[\w-]+: /, "") : reason;
  }

  function ofDecision(event: Told<"decision-record">, request: number): LayerEvent | null {
    const { decision, layer, frees } = event;
    const made =
      frees > 0 && layer !== "engine"
        ? { request, layer, did: doneBy(decision), frees, why: whyOf(event) }
        : null;
    if (decision === "offload") offloads = [];
    return made;
  }

  return (event, request) => {
    if (event.type === "result-offload") offloads = [...offloads, event];
    if (event.type === "results-clear") clearing = event;
    if (event.type === "compaction-end") compaction = event;
    if (event.type === "fold-commit") fold = event;
    if (event.type === "notes-start") notesReason = event.reason;
    if (event.type === "notes-end" && event.outcome === "written")
      return { request, layer: "session-notes", did: "", frees: 0, why: notesReason };
    return event.type === "decision-record" ? ofDecision(event, request) : null;
  };
}

function offloadText({ tool = "a tool", bytes }: Told<"result-offload">): string {
  return `${formatBytes(bytes)} of ${tool}`;
}

function clearingText({ results, inputs }: Told<"results-clear">): string {
  const parts = [
    ...(results > 0 ? [formatNumber(results, "result")] : []),
    ...(inputs > 0 ? [formatNumber(inputs, "input")] : []),
  ];
  return parts.join(" and ");
}
