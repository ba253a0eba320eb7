import type Anthropic from "@anthropic-ai/sdk";
import { describe, expect, it } from "vitest";
import {
  callTool,
  fault,
  otherwise,
  type RecordedRequest,
  say,
  when,
} from "../../packages/testing/src/index.ts";
import { readTool } from "../support/emulator.ts";
import { imageOf } from "../support/images.ts";
import { clientsOf, model, requestEnds, smallWindow, stage } from "./gateway-stage.ts";

const onePixelData =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";

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
async function work(client: Anthropic, rounds: number, stream = true, system?: Anthropic.TextBlockParam[]) {
  const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Read all pages." }];
  for (let round = 0; round <= rounds; round += 1) {
    const request = { model, max_tokens: 1_000, tools: [readTool], messages, ...(system && { system }) };
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

  it("sends what no model has been asked with word for word, however much it frees before it", async () => {
    const { anthropic, emulator, gateway } = await stage({ ...smallWindow(20_000), script: reader(12) });
    await work(anthropic, 12);
    await gateway.idle();
    const sent = emulator.requests
      .where(({ endpoint }) => endpoint === "messages")
      .map(({ body }) => JSON.stringify(body?.messages));
    const newest = sent.slice(1).map((messages, round) => messages.includes(JSON.stringify(page(round))));
    expect(newest).toEqual(Array.from({ length: 12 }, () => true));
    const source = { type: "base64", media_type: "image/png", data: onePixelData } as const;
    const images = Array.from({ length: 70 }, () => ({ type: "image", source }) as const);
    const paste = "a long paste ".repeat(2_500);
    const content: Anthropic.ContentBlockParam[] = [{ type: "text", text: paste }, ...images];
    await anthropic.messages.create({ model, max_tokens: 100, messages: [{ role: "user", content }] });
    const last = emulator.requests.last?.body?.messages as readonly Anthropic.MessageParam[];
    expect(last).toEqual([{ role: "user", content }]);
  });

  it.each([
    [600_000, 0],
    [600_000, 3],
    [900_000, 0],
    [900_000, 3],
  ])(
    "stores a prompt of %i characters that alone exceeds the window, after %i turns, and an event says so",
    async (size, turns) => {
      const { anthropic, emulator, events, gateway } = await stage({ script: () => say("Yes.") });
      const messages: Anthropic.MessageParam[] = [];
      for (let turn = 0; turn < turns; turn += 1) {
        messages.push({ role: "user", content: `question ${turn}` });
        const { content } = await anthropic.messages.create({ model, max_tokens: 100, messages });
        messages.push({ role: "assistant", content });
      }
      const content = `BEGIN ${"a long paste ".repeat(size / 13)} END`;
      messages.push({ role: "user", content });
      await anthropic.messages.create({ model, max_tokens: 100, messages });
      await gateway.idle();
      const sent = emulator.requests.where(({ endpoint }) => endpoint === "messages");
      expect(sent.filter(({ outcome }) => outcome !== "answered")).toEqual([]);
      const words = JSON.stringify(sent.at(-1)?.body?.messages);
      expect([/BEGIN/.test(words), /END/.test(words), /all of it is in .*tool-results/i.test(words)]).toEqual(
        [true, true, true],
      );
      expect(words.length).toBeLessThan(60_000);
      expect(events.filter(({ type }) => type !== "request-end")).toMatchObject([
        { type: "prompt-offload", block: "text", bytes: content.length, lines: 1 },
      ]);
      expect(requestEnds(events).at(-1)).toMatchObject({ sent: "rewritten", layers: ["tool-results"] });
    },
  );

  it("sends images that a first request may not have as notes, though it went out before it was looked at", async () => {
    const { anthropic, emulator, gateway } = await stage({ script: () => say("Yes.") });
    const content = Array.from({ length: 22 }, (_, number) =>
      imageOf(2_500, 10, number),
    ) as Anthropic.ImageBlockParam[];
    await anthropic.messages.create({ model, max_tokens: 100, messages: [{ role: "user", content }] });
    await gateway.idle();
    const sent = emulator.requests.where(({ endpoint }) => endpoint === "messages");
    expect(
      sent.map(({ status, body }) => [
        status,
        JSON.stringify(body?.messages).split('"type":"image"').length - 1,
      ]),
    ).toEqual([
      [400, 22],
      [200, 20],
    ]);
  });

  it("leaves images out of a request that the provider finds too large, until it is taken", async () => {
    const isLarge = ({ bodyBytes }: RecordedRequest) => bodyBytes > 60_000;
    const script = [when(isLarge, fault.tooLarge()), otherwise(say("Yes."))];
    const { anthropic, emulator, events, gateway } = await stage({ script });
    const content = Array.from({ length: 12 }, (_, number) =>
      imageOf(9, 9, number, { bytes: 12_000 }),
    ) as Anthropic.ImageBlockParam[];
    const messages: Anthropic.MessageParam[] = [{ role: "user", content }];
    const answer = await anthropic.messages.create({ model, max_tokens: 100, messages });
    messages.push({ role: "assistant", content: answer.content }, { role: "user", content: "And now?" });
    await anthropic.messages.create({ model, max_tokens: 100, messages });
    await gateway.idle();
    const sent = emulator.requests.where(({ endpoint }) => endpoint === "messages");
    const images = sent.map(({ status, body }) => [
      status,
      JSON.stringify(body?.messages).split('"type":"image"').length - 1,
    ]);
    expect(images).toEqual([
      [413, 12],
      [413, 6],
      [200, 3],
      [200, 3],
    ]);
    expect(events.filter(({ type }) => type !== "request-end")).toEqual([]);
  });

  it.each(["5m", "1h"] as const)("marks what it rewrites for as long as the client does: %s", async (ttl) => {
    const { anthropic, emulator, events, gateway } = await stage({
      ...smallWindow(20_000),
      script: reader(24),
    });
    const system = [
      { type: "text" as const, text: "Read.", cache_control: { type: "ephemeral" as const, ttl } },
    ];
    await work(anthropic, 24, true, system);
    await gateway.idle();
    expect(requestEnds(events).at(-1)?.sent).toBe("rewritten");
    const markers = JSON.stringify(emulator.requests.last?.body).match(/"ttl":"\w+"/g) ?? [];
    expect(markers.length).toBeGreaterThan(1);
    expect(new Set(markers)).toEqual(new Set([`"ttl":"${ttl}"`]));
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
