import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { defaultLayers } from "../../packages/core/src/session/default-layers.ts";
import type { DecisionEntry, Layer } from "../../packages/core/src/spec/index.ts";
import { openai } from "../../packages/palimpsest/src/models/openai/index.ts";
import { answer, callTool, fault, say } from "../../packages/testing/src/index.ts";
import { endOf, entriesOf } from "../support/agent.ts";
import {
  answersOf,
  asked,
  bodiesOf,
  echo,
  expectGoesOn,
  expectValid,
  providers,
  setStage,
  storyOf,
} from "./stage.ts";

const warning = "warning: The model's server found the request too long: what can be freed is freed.";

/** Clears a result where a server has found the request too long, and says what it was asked for each time. */
function createFreeingLayer() {
  const triggers: string[] = [];
  const layer: Layer = {
    id: "test",
    moments: ["before-request"],
    decide(view, moment) {
      if (moment.kind === "before-request") triggers.push(moment.trigger);
      const isReactive = moment.kind === "before-request" && moment.trigger === "reactive";
      const head = { layer: "test", reason: "too long", frees: 1, basis: view.head } as const;
      const parts = [{ toolUseId: "call_1", part: "result", label: "[cleared]" }] as const;
      const command: DecisionEntry["decision"] = { ...head, type: "clear", parts };
      if (!isReactive) return { verdict: "skip", reason: "not asked" };
      return { verdict: "act", command, run: "inline", reason: head.reason, frees: 1, basis: view.head };
    },
    apply: async (command) => ({
      ok: true,
      value: [{ kind: "decision", decision: command as DecisionEntry["decision"] }],
    }),
  };
  return { layer, triggers };
}

const call = callTool("Echo", { text: "a long result" }, "call_1");

describe.each(providers)("a prompt that %s finds too long", (provider) => {
  it("is made shorter once and sent again; behind the answer nothing is forced any more", async () => {
    const { layer, triggers } = createFreeingLayer();
    const script = [call, fault.tooLong(), callTool("Echo", { text: "b" }, "call_2"), say("Done.")];
    const stage = await setStage({ provider, script, tools: [echo], layers: [layer] });
    const events = await stage.run();
    expect(endOf(events)).toMatchObject({ reason: "done", requests: 3 });
    expect(storyOf(events).filter((line) => line === warning)).toHaveLength(1);
    expect(triggers).toEqual(["auto", "auto", "reactive", "auto"]);
    expect(bodiesOf(stage).map((body) => body.includes("[cleared]"))).toEqual([false, false, true, true]);
    expectValid(stage);
    await expectGoesOn(stage);
  });

  it("is made shorter behind a repair of what was refused by name, which is not repaired twice", async () => {
    const { layer, triggers } = createFreeingLayer();
    const message = "messages.1.content.0: this is not accepted. messages[1].content";
    const refused = fault.error({ status: 400, type: "invalid_request_error", message });
    const script = [say("Look."), call, refused, fault.tooLong(), say("Done.")];
    const stage = await setStage({ provider, script, tools: [echo], layers: [layer] });
    await stage.run();
    expect(endOf(await stage.run())).toMatchObject({ reason: "done", requests: 2 });
    expect(triggers).toEqual(["auto", "auto", "auto", "auto", "reactive"]);
    const decisions = (await entriesOf(stage.session)).flatMap((entry) =>
      entry.kind === "decision" && entry.decision.type === "repair" ? entry.decision.steps : [],
    );
    expect(decisions).toMatchObject([{ repair: "to-text" }]);
    expectValid(stage);
  });

  it("ends the run as blocked when it is still too long", async () => {
    const { layer } = createFreeingLayer();
    const script = [call, fault.tooLong(), fault.tooLong()];
    const stage = await setStage({ provider, script, tools: [echo], layers: [layer] });
    const events = await stage.run();
    expect(endOf(events)).toMatchObject({
      reason: "blocked",
      error: { code: "prompt-too-long" },
      requests: 1,
    });
    expect(asked(stage)).toHaveLength(3);
    await expectGoesOn(stage);
  });

  it("may be too long again later in the run", async () => {
    const { layer } = createFreeingLayer();
    const again = [callTool("Echo", { text: "b" }, "call_2"), fault.tooLong()];
    const script = [call, fault.tooLong(), ...again];
    const stage = await setStage({ provider, script, tools: [echo], layers: [layer] });
    const events = await stage.run();
    expect(storyOf(events).filter((line) => line === warning)).toHaveLength(2);
    expect(endOf(events).reason).toBe("blocked");
    expect(asked(stage)).toHaveLength(4);
  });

  it("is not sent a second time when nothing could be freed", async () => {
    const script = [call, fault.tooLong()];
    const stage = await setStage({ provider, script, tools: [echo] });
    const events = await stage.run();
    expect(endOf(events)).toMatchObject({ reason: "blocked", error: { code: "prompt-too-long" } });
    expect(asked(stage)).toHaveLength(2);
    await expectGoesOn(stage);
  });
});

