import { normalizeModelName } from "@palimpsest/core/catalog";
import { promptTokens, type SessionState } from "@palimpsest/core/internal";
import type { Capabilities, Prepared, Usage, ViewItem } from "@palimpsest/core/spec";
import type { RecordedRequest } from "../recorded-session.ts";
import type { RunTally } from "../run-tally.ts";
import type { SegmentSizes } from "../sizes/calibrate-session.ts";
import type { CacheInput, CacheSimulator, CacheUse } from "./cache-simulator.ts";
import { createRequestMeasure, isMisordered } from "./measure-request.ts";
import type { CacheTtl } from "./price-row.ts";

/** Pays for the requests of a run. */
export interface RequestMeter {
  /** What the request costs is known once its output is: the function given back says so, and tells the usage. */
  measure(sent: SentRequest): (output: number) => Usage;
  /**
   * Reads what the newest request has in the cache, so that it lives on: that and one token of output are paid for, and
   * writing it again where it came too late. Nothing where no request was made.
   */
  keepWarm(atMs: number): void;
  /** When the cache was kept warm last; 0 where it was not. */
  readonly warmedMs: number;
  /** The lifetime that the newest request has marked. */
  readonly ttl: CacheTtl;
}

const keepWarmOutput = 1;

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
  let newest: { readonly input: CacheInput; readonly isCounted: boolean } | null = null;
  let ttl: CacheTtl = "5m";
  let warmedMs = 0;

  return {
    get ttl() {
      return ttl;
    },
    get warmedMs() {
      return warmedMs;
    },
    keepWarm(atMs) {
      if (!newest) return;
      const use = cache.use({ ...newest.input, atMs });
      if (newest.isCounted) tally.keptWarm(use, keepWarmOutput);
      warmedMs = atMs;
    },
    measure({ recorded, prepared, sizes, nowMs, lastSeq, cause, hasDecided }) {
      const { fit, segment, excluded } = sizes;
      const { model } = recorded;
      const measured = measureRequest({ request: prepared.request, state, fit, sharedOverhead, segment });
      const { minCachedPrefix: minTokens, contextWindow } = capabilitiesOf(model);
      const isCounted = excluded === undefined;
      const input = { ...measured.input, atMs: nowMs, model: normalizeModelName(model), minTokens };
      if (isMisordered(input.marks)) tally.invalid();
      newest = { input: cachedPart(input), isCounted };
      ttl = input.marks.at(-1)?.ttl ?? "5m";
      const simulated = cache.use(input);
      const use = (chargesRecordedUsage && recordedUse(recorded)) || simulated;
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

/** A request up to its last marked block, whatever becomes of the view that it was made of. */
function cachedPart(input: CacheInput): CacheInput {
  const { marks, digestTo, tokensTo } = input;
  const known = new Map(
    marks.map(({ position }) => [position, { digest: digestTo(position), tokens: tokensTo(position) }]),
  );
  return {
    ...input,
    digestTo: (position) => known.get(position)?.digest ?? `unmarked ${position}`,
    tokensTo: (position) => known.get(position)?.tokens ?? 0,
    totalTokens: Math.max(0, ...[...known.values()].map(({ tokens }) => tokens)),
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

function toUsage({ read, written, uncached, writtenForHour }: CacheUse, output: number): Usage {
  const cacheCreation = Math.round(written);
  const cacheCreation1h = Math.min(cacheCreation, Math.round(writtenForHour));
  return {
    input: Math.round(uncached),
    cacheRead: Math.round(read),
    cacheCreation,
    cacheCreation5m: cacheCreation - cacheCreation1h,
    cacheCreation1h,
    output,
  };
}
