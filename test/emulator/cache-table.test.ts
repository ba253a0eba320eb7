import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCatalog } from "../../packages/core/src/catalog/index.ts";
import { createPromptCache } from "../../packages/testing/src/emulator/cache/prompt-cache.ts";
import { measurePrompt } from "../../packages/testing/src/emulator/request/measure-prompt.ts";
import type { CacheOutcome, WireBody } from "../../packages/testing/src/emulator/wire.ts";
import { createVirtualClock } from "../../packages/testing/src/index.ts";

const second = 1_000;
const minute = 60 * second;
const catalog = createCatalog();
const minimumPrefix = (model: string) => catalog.capabilities(model).value.minCachedPrefix;

type Life = "5m" | "1h";
type Marks = Readonly<Record<number, Life>>;

interface Conversation {
  /** Blocks of messages, one a message. Block 0 of the prompt is the tool, block 1 the system prompt. */
  readonly messages?: number;
  /** By their place in the whole prompt. */
  readonly marks?: Marks;
  /** Other words at a place. */
  readonly changed?: number;
  /** Characters of the tool's description: over or under the 4,096 tokens this model needs. */
  readonly toolSize?: number;
  readonly more?: Readonly<Record<string, unknown>>;
}

function request({ messages = 3, marks = {}, changed, toolSize = 20_000, more }: Conversation): WireBody {
  const words = (at: number) => (at === changed ? "Something else." : `What stands at ${at}.`);
  const marked = (at: number, block: object) =>
    marks[at] ? { ...block, cache_control: { type: "ephemeral", ttl: marks[at] } } : block;
  const tool = {
    name: "Read",
    description: words(0) + "x".repeat(toolSize),
    input_schema: { type: "object" },
  };
  return {
    model: "claude-opus-4-6",
    tools: [marked(0, tool)],
    system: [marked(1, { type: "text", text: words(1) })],
    messages: Array.from({ length: messages }, (_, index) => ({
      role: index % 2 === 0 ? "user" : "assistant",
      content: [marked(index + 2, { type: "text", text: words(index + 2) })],
    })),
    ...more,
  };
}

interface Step extends Conversation {
  readonly afterMs?: number;
  /** Its response has not begun when the next request comes. */
  readonly isSlow?: true;
  /** How many blocks are read, and up to which block (exclusive) the rest is written for an hour, then for five minutes. */
  readonly expected: readonly [read: number, long: number, short: number];
}

/** Blocks turned into tokens, by the measured prompt. */
function outcomeOf(body: WireBody, [read, long, short]: Step["expected"]): CacheOutcome {
  const { blocks, tokens } = measurePrompt(body);
  const upTo = (end: number) => blocks.slice(0, end).reduce((sum, block) => sum + block.tokens, 0);
  return {
    readTokens: upTo(read),
    written1hTokens: upTo(long) - upTo(read),
    written5mTokens: upTo(short) - upTo(long),
    inputTokens: tokens - upTo(short),
    hitBlock: read - 1,
  };
}

const picture = { type: "image", source: { type: "url", url: "https://example.org/a.png" } };
const everywhere: Marks = { 0: "5m", 1: "5m", 3: "5m" };
const withPicture = {
  messages: [
    ...(request({ marks: everywhere }).messages as object[]).slice(0, 2),
    { role: "user", content: [picture] },
  ],
};
/** After everything is cached at three breakpoints, one thing changes. */
const change = (reads: number, more: Conversation): readonly Step[] => [
  { marks: everywhere, expected: [0, 0, 4] },
  { marks: everywhere, ...more, expected: [reads, reads, 4] },
];

