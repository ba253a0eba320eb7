import Anthropic from "@anthropic-ai/sdk";
import { describe, expect, it } from "vitest";
import { say } from "../../packages/testing/src/index.ts";
import { emulate, readTool } from "../support/emulator.ts";

type Message = Anthropic.Beta.BetaMessageParam;

const request = { model: "claude-opus-5-5", max_tokens: 1_000, betas: ["compact-2026-09-04"] };
const compaction = { type: "summarize" as const };
const finished: Message[] = [
  { role: "user", content: "Begin." },
  { role: "assistant", content: "I have begun." },
];
const resumeFrom: Message = { role: "user", content: "Go on." };

/** A block that the server has made and signed. */
async function compacted() {
  const { client, emulator } = await emulate({ script: () => say("They began.") });
  const answer = await client.beta.messages.create({ ...request, compaction, messages: finished });
  const block = answer.content[0] as Anthropic.Beta.BetaCompactionBlock;
  const replay = (first: Message, more: object = {}) =>
    client.beta.messages.create({ ...request, messages: [first, resumeFrom], ...more });
  return { client, emulator, block, replay };
}

describe("compaction on demand, through the official SDK", () => {
  it("gives a signed block alone, and takes it back as the first message", async () => {
    const { block, replay } = await compacted();
    expect(block).toMatchObject({
      type: "compaction",
      content: "They began.",
      signature: expect.any(String),
    });
    const answer = await replay({ role: "assistant", content: [block] });
    expect(answer.stop_reason).toBe("end_turn");
  });

  it.each<[string, object]>([
    ["context management", { context_management: { edits: [] }, betas: ["context-management-2025-06-27"] }],
    ["stop sequences", { stop_sequences: ["END"] }],
    ["an output format", { output_format: { type: "json_schema", schema: { type: "object" } } }],
    ["a forced tool", { tools: [readTool], tool_choice: { type: "any" } }],
    ["a turn that waits for a result", { tools: [readTool], messages: openRound() }],
    [
      "nothing but a summary",
      { messages: [{ role: "user", content: [{ type: "compaction", content: "x" }] }] },
    ],
    ["a type that is none", { compaction: { type: "shorten" } }],
    ["no header", { betas: [] }],
  ])("is refused beside %s", async (_, more) => {
    const { client } = await emulate();
    const betas = [...new Set([...request.betas, ...((more as { betas?: string[] }).betas ?? [])])];
    const isBare = (more as { betas?: string[] }).betas?.length === 0;
    const asked = { ...request, compaction, messages: finished, ...more, betas: isBare ? [] : betas };
    await expect(client.beta.messages.create(asked as never)).rejects.toBeInstanceOf(
      Anthropic.BadRequestError,
    );
  });

  it.each<[string, (block: Anthropic.Beta.BetaCompactionBlock) => Message[], string[]]>([
    [
      "its words were changed",
      (block) => [carry({ ...block, content: "They ended." }), resumeFrom],
      request.betas,
    ],
    [
      "its signature was forged",
      (block) => [carry({ ...block, signature: "Zm9yZ2Vk" }), resumeFrom],
      request.betas,
    ],
    ["it is not the first block", (block) => [resumeFrom, carry(block), resumeFrom], request.betas],
    ["the header is missing", (block) => [carry(block), resumeFrom], []],
    [
      "only the header of the other kind is there",
      (block) => [carry(block), resumeFrom],
      ["compact-2026-01-12"],
    ],
  ])("does not take its block back where %s", async (_, messages, betas) => {
    const { client, block } = await compacted();
    await expect(
      client.beta.messages.create({ ...request, betas, messages: messages(block) }),
    ).rejects.toBeInstanceOf(Anthropic.BadRequestError);
  });

  it("is passed over where tokens are counted", async () => {
    const { client } = await emulate();
    const { max_tokens: _most, ...counted } = request;
    const plain = await client.beta.messages.countTokens({ ...counted, messages: finished });
    const asked = await client.beta.messages.countTokens({ ...counted, compaction, messages: finished });
    expect(asked.input_tokens).toBe(plain.input_tokens);
  });
});

describe("compaction as an edit, through the official SDK", () => {
  const betas = ["context-management-2025-06-27", "compact-2026-01-12"];
  const edit = { type: "compact_20260112" as const };
  const long = (tokens: number): Message[] => [{ role: "user", content: "word ".repeat(tokens) }];

  it("comes at 150,000 tokens where no trigger is given, and counts nothing in front of its block", async () => {
    const { client, emulator } = await emulate({ script: () => say("Yes.") });
    const asked = { ...request, betas, context_management: { edits: [edit] } };
    const under = await client.beta.messages.create({ ...asked, messages: long(60_000) });
    expect(under.content.map(({ type }) => type)).toEqual(["text"]);
    const over = await client.beta.messages.create({ ...asked, messages: long(200_000) });
    expect(over.content.map(({ type }) => type)).toEqual(["compaction", "text"]);
    expect(over.usage.iterations?.map(({ type }) => type)).toEqual(["compaction", "message"]);
    const before = emulator.requests.last?.promptTokens ?? 0;
    const messages = [...long(200_000), { role: "assistant" as const, content: over.content }, resumeFrom];
    const { max_tokens: _most, ...counted } = asked;
    const { input_tokens } = await client.beta.messages.countTokens({ ...counted, messages });
    expect(input_tokens).toBeLessThan(before / 100);
  });

  it("does not come earlier than at 50,000", async () => {
    const { client } = await emulate();
    const early = { ...edit, trigger: { type: "input_tokens" as const, value: 49_999 } };
    await expect(
      client.beta.messages.create({
        ...request,
        betas,
        context_management: { edits: [early] },
        messages: [resumeFrom],
      }),
    ).rejects.toBeInstanceOf(Anthropic.BadRequestError);
  });
});

function carry(block: Anthropic.Beta.BetaCompactionBlock): Message {
  return { role: "assistant", content: [block] };
}

function openRound(): Message[] {
  return [
    { role: "user", content: "Read." },
    { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: "Read", input: {} }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "It." }] },
  ];
}
