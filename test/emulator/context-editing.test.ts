import type Anthropic from "@anthropic-ai/sdk";
import { describe, expect, it } from "vitest";
import { callTool, createVirtualClock, say, think } from "../../packages/testing/src/index.ts";
import { emulate, model, readTool } from "../support/emulator.ts";

type Message = Anthropic.Beta.BetaMessageParam;
type Block = Anthropic.Beta.BetaContentBlockParam;
type Edit = Anthropic.Beta.BetaClearToolUses20250919Edit;

const minute = 60_000;
const marker = { cache_control: { type: "ephemeral" as const } };
const betas = ["context-management-2025-06-27"];
const request = { model, max_tokens: 1_000, system: "Be brief. ".repeat(1_000), tools: [readTool], betas };

const result = (id: number, more: object = {}): Block => ({
  type: "tool_result",
  tool_use_id: `t${id}`,
  content: `Result ${id} ${"x".repeat(5_000)}`,
  ...more,
});
/** Calls and results, the newest of them marked. */
function rounds(count: number, ...added: Block[]): Message[] {
  return [
    { role: "user", content: "Look." },
    ...Array.from({ length: count }, (_, index): Message[] => [
      {
        role: "assistant",
        content: [{ type: "tool_use", id: `t${index}`, name: "Read", input: { n: index } }],
      },
      {
        role: "user",
        content:
          index < count - 1 ? [result(index)] : [result(index, added.length === 0 ? marker : {}), ...added],
      },
    ]).flat(),
  ];
}
const keeping = (value: number, more: Partial<Edit> = {}) => ({
  edits: [
    {
      type: "clear_tool_uses_20250919" as const,
      trigger: { type: "tool_uses" as const, value: 3 },
      keep: { type: "tool_uses" as const, value },
      ...more,
    },
  ],
});
const cleared = (count: number) => ({
  type: "clear_tool_uses_20250919",
  cleared_tool_uses: count,
  cleared_input_tokens: expect.any(Number),
});

