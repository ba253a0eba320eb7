import { encodeEntry } from "@palimpsest/core/internal";
import type { DecisionType, Entry, EventBody } from "@palimpsest/core/spec";
import { catalogRowName, type PreparedRecording, replayRecording } from "../../../../replay/index.ts";
import type { RunReport, RunWatch } from "../../../../replay/run-report.ts";
import { formatBytes, formatNumber, formatTokens } from "../../../terminal/format-amount.ts";
import {
  type DemoWord,
  findPolicy,
  type LayerEvent,
  type PlayedRequest,
  type ShownRun,
  shippedPolicy,
} from "./demo-policies.ts";

/** As `palimpsest replay` has it: each policy's own lifetime of the cache, prices of the session's own model. */
export const demoOptions = { ttl: "auto", lookBackBlocks: 20, priceRows: [], hasCatalogRow: true } as const;

export interface PlayedPolicy {
  readonly recording: PreparedRecording;
  readonly policy: string;
  readonly tell: (word: DemoWord) => void;
}

/** Runs one policy on the session and tells of it: request by request, where it is one of those that are shown. */
export async function playPolicy({ recording, policy, tell }: PlayedPolicy): Promise<void> {
  const watch = watchOf(policy, tell);
  const outcome = await replayRecording(recording, [findPolicy(policy)], { ...demoOptions, watch });
  tell({ word: "policy", policy, outcome });
}

function watchOf(policy: string, tell: PlayedPolicy["tell"]): RunWatch {
  if (policy === shippedPolicy) return watchEngine(tell);
  return policy === "identity" ? watchRun(policy, tell) : {};
}

function watchRun(run: ShownRun, tell: PlayedPolicy["tell"]): RunWatch {
  return { request: (_request, soFar) => tell({ word: "request", run, request: toPlayed(soFar) }) };
}

function watchEngine(tell: PlayedPolicy["tell"]): RunWatch {
  const read = createLayerReader();
  return {
    ...watchRun("engine", tell),
    event(event, { index }) {
      const layerEvent = read(event, index);
      if (layerEvent) tell({ word: "layer", event: layerEvent });
    },
    log: (entries) => tell({ word: "log", lines: encodeAll(entries), lastSeq: entries.at(-1)?.seq ?? 1 }),
  };
}

function toPlayed({ sizes, cost, breaks }: RunReport): PlayedRequest {
  return {
    tokens: sizes.at(-1) ?? 0,
    dollars: (cost[catalogRowName] ?? 0) / 1e6,
    breaks: breaks.policy,
    coldStarts: breaks.idle,
  };
}

function encodeAll(entries: readonly Entry[]): Uint8Array {
  return Buffer.concat(entries.map(encodeEntry));
}

type EventOf<Type extends EventBody["type"]> = Extract<EventBody, { readonly type: Type }>;

/**
 * Makes of what the engine tells what its layers did: a decision that frees something, or notes that were written. What a
 * layer tells of its work comes before the decision that it is about.
 */
export function createLayerReader(): (event: EventBody, request: number) => LayerEvent | null {
  let offloads: readonly EventOf<"result-offload">[] = [];
  let clearing: EventOf<"results-clear"> | null = null;
  let compaction: EventOf<"compaction-end"> | null = null;
  let fold: EventOf<"fold-commit"> | null = null;
  let notesReason = "";

  function doneBy(decision: DecisionType): string {
    if (decision === "offload" && offloads.length > 0) return offloads.map(offloadText).join(", ");
    if (decision === "clear" && clearing) return clearingText(clearing);
    if (decision === "compact" && compaction) return `to ${formatTokens(compaction.tokensAfter)}`;
    if (decision === "fold" && fold) return formatNumber(fold.folds, "span folded", "spans folded");
    return decision;
  }

  function whyOf({ decision, reason }: EventOf<"decision-record">): string {
    const [first] = offloads;
    if (decision === "offload" && first)
      return first.limit === "tool" ? "over the limit of one result" : "over the limit of a round";
    return decision === "clear" ? reason.replace(/^[\w-]+: /, "") : reason;
  }

  function ofDecision(event: EventOf<"decision-record">, request: number): LayerEvent | null {
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

function offloadText({ tool = "a tool", bytes }: EventOf<"result-offload">): string {
  return `${formatBytes(bytes)} of ${tool}`;
}

function clearingText({ results, inputs }: EventOf<"results-clear">): string {
  const parts = [
    ...(results > 0 ? [formatNumber(results, "result")] : []),
    ...(inputs > 0 ? [formatNumber(inputs, "input")] : []),
  ];
  return parts.join(" and ");
}
