import { encodeEntry } from "@palimpsest/core/internal";
import type { Entry } from "@palimpsest/core/spec";
import { catalogRowName, type PreparedRecording, replayRecording } from "../../../../replay/index.ts";
import type { RunReport } from "../../../../replay/run-report.ts";
import type { RunWatch } from "../../../../replay/run-watch.ts";
import { findPolicy } from "./demo-policies.ts";
import type { DemoWord, PlayedRequest, ShownRun } from "./demo-word.ts";
import { createLayerReader } from "./layer-reader.ts";

/** Prices are those of the session's own model; the cache keeps things for five minutes, as recorded. */
const options = { ttl: "5m", lookBackBlocks: 20, priceRows: [], hasCatalogRow: true } as const;

export interface PlayedPolicy {
  readonly recording: PreparedRecording;
  readonly policy: string;
  readonly tell: (word: DemoWord) => void;
}

/** Runs one policy on the session and tells of it: request by request, where it is one of those that are shown. */
export async function playPolicy({ recording, policy, tell }: PlayedPolicy): Promise<void> {
  const watch = policy === "engine" ? watchEngine(tell) : policy === "identity" ? watchRun(policy, tell) : {};
  const outcome = await replayRecording(recording, [findPolicy(policy)], { ...options, watch });
  tell({ word: "policy", policy, outcome });
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
