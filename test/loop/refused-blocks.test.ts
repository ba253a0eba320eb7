import { describe, expect, it } from "vitest";
import { anthropic } from "../../packages/palimpsest/src/models/anthropic/index.ts";
import { answer, fault, type RecordedRequest, say } from "../../packages/testing/src/index.ts";
import { collect, endOf, entriesOf, modelAt, openAgent, type Provider } from "../support/agent.ts";
import { createVirtualStore } from "../support/virtual-store.ts";
import { expectGoesOn, setStage } from "./stage.ts";

const secret = "Something that was taken until yesterday.";
const holds = ({ whole }: RecordedRequest) => JSON.stringify(whole?.messages).includes(secret);
const refusal = (message: string) => fault.error({ status: 400, type: "invalid_request_error", message });

const refusals: readonly (readonly [Provider, string])[] = [
  ["anthropic", "messages.1.content.0: this is not accepted"],
  ["openai", "Invalid value for 'messages[1].content': this is not accepted"],
];

describe.each(refusals)("a message that the server of %s refuses by name", (provider, words) => {
  it("is repaired by a recorded decision, and the request is made once more", async () => {
    const stage = await setStage({
      provider,
      script: (request, { answered }) =>
        answered === 0 ? say(secret) : holds(request) ? refusal(words) : say("I go on."),
    });
    await stage.run("Begin.");
    const events = await stage.run("Go on.");
    expect(endOf(events)).toMatchObject({ reason: "done", text: "I go on.", requests: 1 });
    const entries = await entriesOf(stage.session);
    expect(entries.flatMap((entry) => (entry.kind === "decision" ? entry.decision : []))).toMatchObject([
      {
        type: "repair",
        reason: "the provider has refused it",
        steps: [
          {
            repair: "to-text",
            text: expect.stringContaining("[A text was here: the provider has refused it · "),
          },
        ],
      },
    ]);
    expect(JSON.stringify(entries)).toContain(secret);
    await expectGoesOn(stage);
  });

  it("ends the run where it is refused all the same, or cannot be repaired", async () => {
    const stage = await setStage({
      provider,
      script: (_request, { answered }) => (answered === 0 ? say(secret) : refusal(words)),
    });
    await stage.run("Begin.");
    expect(endOf(await stage.run("Go on."))).toMatchObject({
      reason: "error",
      error: { code: "request-invalid" },
    });
    await expectGoesOn(stage);
  });
});

const namedText = (messages: unknown, words: RegExp) => {
  const all = messages as readonly { readonly content: readonly { readonly text?: string }[] }[];
  const at = all.findIndex(({ content }) => content.some(({ text = "" }) => words.test(text)));
  return at === -1 ? null : refusal(`messages.${at}.content.0: this is not accepted`);
};

it("several messages that are refused one after the other are all repaired in one run", async () => {
  const stage = await setStage({
    script: ({ whole }, { answered }) =>
      answered < 3
        ? say(`${secret} ${answered}`)
        : (namedText(whole?.messages, /until yesterday/) ?? say("Done.")),
  });
  for (const prompt of ["One.", "Two.", "Three."]) await stage.run(prompt);
  const before = [...stage.emulator.requests].length;
  expect(endOf(await stage.run("Go on."))).toMatchObject({ reason: "done", text: "Done.", requests: 1 });
  expect([...stage.emulator.requests].length - before).toBe(4);
  await expectGoesOn(stage);
});

it("no more than eight messages are refused by name in one request", async () => {
  const stage = await setStage({
    script: ({ whole }, { answered }) =>
      answered < 12
        ? say(`${secret} ${answered}`)
        : (namedText(whole?.messages, /until yesterday/) ?? say("Done.")),
  });
  for (let turn = 0; turn < 12; turn += 1) await stage.run(`${turn}.`);
  const before = [...stage.emulator.requests].length;
  expect(endOf(await stage.run("Go on."))).toMatchObject({
    reason: "error",
    error: { code: "request-invalid" },
  });
  expect([...stage.emulator.requests].length - before).toBe(9);
  expect(endOf(await stage.run("And on."))).toMatchObject({ reason: "done" });
});

