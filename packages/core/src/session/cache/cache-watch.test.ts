import { describe, expect, it } from "vitest";
import { createVirtualClock } from "../../../../testing/src/virtual-clock.ts";
import { createCatalog } from "../../catalog/index.ts";
import type { ContentBlock, ViewItem } from "../../spec/index.ts";
import { fixedLifetime } from "./cache-lifetime.ts";
import { type CacheWatchParts, createCacheWatch } from "./cache-watch.ts";

const model = "claude-sonnet-4-5";
const usage = { input: 10, output: 20, cacheRead: 0, cacheCreation: 50_000 };

/** A watch over a view of equal items, and how often the tokens of a block were asked for. */
function createWatch(length: number) {
  let counted = 0;
  const tokensOf = (block: ContentBlock) => {
    counted += block.type === "head" ? 0 : 1;
    return 100;
  };
  const block = { type: "text", text: "much" };
  const items = Array.from({ length }, (_, at): ViewItem => {
    return { role: "user", entry: `e${at}`, seq: at + 1, index: 0, block, json: JSON.stringify(block) };
  });
  const catalog = createCatalog();
  const parts = {
    state: {
      items,
      prefixDigest: (count: number) => `digest ${count}`,
      messageOf: () => undefined,
      statistics: {},
      decidedSince: [],
      headTokens: () => ({ tokens: 100, source: "plain" }),
    },
    head: { model, tools: [], system: [{ type: "text", text: "Be brief." }], fields: {} },
    config: { catalog, capabilities: catalog.capabilities(model).value },
    clock: createVirtualClock(),
    lifetime: fixedLifetime("5m", "it was set"),
    tokensOf,
  } as unknown as CacheWatchParts;
  return { watch: createCacheWatch(parts), items, counted: () => counted };
}

describe("a cache watch", () => {
  it("counts no more blocks for a response in a long view than in a short one", () => {
    const counts = [100, 10_000].map((length) => {
      const { watch, counted } = createWatch(length);
      const request = { model, max_tokens: 1, messages: [] };
      watch.announce(request, { newest: length - 1, former: length - 3 }, 0);
      const judgement = watch.judge(usage);
      return { kind: judgement?.kind, counted: counted() };
    });
    expect(counts).toEqual([
      { kind: "expected-break", counted: 11 },
      { kind: "expected-break", counted: 11 },
    ]);
  });

  it("judges a response though the view has become shorter since its request", () => {
    const { watch, items } = createWatch(100);
    watch.announce({ model, max_tokens: 1, messages: [] }, { newest: 99, former: 97 }, 0);
    items.length = 3;
    expect(watch.judge({ ...usage, cacheRead: 1_000 })).toMatchObject({ kind: "expected-break" });
  });
});
