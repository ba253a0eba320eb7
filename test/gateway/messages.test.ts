import type Anthropic from "@anthropic-ai/sdk";
import { describe, expect, it } from "vitest";
import { callTool, fault, otherwise, type RecordedRequest, say, when } from "../../src/testing/index.ts";
import { readTool } from "../support/emulator.ts";
import { clientsOf, model, requestEnds, smallWindow, stage } from "./gateway-stage.ts";

const page = (round: number) => `page ${round} `.repeat(900);

/** Calls a tool for so many rounds, then says that it is done. */
function reader(rounds: number) {
  return (request: RecordedRequest) => {
    const messages = (request.body?.messages ?? []) as readonly Anthropic.MessageParam[];
    const results = JSON.stringify(messages).split('"tool_result"').length - 1;
    const words = JSON.stringify(messages.at(-1));
    const round = Number(/page (\d+)/.exec(words)?.[1] ?? -1) + 1;
    return round >= rounds || results > rounds
      ? say("All is read.")
      : callTool("Read", { file_path: `/p/${round}.txt` });
  };
}

/** An agent as others write them: everything it has goes out with every request. */
async function work(client: Anthropic, rounds: number, stream = true) {
  const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Read all pages." }];
  for (let round = 0; round <= rounds; round += 1) {
    const request = { model, max_tokens: 1_000, tools: [readTool], messages };
    const message = stream
      ? await client.messages.stream(request).finalMessage()
      : await client.messages.create(request);
    messages.push({ role: "assistant", content: message.content });
    const call = message.content.find((block) => block.type === "tool_use");
    if (!call) return message;
    messages.push({
      role: "user",
      content: [{ type: "tool_result", tool_use_id: call.id, content: page(round) }],
    });
  }
  throw new Error("It never came to an end.");
}

describe("the gateway in front of the Messages API", () => {
  it.each([true, false])("answers as the provider does (stream: %s)", async (stream) => {
    const { anthropic, emulator, events, gateway } = await stage({ script: reader(3) });
    const message = await work(anthropic, 3, stream);
    await gateway.idle();
    expect(message.content).toMatchObject([{ type: "text", text: "All is read." }]);
    expect(emulator.requests.where(({ outcome }) => outcome !== "answered")).toEqual([]);
    expect(requestEnds(events).map(({ sent, match }) => [sent, match])).toEqual([
      ["raw", "first"],
      ["raw", "continue"],
      ["raw", "continue"],
      ["raw", "continue"],
    ]);
  });

  it("lets a conversation go on that is larger than the window, with no invalid request", async () => {
    const { anthropic, emulator, events, gateway } = await stage({
      ...smallWindow(20_000),
      script: reader(24),
    });
    await expect(work(clientsOf(emulator.url).anthropic, 24)).rejects.toMatchObject({ status: 400 });
    emulator.reset();
    const message = await work(anthropic, 24);
    expect(message.content).toMatchObject([{ type: "text", text: "All is read." }]);
    await gateway.idle();
    expect(emulator.requests.where(({ outcome }) => outcome !== "answered")).toEqual([]);
    expect(new Set(requestEnds(events).map(({ session }) => session)).size).toBe(1);
    expect(requestEnds(events).some(({ sent }) => sent === "rewritten")).toBe(true);
    expect(events.filter(({ type }) => type !== "request-end")).toEqual([]);
  });

  it("finds out that a window is smaller than anybody said, and the client never hears of it", async () => {
    const silent = when(({ endpoint }) => endpoint === "model", fault.serverError());
    const script = [silent, otherwise(reader(24))];
    const { anthropic, emulator, gateway } = await stage({ ...smallWindow(20_000), script });
    expect((await work(anthropic, 24)).content).toMatchObject([{ type: "text", text: "All is read." }]);
    await gateway.idle();
    const refused = emulator.requests.where(({ outcome }) => outcome === "refused");
    expect(refused.map(({ status }) => status)).toEqual([400]);
    expect(gateway.status().sessions).toMatchObject([{ windowTokens: 20_000, isRewritten: true }]);
  });
});