describe("blocks of answers that need a beta header", () => {
  const blocks = [
    { type: "mcp_tool_listing", mcp_server_name: "s", tools: [] },
    { type: "mcp_tool_use", id: "mcptoolu_1", name: "n", server_name: "s", input: {} },
    { type: "mcp_tool_result", tool_use_id: "mcptoolu_1", is_error: false, content: [] },
    { type: "fallback", from: { model: "a" }, to: { model: "b" } },
    { type: "text", text: "Well." },
  ];
  const sentTypes = (request: { readonly messages: readonly { content: readonly { type: string }[] }[] }) =>
    request.messages[1]?.content.map(({ type }) => type);
  const betas = ["mcp-client-2026-09-15", "server-side-fallback-2026-07-01"];

  it("are sent while the request has it, and left out for good once it has not", async () => {
    const stage = await setStage({ script: [answer(blocks), say("Done."), say("Done."), say("Done.")] });
    await stage.session.close();
    const open = (request: Readonly<Record<string, unknown>>, resume: boolean) =>
      openAgent({
        ...{ model: modelAt(stage.emulator, "anthropic"), clock: stage.clock, request, resume },
        ...{ store: createVirtualStore({ disk: stage.disk }), id: "two" },
      });
    const types: unknown[] = [];
    for (const [request, resume] of [
      [{ betas }, false],
      [{}, true],
      [{ betas }, true],
    ] as const) {
      const session = await open(request, resume);
      if (!resume) await collect(session.run("Begin."));
      expect(endOf(await collect(session.run("Go on.")))).toMatchObject({ reason: "done", requests: 1 });
      types.push(sentTypes((await session.prepare()).request));
      await session.close();
    }
    const texts = blocks.map(() => "text");
    expect(types).toEqual([blocks.map(({ type }) => type), texts, texts]);
    expect([...stage.emulator.requests].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it("are sent where the model sends it by itself", async () => {
    const stage = await setStage({
      script: [answer(blocks), say("Done.")],
      model: ({ url }) => anthropic("claude-opus-4-5", { apiKey: "any", baseURL: url, defaultBetas: betas }),
    });
    await stage.run("Begin.");
    expect(endOf(await stage.run("Go on."))).toMatchObject({ reason: "done", requests: 1 });
    expect(sentTypes((await stage.session.prepare()).request)).toEqual(blocks.map(({ type }) => type));
    await expectGoesOn(stage);
  });

  it("are out of the first request of a loop of one's own", async () => {
    const { session } = await setStage({});
    await session.add({ role: "user", content: "Hello." });
    await session.add({ role: "assistant", content: blocks });
    await session.add({ role: "user", content: "Go on." });
    const { request, report } = await session.prepare();
    expect(sentTypes(request)).toEqual(blocks.map(() => "text"));
    expect(report.repairs).toEqual(["to-text", "to-text", "to-text", "to-text"]);
  });

  it("go all at once where they are sent as they are, and one is refused", async () => {
    const { session } = await setStage({ keepsUnknownBlocks: true });
    await session.add({ role: "user", content: "Hello." });
    await session.add({ role: "assistant", content: blocks });
    await session.add({ role: "user", content: "Go on." });
    expect(sentTypes((await session.prepare()).request)).toEqual(blocks.map(({ type }) => type));
    const { request } = await session.prepare({
      refused: "messages.1.content.0: Extra inputs are not permitted",
    });
    expect(sentTypes(request)).toEqual(blocks.map(() => "text"));
  });
});

it("a loop of one's own repairs what is refused by name", async () => {
  const stage = await setStage({ script: [say(secret)] });
  await stage.run("Begin.");
  await stage.session.add({ role: "user", content: "Go on." });
  const { request, report } = await stage.session.prepare({ refused: "messages.1.content.0: no" });
  expect(report.repairs).toEqual(["to-text"]);
  expect(JSON.stringify(request.messages)).not.toContain(secret);
  expect((await stage.session.prepare({ refused: "messages.9: no" })).report.repairs).toEqual([]);
});