describe("the API's own edits, through the official SDK", () => {
  it("says what was cleared, whole, as a stream, in a count and in the record", async () => {
    const { client, emulator } = await emulate();
    const asked = { ...request, messages: rounds(5), context_management: keeping(2) };
    const answer = await client.beta.messages.create(asked);
    expect(answer.context_management).toEqual({ applied_edits: [cleared(3)] });
    expect(emulator.requests.last?.appliedEdits).toEqual(answer.context_management?.applied_edits);
    const streamed = await client.beta.messages.stream(asked).finalMessage();
    expect(streamed.context_management).toEqual(answer.context_management);
    const count = await client.beta.messages.countTokens({
      model,
      system: request.system,
      tools: [readTool],
      messages: rounds(5),
      betas,
      context_management: keeping(2),
    });
    const { usage } = answer;
    const { cleared_input_tokens } = answer.context_management?.applied_edits[0] ?? {};
    expect(count.input_tokens).toBe(
      usage.input_tokens + (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0),
    );
    expect(count.context_management?.original_input_tokens).toBe(
      count.input_tokens + (cleared_input_tokens ?? 0),
    );
  });

  it("breaks the cache at the first cleared block, and finds it again with the same edits", async () => {
    const { client, emulator } = await emulate();
    const system = [{ type: "text" as const, text: request.system.repeat(2), ...marker }];
    const ask = async (count: number, context_management: object) => {
      await client.beta.messages.create({ ...request, system, messages: rounds(count), context_management });
      return emulator.requests.last?.hitPath;
    };
    await ask(3, keeping(1));
    expect(await ask(4, { edits: [] })).toBe("messages.6.content.0");
    expect(await ask(4, keeping(2))).toBe("system.0");
    expect(await ask(4, keeping(2))).toBe("messages.8.content.0");
    expect(await ask(5, keeping(3))).toBe("messages.8.content.0");
    expect(await ask(6, keeping(3))).toBe("system.0");
  });

  it("clears so that a prompt over the window fits", async () => {
    const { client } = await emulate({ catalog: { capabilities: { "*": { contextWindow: 12_000 } } } });
    const asked = { ...request, messages: rounds(6) };
    await expect(client.beta.messages.create(asked)).rejects.toThrow("prompt is too long");
    const answer = await client.beta.messages.create({ ...asked, context_management: keeping(1) });
    expect(answer.context_management?.applied_edits).toEqual([cleared(5)]);
  });

  it("keeps thinking bound, though older thinking and results are cleared", async () => {
    const { client, emulator } = await emulate({
      script: ({ ordinal }) =>
        ordinal % 2 === 1 ? [think(`Hm ${ordinal}.`), callTool("Read", {})] : [think("So."), say("Done.")],
    });
    const context_management = {
      edits: [
        { type: "clear_thinking_20251015" as const },
        ...keeping(1, { trigger: { type: "tool_uses", value: 1 } }).edits,
      ],
    };
    const messages: Message[] = [];
    const ask = async (...content: Block[]) => {
      messages.push({ role: "user", content });
      const answer = await client.beta.messages.create({
        ...request,
        model: "claude-opus-5-5",
        thinking: { type: "adaptive" },
        messages,
        context_management,
      });
      messages.push({ role: "assistant", content: answer.content });
      return answer.content.flatMap((block) => (block.type === "tool_use" ? block.id : []))[0] ?? "";
    };
    for (const turn of [1, 2, 3]) {
      const id = await ask({ type: "text", text: `Turn ${turn}.` });
      await ask({ type: "tool_result", tool_use_id: id, content: "x".repeat(3_000) });
    }
    expect(emulator.requests.last?.appliedEdits).toMatchObject([
      { type: "clear_thinking_20251015", cleared_thinking_turns: 2 },
      { type: "clear_tool_uses_20250919", cleared_tool_uses: 2 },
    ]);
    expect(emulator.requests.where(({ status }) => status !== 200)).toEqual([]);
  });

  it.each([true, false])(
    "compacts over the trigger, paused: %s, and drops what was summed up",
    async (isPaused) => {
      const summary = { type: "compaction", content: "They looked." };
      const { client, emulator } = await emulate({
        script: [isPaused ? say("They looked.") : [summary, think("Next."), say("Go on.")], say("End.")],
      });
      const compact = {
        type: "compact_20260112" as const,
        trigger: { type: "input_tokens" as const, value: 50_000 },
        pause_after_compaction: isPaused,
      };
      const asked = {
        ...request,
        model: "claude-opus-5-5",
        thinking: { type: "adaptive" as const },
        betas: [...betas, "compact-2026-01-12"],
        context_management: { edits: [compact] },
      };
      const messages = rounds(40);
      const answer = await client.beta.messages.create({ ...asked, messages });
      expect(answer.content.map(({ type }) => type)).toEqual(
        isPaused ? ["compaction"] : ["compaction", "thinking", "text"],
      );
      expect(answer.content[0]).toMatchObject({ content: "They looked." });
      expect(answer.stop_reason).toBe(isPaused ? "compaction" : "end_turn");
      const iterations = answer.usage.iterations?.map(({ type }) => type);
      expect(iterations).toEqual(isPaused ? ["compaction"] : ["compaction", "message"]);
      const before = emulator.requests.last?.promptTokens ?? 0;
      const next: Message[] = [
        { role: "assistant", content: answer.content },
        { role: "user", content: "And?" },
      ];
      for (const replayed of [[...messages, ...next], next]) {
        emulator.setScript([say("End.")]);
        const last = await client.beta.messages.create({ ...asked, messages: replayed });
        expect(last.content.map(({ type }) => type)).toEqual(["text"]);
        expect(before - (emulator.requests.last?.promptTokens ?? 0)).toBeGreaterThan(45_000);
      }
    },
  );
});

