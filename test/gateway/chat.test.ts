import type { OpenAI } from "openai";
import { describe, expect, it } from "vitest";
import { callTool, type RecordedRequest, say } from "../../packages/testing/src/index.ts";
import { clientsOf, requestEnds, smallWindow, stage } from "./gateway-stage.ts";

const model = "gpt-4.1";
const tools = [
  {
    type: "function" as const,
    function: { name: "Read", parameters: { type: "object", properties: { path: { type: "string" } } } },
  },
];
const page = (round: number) => `page ${round} `.repeat(900);

function reader(rounds: number) {
  return ({ body }: RecordedRequest) => {
    const words = JSON.stringify(((body?.messages ?? []) as readonly unknown[]).at(-1));
    const round = Number(/page (\d+)/.exec(words)?.[1] ?? -1) + 1;
    return round >= rounds ? say("All is read.") : callTool("Read", { path: `/p/${round}.txt` });
  };
}

async function work(client: OpenAI, rounds: number) {
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: "system", content: "You read pages." },
    { role: "user", content: "Read all pages." },
  ];
  for (let round = 0; round <= rounds; round += 1) {
    const stream = client.chat.completions.stream({
      model,
      messages,
      tools,
      stream_options: { include_usage: true },
    });
    const message = (await stream.finalChatCompletion()).choices[0]?.message;
    if (!message) throw new Error("There is no message.");
    messages.push(message);
    const calls = message.tool_calls ?? [];
    if (calls.length === 0) return message.content;
    for (const { id } of calls) messages.push({ role: "tool", tool_call_id: id, content: page(round) });
  }
  throw new Error("It never came to an end.");
}

describe("the gateway in front of chat completions", () => {
  it("lets a conversation go on that is larger than the window, with no invalid request", async () => {
    const { openai, emulator, events, gateway } = await stage({ ...smallWindow(20_000), script: reader(24) });
    await expect(work(clientsOf(emulator.url).openai, 24)).rejects.toMatchObject({ status: 400 });
    emulator.reset();
    expect(await work(openai, 24)).toBe("All is read.");
    await gateway.idle();
    const wrong = emulator.requests.where(({ outcome }) => outcome !== "answered");
    expect(wrong.map(({ error, path }) => [path, error?.message])).toEqual([]);
    expect(new Set(requestEnds(events).map(({ session }) => session)).size).toBe(1);
    expect(requestEnds(events).some(({ sent }) => sent === "rewritten")).toBe(true);
    const [first] = (emulator.requests.last?.body?.messages ?? []) as readonly unknown[];
    expect(first).toEqual({ role: "system", content: "You read pages." });
  });

  it.each([0, 2])(
    "stores a prompt that alone exceeds the window, after %i turns, and an event says so",
    async (turns) => {
      const { openai, emulator, events, gateway } = await stage({
        ...smallWindow(128_000),
        script: () => say("Yes."),
      });
      const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "system", content: "You read pages." }];
      for (let turn = 0; turn < turns; turn += 1) {
        messages.push({ role: "user", content: `question ${turn}` });
        const { choices } = await openai.chat.completions.create({ model, messages });
        messages.push(choices[0]?.message as OpenAI.ChatCompletionMessage);
      }
      const content = `BEGIN ${"a long paste ".repeat(70_000)} END`;
      messages.push({ role: "user", content });
      await openai.chat.completions.create({ model, messages });
      await gateway.idle();
      const sent = emulator.requests.where(({ endpoint }) => endpoint === "chat_completions");
      expect(sent.filter(({ outcome }) => outcome !== "answered")).toEqual([]);
      const words = JSON.stringify(sent.at(-1)?.body?.messages);
      expect([/BEGIN/.test(words), /END/.test(words), words.length < 60_000]).toEqual([true, true, true]);
      expect(events.filter(({ type }) => type !== "request-end")).toMatchObject([
        { type: "prompt-offload", block: "text", bytes: content.length, lines: 1 },
      ]);
      expect(requestEnds(events).at(-1)).toMatchObject({ sent: "rewritten", layers: ["tool-results"] });
    },
  );
});
