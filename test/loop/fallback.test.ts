import { describe, expect, it } from "vitest";
import type { Event } from "../../packages/core/src/spec/index.ts";
import { maxAttempts } from "../../packages/palimpsest/src/models/retry.ts";
import { atRequest, callTool, fault, otherwise, say, think, when } from "../../packages/testing/src/index.ts";
import { endOf, type Provider } from "../support/agent.ts";
import { asked, echo, expectGoesOn, expectValid, providers, setStage, storyOf } from "./stage.ts";

const models: Readonly<Record<Provider, readonly [string, string]>> = {
  anthropic: ["claude-opus-4-5", "claude-sonnet-4-5"],
  openai: ["gpt-5.6", "gpt-5.6-mini"],
};
const thinking = { thinking: { type: "enabled", budget_tokens: 2_000 } };
const long = "a long system prompt, so that it is worth caching. ".repeat(600);

describe.each(providers)("the fallback model of %s", (provider) => {
  const [own, other] = models[provider];

  it("answers where the session's own cannot, and stays", async () => {
    const script = [
      ...Array.from({ length: maxAttempts }, () => fault.overloaded()),
      say("I stand in."),
      say("Still here."),
    ];
    const stage = await setStage({ provider, script, fallback: other });
    const events = await stage.run();
    const story = storyOf(events);
    expect(story.slice(-6)).toEqual([
      `model-fallback ${own} ${other}`,
      `model-start ${other} 1`,
      "response-start",
      "…",
      "response-end end_turn",
      "run-end done",
    ]);
    expect(asked(stage).map(({ body }) => body?.model)).toEqual([
      ...Array.from({ length: maxAttempts }, () => own),
      other,
    ]);
    expect(endOf(await stage.run("And now?"))).toMatchObject({ text: "Still here.", requests: 1 });
    expect(asked(stage).at(-1)?.body?.model).toBe(other);
    expectValid(stage);
  });

  it("fails with its own error, and nobody falls back any further", async () => {
    const stage = await setStage({ provider, script: [otherwise(fault.overloaded())], fallback: other });
    const events = await stage.run();
    expect(events.filter(({ type }) => type === "model-fallback")).toHaveLength(1);
    expect(endOf(events)).toMatchObject({ reason: "error", error: { code: "overloaded" } });
    expect(asked(stage)).toHaveLength(2 * maxAttempts);
    stage.emulator.setScript([fault.serverError(), say("Back.")]);
    expect(endOf(await stage.run("Again."))).toMatchObject({ reason: "done", text: "Back." });
    await expectGoesOn(stage, other);
  });

  it("is not asked about what no model would take", async () => {
    const wrong = fault.error({ status: 400, type: "invalid_request_error", message: "bad field" });
    const stage = await setStage({ provider, script: [wrong], fallback: other });
    const events = await stage.run();
    expect(events.some(({ type }) => type === "model-fallback")).toBe(false);
    expect(endOf(events)).toMatchObject({ reason: "error", error: { code: "request-invalid" } });
  });

  it("takes over at once where the server wants to be left alone for long", async () => {
    const script = [fault.rateLimited({ retryAfterSeconds: 3_600 }), say("I stand in.")];
    const stage = await setStage({ provider, script, fallback: other });
    expect(endOf(await stage.run())).toMatchObject({ reason: "done", text: "I stand in." });
    expect(asked(stage).map(({ body }) => body?.model)).toEqual([own, other]);
  });
});

describe("a fallback in the middle of a conversation with thinking", () => {
  const [own, other] = models.anthropic;
  const busy = when(({ model }) => model?.startsWith(own) ?? false, fault.overloaded());

  it.each([
    ["between turns", [think("Well."), say("First.")], false],
    ["while a tool's result is the last word", [think("Well."), callTool("Echo", { text: "hi" })], true],
  ] as const)("strips the thinking of the former model, and is valid: %s", async (_when, first, isOpen) => {
    const heard: Event[] = [];
    const stage = await setStage({
      script: [first],
      tools: [echo],
      system: long,
      request: thinking,
      fallback: other,
      onEvent: (event) => heard.push(event),
    });
    if (!isOpen) await stage.run("First.");
    const replies = [think("Hm."), say("I stand in.")];
    stage.emulator.setScript(
      isOpen ? [atRequest(1, [...first]), busy, otherwise(replies)] : [busy, otherwise(replies)],
    );
    stage.emulator.reset();
    const events = await stage.run("Second.");
    expect(endOf(events)).toMatchObject({ reason: "done", text: "I stand in." });
    expectValid(stage);
    const [last] = asked(stage).slice(-1);
    expect(last?.body?.model).toBe(other);
    expect(JSON.stringify(last?.body?.messages)).not.toContain('"thinking"');
    const breaks = heard.filter(({ type }) => type === "cache-break");
    expect(breaks.at(-1)).toMatchObject({ reason: "model_changed", expected: true });
    expect(breaks.filter((one) => one.type === "cache-break" && !one.expected)).toEqual([]);
    await expectGoesOn(stage, other);
  });
});
