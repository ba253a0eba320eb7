import { describe, expect, it } from "vitest";
import type { Prepared, ViewItem } from "../../../../core/src/spec/index.ts";
import type { RecordedRequest } from "../recorded-session.ts";
import { createRunTally } from "../run-tally.ts";
import { createCacheSimulator } from "./cache-simulator.ts";
import { ratioRow } from "./price-row.ts";
import { createRequestMeter } from "./request-meter.ts";

const minute = 60_000;
const text = "word ".repeat(2_000);
const items: ViewItem[] = [
  { role: "user", entry: "e1", seq: 2, index: 0, block: { type: "text", text }, json: "" },
];
const recorded = { index: 0, segment: 0, model: "claude-opus-4-5" } as RecordedRequest;
const sizes = { segment: 0, requests: 9, fit: { overhead: 10_000, scale: 1 } };

/** The view marked once at its end, or as given. */
function prepare(...ttls: readonly string[]): Prepared {
  const content = [{ type: "text", text, cache_control: { type: "ephemeral", ttl: ttls[0] ?? "5m" } }];
  const more = ttls.slice(1).map((ttl) => ({ type: "text", text: "", cache_control: { ttl } }));
  return {
    request: {
      model: "claude-opus-4-5",
      max_tokens: 1,
      messages: [{ role: "user", content: [...content, ...more] }],
    },
    report: { blocks: 1, sharedBlocks: 1 },
  } as unknown as Prepared;
}

function createMeter(view: readonly ViewItem[] = items) {
  const tally = createRunTally([ratioRow(0.1)]);
  const meter = createRequestMeter({
    state: { items: view, prefixDigest: (count) => `first ${count}` },
    cache: createCacheSimulator({ lookBackBlocks: 20 }),
    capabilitiesOf: () => ({ minCachedPrefix: 1_024, contextWindow: 200_000 }) as never,
    tally,
    sharedOverhead: 10_000,
  });
  const send = (nowMs: number, prepared = prepare()) =>
    meter.measure({ recorded, prepared, sizes, nowMs, lastSeq: 2, cause: null, hasDecided: false })(0);
  return { meter, tally, send };
}

describe("the meter of a run", () => {
  it("keeps the newest request's entries warm, at the price of reading them and one token of output", () => {
    const { meter, tally, send } = createMeter();
    const { cacheCreation } = send(0);
    const before = tally.report().cost["0.1"] as number;
    meter.keepWarm(4 * minute);
    meter.keepWarm(8 * minute);
    const { cost, keepWarm, requests } = tally.report();
    const paid = 2 * (0.1 * cacheCreation + 5);
    expect(keepWarm.reads).toBe(2);
    expect((cost["0.1"] as number) - before).toBeCloseTo(paid, 0);
    expect(keepWarm.cost["0.1"]).toBeCloseTo(paid, 0);
    expect([requests, meter.warmedMs]).toEqual([1, 8 * minute]);
    expect(send(12 * minute)).toMatchObject({ cacheRead: cacheCreation, cacheCreation: 0 });
  });

  it("pays for writing again what was kept warm too late, and for nothing before the first request", () => {
    const { meter, tally, send } = createMeter();
    meter.keepWarm(0);
    expect(tally.report().keepWarm).toEqual({ reads: 0, cost: { "0.1": 0 } });
    const { cacheCreation } = send(minute);
    meter.keepWarm(7 * minute);
    expect(tally.report().keepWarm.cost["0.1"]).toBeCloseTo(1.25 * cacheCreation + 5, 0);
    expect(send(11 * minute)).toMatchObject({ cacheRead: cacheCreation });
  });

  it("keeps warm what was sent, whatever the view has become since", () => {
    const view = [...items];
    const { meter, tally, send } = createMeter(view);
    const { cacheCreation } = send(0);
    view.length = 0;
    meter.keepWarm(minute);
    expect(tally.report().keepWarm.cost["0.1"]).toBeCloseTo(0.1 * cacheCreation + 5, 0);
  });

  it("writes for as long as the request marks, and says so in the usage", () => {
    const { meter, send } = createMeter();
    const usage = send(0, prepare("1h"));
    expect(usage).toMatchObject({ cacheCreation1h: usage.cacheCreation, cacheCreation5m: 0 });
    expect(meter.ttl).toBe("1h");
    expect(send(50 * minute)).toMatchObject({ cacheRead: usage.cacheCreation });
    expect(meter.ttl).toBe("5m");
  });

  it("counts a request as invalid that marks an hour behind five minutes", () => {
    const two = [...items, { ...(items[0] as ViewItem), index: 1, block: { type: "text", text: "" } }];
    const { tally, send } = createMeter(two);
    send(0, prepare("1h", "5m"));
    expect(tally.report().invalid).toBe(0);
    send(minute, prepare("5m", "1h"));
    expect(tally.report().invalid).toBe(1);
  });
});
