import { promptTokens, type SessionState } from "@palimpsest/core/internal";
import type { Capabilities, Prepared, Usage, ViewItem } from "@palimpsest/core/spec";
import type { RecordedRequest } from "../recorded-session.ts";
import type { RunTally } from "../run-tally.ts";
import type { SegmentSizes } from "../sizes/calibrate-session.ts";
import type { CacheSimulator, CacheUse } from "./cache-simulator.ts";
import { createRequestMeasure } from "./measure-request.ts";

/** Pays for the requests of a run. */
export interface RequestMeter {
  /** What the request costs is known once its output is: the function given back says so, and tells the usage. */
  measure(sent: SentRequest): (output: number) => Usage;
}

export interface SentRequest {
  readonly recorded: RecordedRequest;
  readonly prepared: Prepared;
  readonly sizes: SegmentSizes;
  readonly nowMs: number;
  /** Sequence number of the newest entry. */
  readonly lastSeq: number;
  /** Why the cache is of no use to it, where the policy has nothing to do with it. */
  readonly cause: "idle" | "recorded" | null;
  /** The policy has decided something since the request before. */
  readonly hasDecided: boolean;
}

export interface RequestMeterParts {
  readonly state: Pick<SessionState, "items" | "prefixDigest">;
  readonly cache: CacheSimulator;
  readonly capabilitiesOf: (model: string) => Capabilities;
  readonly tally: RunTally;
  readonly sharedOverhead: number;
  /** See `Policy`. */
  readonly chargesRecordedUsage?: boolean;
  readonly onPaid?: (paid: PaidRequest) => void;
}

export interface PaidRequest {
  readonly index: number;
  readonly use: CacheUse;
  readonly output: number;
  readonly isPolicyBreak: boolean;
}

export function createRequestMeter(parts: RequestMeterParts): RequestMeter {
  const { state, cache, capabilitiesOf, tally, sharedOverhead, chargesRecordedUsage = false, onPaid } = parts;
  const measureRequest = createRequestMeasure();
  let formerSeq = 0;
  let formerBlocks = 0;

  return {
    measure({ recorded, prepared, sizes, nowMs, lastSeq, cause, hasDecided }) {
      const { fit, segment, excluded } = sizes;
      const { model } = recorded;
      const measured = measureRequest({ request: prepared.request, state, fit, sharedOverhead, segment });
      const { minCachedPrefix: minTokens, contextWindow } = capabilitiesOf(model);
      const simulated = cache.use({ ...measured.question, atMs: nowMs, model, minTokens });
      const use = (chargesRecordedUsage && recordedUse(recorded)) || simulated;
      const isCounted = excluded === undefined;
      const isChanged = prepared.report.sharedBlocks < formerBlocks;
      if (isCounted && cause !== null) tally.broke(cause, 0);
      else if (isCounted && isChanged && hasDecided)
        tally.broke("policy", Math.max(0, use.written - measured.tokensAfter(formerSeq)));
      if (isCounted && isChanged && hasDecided)
        tally.invalidatedThinking(thinkingBehind(state.items, prepared.report.sharedBlocks, formerSeq));
      formerSeq = lastSeq;
      formerBlocks = prepared.report.blocks;
      return (output) => {
        if (isCounted) tally.request(use, output, contextWindow);
        const isPolicyBreak = isChanged && hasDecided && cause === null;
        onPaid?.({ index: recorded.index, use, output, isPolicyBreak });
        return toUsage(use, output);
      };
    },
  };
}

function recordedUse({ usage }: RecordedRequest): CacheUse | null {
  if (!usage || promptTokens(usage) === 0) return null;
  const { cacheRead, cacheCreation, cacheCreation1h = 0, input } = usage;
  const writtenForHour = Math.min(cacheCreation1h, cacheCreation);
  return { read: cacheRead, written: cacheCreation, uncached: input, writtenForHour };
}

/** Thinking that the request before had as well, behind what they share. */
function thinkingBehind(items: readonly ViewItem[], sharedBlocks: number, formerSeq: number): number {
  return items
    .slice(sharedBlocks)
    .filter(({ block, seq }) => seq <= formerSeq && block.type.endsWith("thinking")).length;
}

function toUsage({ read, written, uncached }: CacheUse, output: number): Usage {
  return {
    input: Math.round(uncached),
    cacheRead: Math.round(read),
    cacheCreation: Math.round(written),
    output,
  };
}