describe.each(providers)("a request of %s over the window", (provider) => {
  it("is not made: the run ends as blocked", async () => {
    const settings = { catalog: { capabilities: { "*": { contextWindow: 8_000, maxOutput: 1_000 } } } };
    const stage = await setStage({ provider, script: [say("Never said.")], settings });
    const events = await stage.run("word ".repeat(20_000));
    expect(storyOf(events).map((line) => line.replaceAll(/\d+/g, "N"))).toEqual([
      "run-start",
      "run-end blocked: The request has about N tokens, and none over N is sent.",
    ]);
    expect(endOf(events)).toMatchObject({ requests: 0, error: { code: "too-large" } });
    expect(asked(stage)).toEqual([]);
  });

  it("is made where only the provider is to refuse it, unless automatic compaction is off", async () => {
    const small = { catalog: { capabilities: { "*": { contextWindow: 8_000, maxOutput: 1_000 } } } };
    const settings = { ...small, flags: { "reactive-only": true } };
    const long = "word ".repeat(20_000);
    const stage = await setStage({ provider, script: [say("Heard.")], settings });
    expect(endOf(await stage.run(long))).toMatchObject({ reason: "done", requests: 1 });
    const idle = await setStage({
      provider,
      script: [say("Never said.")],
      settings: { ...settings, autoCompactEnabled: false },
    });
    expect(endOf(await idle.run(long))).toMatchObject({ reason: "blocked", requests: 0 });
  });
});

describe.each(providers)("a prompt that fits by our count and alone is too long for %s", (provider) => {
  it("is sent whole, then stored with its beginning and its end, and sent once more", async () => {
    const catalog = { capabilities: { "*": { contextWindow: 20_000, maxOutput: 1_000 } } };
    const settings = { catalog: { capabilities: { "*": { contextWindow: 60_000, maxOutput: 1_000 } } } };
    const emulation = { catalog, script: () => say("Read.") };
    const stage = await setStage({ provider, emulation, settings, layers: defaultLayers() });
    const prompt = `BEGIN ${"a long paste ".repeat(8_000)} END`;
    expect(endOf(await stage.run(prompt))).toMatchObject({ reason: "done", text: "Read." });
    const [first, second] = asked(stage);
    expect([first?.status, second?.status]).toEqual([400, 200]);
    expect(bodiesOf(stage).map((body) => body.includes(prompt))).toEqual([true, false]);
    const stored = /<persisted-prompt>.*has 104010 bytes.*msg_\d+-\d+-0\.txt.*BEGIN.*END/;
    expect(bodiesOf(stage)[1]).toMatch(stored);
    expect(endOf(await stage.run("Go on."))).toMatchObject({ reason: "done" });
  });

  it("is sent whole, then without its middle, where it has very many blocks", async () => {
    const catalog = { capabilities: { "*": { contextWindow: 20_000, maxOutput: 1_000 } } };
    const settings = { catalog: { capabilities: { "*": { contextWindow: 60_000, maxOutput: 1_000 } } } };
    const emulation = { catalog, script: () => say("Read.") };
    const stage = await setStage({ provider, emulation, settings, layers: defaultLayers() });
    const content = Array.from({ length: 1_000 }, (_, at) => ({
      type: "text" as const,
      text: `part ${at} ${"a long paste ".repeat(8)}`,
    }));
    await stage.session.add({ role: "user", content });
    const events = await stage.run("Which part is wrong?");
    expect(endOf(events)).toMatchObject({ reason: "done", text: "Read." });
    expect(asked(stage).map(({ status }) => status)).toEqual([400, 200]);
    const [whole = "", stored = ""] = bodiesOf(stage);
    expect([whole.includes("part 500 "), stored.includes("part 500 ")]).toEqual([true, false]);
    expect(stored).toMatch(/part 0 .*Parts \d+ to \d+ of this one.*part 999 .*Which part is wrong\?/);
    expect(endOf(await stage.run("Go on."))).toMatchObject({ reason: "done" });
  });
});

