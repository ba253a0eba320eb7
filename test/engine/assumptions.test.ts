import { describe, expect, it } from "vitest";
import type { Event, Settings } from "../../packages/core/src/spec/index.ts";
import { beginSession } from "../support/virtual-session.ts";

async function open(model: string, settings: Settings = {}) {
  const events: Event[] = [];
  const session = await beginSession({ model, settings, onEvent: (event: Event) => events.push(event) });
  const told = events.filter(({ type }) => type === "model-assumed");
  return { session, told };
}

describe("what a session goes by where nobody knows its model", () => {
  it("is nothing for a model of the catalog", async () => {
    const { session, told } = await open("claude-opus-4-5");
    expect([session.assumptions, session.usage().assumptions, told]).toEqual([[], [], []]);
    await session.close();
  });

  it("is named with its source in an event, in the session and in its usage", async () => {
    const { session, told } = await open("vendor/new-model");
    expect(session.assumptions).toMatchObject([
      {
        about: "window",
        model: "vendor/new-model",
        isKnownModel: false,
        source: "the default for unknown models",
        message:
          "The window of vendor/new-model is taken to be 200,000 tokens, by the default for unknown models.",
        fix: 'Set catalog.capabilities["vendor/new-model"].contextWindow if it is another.',
      },
      { about: "longest-answer", model: "vendor/new-model" },
      { about: "prices", model: "vendor/new-model" },
    ]);
    expect(session.usage().assumptions).toEqual(session.assumptions);
    expect(told).toMatchObject(session.assumptions);
    await session.close();
  });

  it("is not what the settings say of the model", async () => {
    const name = "vendor/new-model";
    const rates = { input: 1, cacheWrite5m: 1, cacheWrite1h: 1, cacheRead: 1, output: 1 };
    const { session } = await open(name, {
      catalog: {
        capabilities: { [name]: { contextWindow: 64_000, maxOutput: 4_000 } },
        prices: { [name]: rates },
      },
    });
    expect(session.assumptions).toEqual([]);
    await session.close();
  });

  it("is named where a row of the catalog itself is an estimate", async () => {
    const { session } = await open("gpt-5.6");
    expect(
      session.assumptions.map(({ about, source, isKnownModel }) => [about, source, isKnownModel]),
    ).toEqual([
      ["window", "an estimate for gpt-5.6", true],
      ["longest-answer", "an estimate for gpt-5.6", true],
    ]);
    await session.close();
  });
});