const table: Readonly<Record<string, readonly Step[]>> = {
  "reads nothing without a breakpoint, and writes nothing": [
    { expected: [0, 0, 0] },
    { expected: [0, 0, 0] },
  ],
  "reads what the request before wrote": [
    { marks: { 4: "5m" }, expected: [0, 0, 5] },
    { marks: { 4: "5m" }, expected: [5, 5, 5] },
  ],
  "leaves what stands behind the last breakpoint uncached": [
    { messages: 5, marks: { 4: "5m" }, expected: [0, 0, 5] },
    { messages: 5, marks: { 4: "5m" }, expected: [5, 5, 5] },
  ],
  "finds the old end when the breakpoint moves on": [
    { messages: 3, marks: { 4: "5m" }, expected: [0, 0, 5] },
    { messages: 5, marks: { 6: "5m" }, expected: [5, 5, 7] },
    { messages: 7, marks: { 8: "5m" }, expected: [7, 7, 9] },
  ],
  "reads an entry only where a breakpoint was written, not in between": [
    { messages: 5, marks: { 6: "5m" }, expected: [0, 0, 7] },
    { messages: 5, marks: { 4: "5m" }, expected: [0, 0, 5] },
  ],
  "reads the end when an earlier breakpoint goes away": [
    { messages: 5, marks: { 1: "5m", 4: "5m", 6: "5m" }, expected: [0, 0, 7] },
    { messages: 5, marks: { 6: "5m" }, expected: [7, 7, 7] },
  ],
  "looks back over 20 positions, the breakpoint's own counted": [
    { messages: 3, marks: { 4: "5m" }, expected: [0, 0, 5] },
    { messages: 22, marks: { 23: "5m" }, expected: [5, 5, 24] },
  ],
  "misses what lies 20 blocks behind the breakpoint": [
    { messages: 3, marks: { 4: "5m" }, expected: [0, 0, 5] },
    { messages: 23, marks: { 24: "5m" }, expected: [0, 0, 25] },
  ],
  "misses what lies 21 blocks behind the breakpoint": [
    { messages: 3, marks: { 4: "5m" }, expected: [0, 0, 5] },
    { messages: 24, marks: { 25: "5m" }, expected: [0, 0, 26] },
  ],
  "needs no look-back with a second breakpoint on the old end": [
    { messages: 3, marks: { 4: "5m" }, expected: [0, 0, 5] },
    { messages: 60, marks: { 4: "5m", 61: "5m" }, expected: [5, 5, 62] },
  ],
  "looks back from each breakpoint": [
    { messages: 3, marks: { 4: "5m" }, expected: [0, 0, 5] },
    { messages: 60, marks: { 20: "5m", 61: "5m" }, expected: [5, 5, 62] },
  ],
  "takes the longest of several hits": [
    { messages: 9, marks: { 1: "5m", 4: "5m", 8: "5m" }, expected: [0, 0, 9] },
    { messages: 9, marks: { 1: "5m", 4: "5m", 10: "5m" }, expected: [9, 9, 11] },
  ],
  "keeps an entry until just before five minutes": [
    { marks: { 4: "5m" }, expected: [0, 0, 5] },
    { afterMs: 5 * minute - 1, marks: { 4: "5m" }, expected: [5, 5, 5] },
  ],
  "has forgotten it at five minutes": [
    { marks: { 4: "5m" }, expected: [0, 0, 5] },
    { afterMs: 5 * minute, marks: { 4: "5m" }, expected: [0, 0, 5] },
  ],
  "has forgotten it after five minutes": [
    { marks: { 4: "5m" }, expected: [0, 0, 5] },
    { afterMs: 5 * minute + 1, marks: { 4: "5m" }, expected: [0, 0, 5] },
  ],
  "refreshes an entry with each read": [
    { marks: { 4: "5m" }, expected: [0, 0, 5] },
    { afterMs: 4 * minute, marks: { 4: "5m" }, expected: [5, 5, 5] },
    { afterMs: 4 * minute, marks: { 4: "5m" }, expected: [5, 5, 5] },
    { afterMs: 5 * minute, marks: { 4: "5m" }, expected: [0, 0, 5] },
  ],
  "refreshes the entries at breakpoints in front of the hit with it": [
    { marks: { 1: "5m", 4: "5m" }, expected: [0, 0, 5] },
    { afterMs: 4 * minute, marks: { 1: "5m", 4: "5m" }, expected: [5, 5, 5] },
    { afterMs: 4 * minute, marks: { 1: "5m", 4: "5m" }, changed: 4, expected: [2, 2, 5] },
  ],
  "does not refresh an entry that the request does not mark": [
    { marks: { 1: "5m", 4: "5m" }, expected: [0, 0, 5] },
    { afterMs: 4 * minute, marks: { 4: "5m" }, expected: [5, 5, 5] },
    { afterMs: 4 * minute, marks: { 1: "5m", 4: "5m" }, changed: 4, expected: [0, 0, 5] },
  ],
  "keeps an entry of an hour for an hour": [
    { marks: { 4: "1h" }, expected: [0, 5, 5] },
    { afterMs: 60 * minute - 1, marks: { 4: "1h" }, expected: [5, 5, 5] },
    { afterMs: 60 * minute, marks: { 4: "1h" }, expected: [0, 5, 5] },
  ],
  "keeps the time an entry was written with, whatever marker reads it": [
    { marks: { 4: "1h" }, expected: [0, 5, 5] },
    { afterMs: 50 * minute, marks: { 4: "5m" }, expected: [5, 5, 5] },
    { afterMs: 50 * minute, marks: { 4: "5m" }, expected: [5, 5, 5] },
  ],
  "writes the hour's part first where both are asked for": [
    { marks: { 1: "1h", 4: "5m" }, expected: [0, 2, 5] },
    { afterMs: 6 * minute, marks: { 1: "1h", 4: "5m" }, expected: [2, 2, 5] },
    { messages: 5, marks: { 4: "1h", 6: "5m" }, expected: [5, 5, 7] },
    { messages: 8, marks: { 4: "1h", 8: "1h", 9: "5m" }, expected: [7, 9, 10] },
  ],
  "writes nothing below the model's minimum, silently": [
    { toolSize: 2_000, marks: { 4: "5m" }, expected: [0, 0, 0] },
    { toolSize: 2_000, marks: { 4: "5m" }, expected: [0, 0, 0] },
  ],
  "needs less on a model with a smaller minimum": [
    { toolSize: 2_000, marks: { 4: "5m" }, more: { model: "claude-opus-5-5" }, expected: [0, 0, 5] },
    { toolSize: 2_000, marks: { 4: "5m" }, more: { model: "claude-opus-5-5" }, expected: [5, 5, 5] },
  ],
  "writes from the beginning once a later breakpoint is over the minimum": [
    { messages: 2, toolSize: 2_000, marks: { 1: "1h", 3: "5m" }, expected: [0, 0, 0] },
    { messages: 400, toolSize: 2_000, marks: { 1: "1h", 401: "5m" }, expected: [0, 0, 402] },
    { messages: 401, toolSize: 2_000, marks: { 1: "1h", 402: "5m" }, expected: [402, 402, 403] },
  ],
  "takes automatic caching as a breakpoint on the last block": [
    { more: { cache_control: { type: "ephemeral" } }, expected: [0, 0, 5] },
    { messages: 5, more: { cache_control: { type: "ephemeral", ttl: "1h" } }, expected: [5, 7, 7] },
  ],
  "loses everything when a tool changes": change(0, { changed: 0 }),
  "loses everything when the model changes": change(0, { more: { model: "claude-opus-4-7" } }),
  "keeps the tools when the system prompt changes": change(1, { changed: 1 }),
  "keeps tools and system when a message changes": change(2, { changed: 2 }),
  "keeps everything when what changes stands behind the breakpoints": change(4, { changed: 4 }),
  "keeps tools and system when the tool choice changes": change(2, {
    more: { tool_choice: { type: "any" } },
  }),
  "keeps tools and system when thinking begins": change(2, {
    more: { thinking: { type: "enabled", budget_tokens: 2_000 } },
  }),
  "keeps tools and system when the first image comes, even behind the breakpoints": change(2, {
    more: withPicture,
  }),
  "lets requests that come before the first response begins miss": [
    { marks: { 4: "5m" }, isSlow: true, expected: [0, 0, 5] },
    { marks: { 4: "5m" }, isSlow: true, expected: [0, 0, 5] },
    { marks: { 4: "5m" }, expected: [0, 0, 5] },
    { marks: { 4: "5m" }, expected: [5, 5, 5] },
  ],
};