describe("an answer that fills the window", () => {
  const full = { stopReason: "model_context_window_exceeded" };
  const half = answer([say("Half of it")], full);
  const cut =
    "warning: The answer was cut: the model's window is full. What can be freed is freed, and it is asked again.";

  it("is asked for again on less, without its first half; the log has both", async () => {
    const { layer, triggers } = createFreeingLayer();
    const stage = await setStage({ script: [call, half, say("All of it.")], tools: [echo], layers: [layer] });
    const events = await stage.run();
    expect(endOf(events)).toMatchObject({ reason: "done", text: "All of it.", requests: 3 });
    expect(storyOf(events).filter((line) => line === cut)).toHaveLength(1);
    expect(triggers).toEqual(["auto", "auto", "reactive"]);
    expect(bodiesOf(stage).map((body) => [body.includes("[cleared]"), body.includes("Half of it")])).toEqual([
      [false, false],
      [false, false],
      [true, false],
    ]);
    expect((await answersOf(stage.session)).slice(-2)).toEqual(["whole: Half of it", "whole: All of it."]);
    expectValid(stage);
    await expectGoesOn(stage);
  });

  it("ends the run as blocked where the second one fills it too", async () => {
    const { layer } = createFreeingLayer();
    const stage = await setStage({ script: [call, half, half], tools: [echo], layers: [layer] });
    expect(endOf(await stage.run())).toMatchObject({ reason: "blocked", text: "Half of it", requests: 3 });
  });

  it("keeps its calls where they are whole, and the next request is made on less", async () => {
    const { layer, triggers } = createFreeingLayer();
    const cutBehind = answer([call, say("Half")], full);
    const stage = await setStage({ script: [cutBehind, say("Done.")], tools: [echo], layers: [layer] });
    expect(endOf(await stage.run())).toMatchObject({ reason: "done", requests: 2 });
    expect(triggers).toEqual(["auto", "reactive"]);
    expectValid(stage);
    await expectGoesOn(stage);
  });

  it("stays in the view where nothing could be freed, and is heard with what the user says next", async () => {
    const stage = await setStage({ script: [call, half], tools: [echo] });
    expect(endOf(await stage.run())).toMatchObject({ reason: "blocked", error: { code: "too-large" } });
    await stage.session.add({ role: "user", content: "Go on." });
    const { request } = await stage.session.prepare();
    expect(request.messages.slice(-2)).toMatchObject([
      { role: "assistant", content: [{ text: "Half of it" }] },
      { role: "user", content: [{ text: "Go on." }] },
    ]);
  });
});

it("a prompt that openai finds too long behind the beginning of a stream is made shorter and sent again", async () => {
  const { layer, triggers } = createFreeingLayer();
  let isFirst = true;
  const error = { message: "overflow", code: "context_length_exceeded" };
  const stage = await setStage({
    provider: "openai",
    tools: [echo],
    layers: [layer],
    script: [call, say("Done.")],
    model: (emulator) =>
      openai("gpt-5.6", {
        client: new OpenAI({
          baseURL: `${emulator.url}/v1`,
          apiKey: "sk-test",
          fetch: async (url, init) => {
            const isRefused = String(init?.body).includes('"role":"tool"') && isFirst;
            if (!isRefused) return fetch(url, init);
            isFirst = false;
            const headers = { "content-type": "text/event-stream" };
            return new Response(`data: ${JSON.stringify({ error })}\n\n`, { headers });
          },
        }),
      }),
  });
  const events = await stage.run();
  expect(endOf(events)).toMatchObject({ reason: "done", text: "Done." });
  expect(triggers).toEqual(["auto", "auto", "reactive"]);
  expect(storyOf(events)).toContain(warning);
});
