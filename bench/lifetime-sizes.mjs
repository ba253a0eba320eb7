// Recorded sessions as requests of known sizes, for benches of the prompt cache's lifetime.
import { policies, ratioRows, replayRecording } from "../packages/palimpsest/build/replay/index.js";

const keepEverything = policies.find(({ name }) => name === "identity");

/** The requests of a recording with everything kept; `null` where their sizes are not known. */
export async function toSizedSession(recording) {
  const tokens = new Map();
  const { calibration } = await replayRecording(recording, [keepEverything], {
    ttl: "5m",
    lookBackBlocks: 20,
    priceRows: ratioRows.slice(0, 1),
    hasCatalogRow: false,
    watch: { paid: (point) => tokens.set(point.index, point.tokens) },
  });
  if (calibration.passes === "none") return null;
  const { session, sharedOverhead } = recording;
  const requests = session.requests.flatMap((request) => {
    const size = tokens.get(request.index) ?? 0;
    if (size === 0) return [];
    const { fit, excluded } = recording.sizesAt(request);
    const { sentMs, model, segment } = request;
    const output = recording.outputOf(request);
    const headTokens = Math.min(fit.overhead, size);
    return [
      {
        sentMs,
        model,
        segment,
        tokens: size,
        headTokens,
        sharedTokens: sharedOverhead,
        output,
        isCounted: excluded === undefined,
      },
    ];
  });
  return { name: session.name, requests };
}

/** A request as the cache simulator sees it: shared head, head of the segment, the former newest block, the newest. */
export function toCacheInput(request, former, index, ttl, atMs) {
  const { model, segment, tokens, headTokens, sharedTokens } = request;
  const hasFormer = former !== undefined && former.segment === segment && former.tokens <= tokens;
  const ends = [
    ["shared", Math.min(sharedTokens, headTokens)],
    [`${segment} head`, headTokens],
    ...(hasFormer ? [[`${segment} ${index - 1}`, former.tokens]] : []),
    [`${segment} ${index}`, tokens],
  ];
  return {
    atMs,
    model,
    digestTo: (position) => ends[position]?.[0] ?? `${segment} ${index} beyond`,
    tokensTo: (position) => ends[position]?.[1] ?? tokens,
    marks: ends.map((_, position) => ({ position, ttl })),
    totalTokens: tokens,
    minTokens: 0,
  };
}
