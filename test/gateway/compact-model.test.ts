import type Anthropic from "@anthropic-ai/sdk";
import { describe, expect, it } from "vitest";
import { createVirtualClock, say } from "../../packages/testing/src/index.ts";
import { model, requestEnds, smallWindow, stage } from "./gateway-stage.ts";

const words = (at: number) => `Question ${at}: ${"and some more to think about ".repeat(150)}`;
const isSummary = (body: unknown) => /<summary>/.test(JSON.stringify(body).slice(-4_000));

async function talk(client: Anthropic, questions: number) {
  const messages: Anthropic.MessageParam[] = [];
  for (let at = 0; at < questions; at += 1) {
    messages.push({ role: "user", content: words(at) });
    const { content } = await client.messages.stream({ model, max_tokens: 500, messages }).finalMessage();
    messages.push({ role: "assistant", content });
  }
}

describe("compaction by the model", () => {
  it.each([16_000, 40_000])(
    "asks with the client's own key, and sends what the model wrote (%i tokens)",
    async (window) => {
      const summary = "<summary>The user asked many questions, all of them answered.</summary>";
      const { anthropic, emulator, events, gateway } = await stage(
        { ...smallWindow(window), script: ({ body }) => (isSummary(body) ? say(summary) : say("Fine.")) },
        { compactBy: "model" },
      );
      await talk(anthropic, 36);
      await gateway.idle();
      expect(events.filter(({ type }) => type !== "request-end")).toEqual([]);
      expect(requestEnds(events).some(({ sent }) => sent === "rewritten")).toBe(true);
      const sent = JSON.stringify(emulator.requests.last?.body?.messages);
      expect(sent).toContain("The user asked many questions, all of them answered.");
    },
  );

  it("pings a client that waits meanwhile", async () => {
    const clock = createVirtualClock();
    let ask = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      ask = resolve;
    });
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const script = async ({ body }: { readonly body?: unknown }) => {
      if (!isSummary(body)) return say("Fine.");
      ask();
      await held;
      return say("<summary>Nothing of note has happened so far, and nothing is open.</summary>");
    };
    const { gateway } = await stage({ ...smallWindow(16_000), script }, { compactBy: "model", clock });
    const messages = Array.from({ length: 31 }, (_, at) => ({
      role: at % 2 === 0 ? ("user" as const) : ("assistant" as const),
      content: words(at),
    }));
    const answering = fetch(`${gateway.url}/v1/messages`, {
      method: "POST",
      headers: { "x-api-key": "sk-ant-waiting", "anthropic-version": "2023-06-01" },
      body: JSON.stringify({ model, max_tokens: 500, stream: true, messages }),
    });
    await asked;
    await clock.advance(5_000);
    const answer = await answering;
    release();
    const text = await answer.text();
    expect(text).toMatch(/^event: ping\n/);
    expect(text).toContain("event: message_stop");
    await gateway.idle();
  });
});
