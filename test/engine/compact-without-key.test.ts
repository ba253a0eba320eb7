import { describe, expect, it } from "vitest";
import { defaultLayers } from "../../packages/core/src/session/default-layers.ts";
import type { Event, Model } from "../../packages/core/src/spec/index.ts";
import { anthropic } from "../../packages/palimpsest/src/models/anthropic/index.ts";
import { openai } from "../../packages/palimpsest/src/models/openai/index.ts";
import { fault } from "../../packages/testing/src/index.ts";
import { entriesOf, modelAt, openAgent } from "../support/agent.ts";
import { emulate } from "../support/emulator.ts";

const nothing = { environment: {} };

/** A session with something to compact, whose model cannot be asked. */
async function openFilled(model: Model, flags: Readonly<Record<string, boolean>> = {}) {
  const events: Event[] = [];
  const session = await openAgent({
    model,
    layers: defaultLayers(),
    settings: { flags },
    onEvent: (event) => events.push(event),
  });
  for (let turn = 1; turn <= 10; turn += 1) {
    await session.add({ role: "user", content: `Question ${turn}: what of the cupboard?` });
    await session.add({ role: "assistant", content: `Answer ${turn}: ${"it is still blue. ".repeat(100)}` });
  }
  return { session, events };
}

const keyless: readonly [string, () => Model, Readonly<Record<string, boolean>>][] = [
  ["Anthropic, behind the prefix", () => anthropic("claude-opus-4-5", nothing), {}],
  ["Anthropic, as a transcript", () => anthropic("claude-opus-4-5", nothing), { "compact-prefix": false }],
  ["OpenAI, behind the prefix", () => openai("gpt-5.6", nothing), {}],
  ["OpenAI, as a transcript", () => openai("gpt-5.6", nothing), { "compact-prefix": false }],
];

describe("a compaction by hand without a key", () => {
  it.each(keyless)("is written by the scribe: %s", async (_name, model, flags) => {
    const { session, events } = await openFilled(model(), flags);
    const report = await session.compact();
    expect(report).toMatchObject({ strategy: "scribe", summary: expect.stringContaining("Question 10") });
    expect(report.tokensAfter).toBeLessThan(report.tokensBefore);
    const skipped = events.filter((event) => event.type === "rung-skip" && event.rung === "full");
    expect(skipped).toMatchObject([{ message: expect.stringMatching(/^There is no (API )?key for /) }]);
    expect(JSON.stringify((await session.prepare()).request)).toContain("Question 10");
  });

  it("reports a summary whole that is so large that the log holds a reference to it", async () => {
    const { session } = await openFilled(anthropic("claude-opus-4-5", nothing), { "session-notes": false });
    for (let turn = 11; turn <= 20; turn += 1) {
      await session.add({ role: "user", content: `Question ${turn}: ${"lorem ipsum ".repeat(800)}` });
      await session.prepare();
      await session.add({ role: "assistant", content: `Answer ${turn}: ${"dolor ".repeat(2_000)}` });
    }
    const { decision, summary } = await session.compact();
    expect(summary.length).toBeGreaterThan(65_536);
    const made = (await entriesOf(session)).find(({ id }) => id === decision);
    expect(made).toMatchObject({ decision: { summary: { content: summary } } });
  });

  it("is written by the scribe where the key is refused, and says why", async () => {
    const refusal = fault.error({ status: 401, type: "authentication_error", message: "invalid x-api-key" });
    const { emulator } = await emulate({ script: () => refusal });
    const { session, events } = await openFilled(modelAt(emulator));
    const modelFailure = { reason: "api_error", message: expect.stringContaining("invalid x-api-key") };
    expect(await session.compact()).toMatchObject({ strategy: "scribe", modelFailure });
    expect(events.find(({ type }) => type === "compaction-end")).toMatchObject({ modelFailure });
  });
});