describe("cache edits", () => {
  const deletes = (...references: string[]): Block =>
    ({
      type: "cache_edits",
      edits: references.map((cache_reference) => ({ type: "delete", cache_reference })),
    }) as unknown as Block;
  const resumeFrom: Block = { type: "text", text: "Go on.", ...marker };
  const capable = { catalog: { capabilities: { "*": { cacheEdits: true } } } };
  /** Four rounds, of which two are deleted at the end, and what is said after that. */
  const edited = (...after: Message[]) => [...rounds(4, deletes("t0", "t1"), resumeFrom), ...after];
  const later = (...content: Block[]): Message[] => [
    { role: "assistant", content: "Hm." },
    { role: "user", content: [...content, { type: "text", text: "And now?", ...marker }] },
  ];

  it("deletes results from the cached prefix, which stays readable, now and when it is repeated", async () => {
    const { client, emulator } = await emulate(capable);
    const ask = async (messages: Message[]) => {
      const answer = await client.beta.messages.create({ ...request, betas: [], messages });
      const [applied] = answer.context_management?.applied_edits ?? [];
      return { applied, usage: answer.usage, hitPath: emulator.requests.last?.hitPath };
    };
    const whole = await ask(rounds(4));
    expect(whole.applied).toBeUndefined();
    const first = await ask(edited());
    expect(first.hitPath).toBe("messages.8.content.0");
    expect(first.applied).toEqual({
      type: "cache_edits",
      deleted_tool_uses: 2,
      cleared_input_tokens: expect.any(Number),
    });
    expect(first.usage.cache_read_input_tokens).toBe(
      (whole.usage.cache_creation_input_tokens ?? 0) - (first.applied?.cleared_input_tokens ?? 0),
    );
    const second = await ask(edited(...later()));
    expect(second).toMatchObject({ hitPath: "messages.8.content.2", applied: first.applied });
    const third = await ask(edited(...later(deletes("t3"))));
    expect(third).toMatchObject({ hitPath: "messages.8.content.2", applied: { deleted_tool_uses: 3 } });
    expect(emulator.requests.last?.appliedEdits).toEqual([third.applied]);
  });

  it("refuses to delete what is not cached, but takes again what it took before", async () => {
    const clock = createVirtualClock();
    const { client, emulator } = await emulate({ ...capable, clock });
    const ask = (messages: Message[]) => client.beta.messages.create({ ...request, betas: [], messages });
    await expect(ask(edited())).rejects.toThrow("the `tool_result` `t0` is not in the cached prefix");
    await ask(rounds(3));
    await expect(ask(rounds(4, deletes("t3"), resumeFrom))).rejects.toThrow(
      "`t3` is not in the cached prefix",
    );
    await expect(ask(rounds(4, deletes("t9"), resumeFrom))).rejects.toThrow("has the cache reference `t9`");
    await ask(edited());
    clock.advance(6 * minute);
    await ask(edited());
    expect(emulator.requests.last?.hitPath).toBeUndefined();
    clock.advance(6 * minute);
    await expect(ask(edited(...later(deletes("t3"))))).rejects.toThrow("`t3` is not in the cached prefix");
    expect(emulator.requests.last).toMatchObject({ status: 400, violations: [{ rule: "cache-edits" }] });
  });

  it("counts without asking the cache", async () => {
    const { client } = await emulate(capable);
    const counted = { model, tools: [readTool], system: request.system };
    const plain = await client.beta.messages.countTokens({ ...counted, messages: rounds(4, resumeFrom) });
    const left = await client.beta.messages.countTokens({ ...counted, messages: edited() });
    expect(left.context_management).toEqual({ original_input_tokens: plain.input_tokens });
    expect(plain.input_tokens - left.input_tokens).toBeGreaterThan(2_000);
  });

  it("is refused and not offered where the model cannot do it", async () => {
    const { client } = await emulate();
    await expect(client.beta.messages.create({ ...request, betas: [], messages: edited() })).rejects.toThrow(
      "not supported by this model",
    );
    const info = await client.beta.models.retrieve(model);
    expect(info.capabilities?.context_management).toEqual({
      supported: true,
      clear_thinking_20251015: { supported: true },
      clear_tool_uses_20250919: { supported: true },
      compact_20260112: { supported: false },
    });
    const able = await emulate(capable);
    expect((await able.client.beta.models.retrieve(model)).capabilities?.context_management).toMatchObject({
      cache_edits: { supported: true },
    });
  });
});