describe("the simulated prompt cache", () => {
  it.each(Object.entries(table))("%s", async (_, steps) => {
    const clock = createVirtualClock();
    const cache = createPromptCache({ clock, minimumPrefix });
    for (const { afterMs = second, isSlow, expected, ...conversation } of steps) {
      await clock.advance(afterMs);
      const body = request(conversation);
      const look = cache.look(measurePrompt(body), String(body.model));
      expect(look.outcome).toEqual(outcomeOf(body, expected));
      if (!isSlow) look.begin();
    }
  });

  it("counts an entry's time from the beginning of the response that wrote it", async () => {
    const clock = createVirtualClock();
    const cache = createPromptCache({ clock, minimumPrefix });
    const prompt = measurePrompt(request({ marks: { 4: "5m" } }));
    const look = cache.look(prompt, prompt.model);
    await clock.advance(minute);
    look.begin();
    await clock.advance(4 * minute);
    look.begin();
    expect(cache.size).toBe(1);
    await clock.advance(minute);
    expect(cache.size).toBe(0);
  });

  it("never holds more prefixes than it may", () => {
    const clock = createVirtualClock();
    const cache = createPromptCache({ clock, minimumPrefix, maxEntries: 3 });
    const prompts = Array.from({ length: 9 }, (_, changed) =>
      measurePrompt(request({ messages: 10, changed: changed + 2, marks: { 11: "5m" } })),
    );
    for (const prompt of prompts) cache.look(prompt, prompt.model).begin();
    expect(cache.size).toBe(3);
    const hits = prompts.map((prompt) => cache.look(prompt, prompt.model).outcome.hitBlock);
    expect(hits).toEqual([-1, -1, -1, -1, -1, -1, 11, 11, 11]);
  });

  it("says what differs from the request before, when it is told of one", () => {
    const cache = createPromptCache({ clock: createVirtualClock(), minimumPrefix });
    const prompt = measurePrompt(request({ marks: { 4: "5m" } }));
    expect(cache.look(prompt, prompt.model, null).outcome.missReason).toBe("previous_message_not_found");
  });

  it("divides every prompt into four parts that add up, and reads no more than was written", async () => {
    const life = fc.constantFrom<Life>("5m", "1h");
    const step = fc.record({
      messages: fc.integer({ min: 0, max: 60 }),
      places: fc.uniqueArray(fc.nat(61), { maxLength: 4 }),
      life,
      changed: fc.option(fc.nat(61), { nil: undefined }),
      waitMs: fc.constantFrom(0, second, 4 * minute, 5 * minute, 30 * minute),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const clock = createVirtualClock();
        const cache = createPromptCache({ clock, minimumPrefix });
        const written = new Set<string>();
        for (const { messages, places, life: ttl, changed, waitMs } of steps) {
          await clock.advance(waitMs);
          const marks = Object.fromEntries(places.map((position) => [position, ttl]));
          const prompt = measurePrompt(
            request({ messages, marks, ...(changed !== undefined && { changed }) }),
          );
          const { outcome, begin } = cache.look(prompt, prompt.model);
          const { readTokens, written1hTokens, written5mTokens, inputTokens, hitBlock } = outcome;
          expect(readTokens + written1hTokens + written5mTokens + inputTokens).toBe(prompt.tokens);
          expect(Math.min(readTokens, written1hTokens, written5mTokens, inputTokens)).toBeGreaterThanOrEqual(
            0,
          );
          if (hitBlock >= 0) expect(written).toContain(prompt.blocks[hitBlock]?.key);
          begin();
          for (const { key, breakpoint } of prompt.blocks) if (breakpoint) written.add(key);
        }
      }),
      { numRuns: 100 },
    );
  });
});
