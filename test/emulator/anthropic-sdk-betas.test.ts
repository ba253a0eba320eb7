import Anthropic from "@anthropic-ai/sdk";
import { describe, expect, it } from "vitest";
import { say, think, thinkRedacted } from "../../packages/testing/src/index.ts";
import { emulate, hello, model, readTool } from "../support/emulator.ts";

describe("the official SDK and the newer parts of the API", () => {
  it("tells through diagnostics why the cache was missed", async () => {
    const { client } = await emulate();
    const ask = async (system: string, previous_message_id: string | null) =>
      client.messages.create({ ...hello, system, diagnostics: { previous_message_id } });
    const first = await ask("Be brief.", null);
    expect(first.diagnostics).toBeNull();
    expect((await ask("Be brief.", first.id)).diagnostics).toBeNull();
    expect((await ask("Be long.", first.id)).diagnostics?.cache_miss_reason?.type).toBe("system_changed");
    expect((await ask("Be brief.", "msg_never")).diagnostics?.cache_miss_reason?.type).toBe(
      "previous_message_not_found",
    );
  });

  it("binds thinking to what came before it, and drops it where the request says so", async () => {
    const { client, emulator } = await emulate({
      script: [[think("First."), say("One.")], [think("Second."), say("Two.")], say("Three.")],
    });
    const betas = ["thinking-binding-controls-2026-08-01"];
    const request = {
      model: "claude-opus-5-5",
      max_tokens: 1_000,
      thinking: { type: "adaptive" as const },
      betas,
    };
    const talk = (
      first: string,
      content: Anthropic.Beta.BetaContentBlock[],
    ): Anthropic.Beta.BetaMessageParam[] => [
      { role: "user", content: first },
      { role: "assistant", content },
      { role: "user", content: "Go on." },
    ];
    const one = await client.beta.messages.create({
      ...request,
      messages: [{ role: "user", content: "Begin." }],
    });
    const two = await client.beta.messages.create({ ...request, messages: talk("Begin.", one.content) });
    expect(two.input_transformations).toEqual([]);
    await expect(
      client.beta.messages.create({ ...request, messages: talk("Start.", one.content) }),
    ).rejects.toThrow("bound to a different conversation");
    const dropped = await client.beta.messages.create({
      ...request,
      thinking: { type: "adaptive", block_binding: { prefix_mismatch_behavior: "drop_block" } },
      messages: talk("Start.", one.content),
    });
    expect(dropped.input_transformations).toEqual([
      { type: "thinking_dropped", path: "messages.1.content.0", reason: "prefix_binding_mismatch" },
    ]);
    expect([...emulator.requests].map(({ outcome }) => outcome)).toEqual([
      "answered",
      "answered",
      "refused",
      "answered",
    ]);
  });

  it("compacts on demand, and thinking behind the summary stays bound", async () => {
    const { client } = await emulate({
      script: [
        [thinkRedacted(), think("First."), say("One.")],
        say("They began."),
        say("They began."),
        [think("Next."), say("Two.")],
      ],
    });
    const request = { model: "claude-opus-5-5", max_tokens: 1_000, betas: ["compact-2026-09-04"] };
    const begin: Anthropic.Beta.BetaMessageParam = { role: "user", content: "Begin." };
    const thinking = { type: "adaptive" as const };
    const one = await client.beta.messages.create({ ...request, thinking, messages: [begin] });
    const messages: Anthropic.Beta.BetaMessageParam[] = [begin, { role: "assistant", content: one.content }];
    const compaction = { type: "summarize" as const };
    const compacted = await client.beta.messages.create({ ...request, compaction, messages });
    expect(compacted).toMatchObject({
      stop_reason: "compaction",
      content: [{ type: "compaction", content: "They began." }],
      usage: { input_tokens: 0, output_tokens: 0, iterations: [{ type: "compaction" }] },
    });
    const streamed = await client.beta.messages.stream({ ...request, compaction, messages }).finalMessage();
    expect(streamed.content).toEqual(compacted.content);
    const next = await client.beta.messages.create({
      ...request,
      thinking,
      messages: [{ role: "user", content: [...(compacted.content as []), { type: "text", text: "Go on." }] }],
    });
    expect(next.content.map(({ type }) => type)).toEqual(["thinking", "text"]);
  });

  it("runs its tool loop to the end", async () => {
    const { client, emulator } = await emulate();
    const runner = client.beta.messages.toolRunner({
      ...hello,
      stream: true,
      messages: [{ role: "user", content: "Read package.json, please." }],
      tools: [
        {
          ...readTool,
          run: (input: unknown) => `contents for ${JSON.stringify(input)}`,
          parse: (input) => input,
        },
      ],
    });
    const final = await runner.runUntilDone();
    expect(final.content).toMatchObject([
      { type: "text", text: expect.stringContaining('contents for {"file_path":"package.json, please"}') },
    ]);
    expect([...emulator.requests].map(({ stopReason }) => stopReason)).toEqual(["tool_use", "end_turn"]);
    expect(emulator.requests.last?.body).toMatchObject({ thread: { type: "continue" }, messages: [{}] });
    expect(emulator.requests.last?.whole?.messages).toHaveLength(3);
  });

  it("holds threads, each answer continued once, and replays one that is lost", async () => {
    const { client, emulator } = await emulate();
    const thread = client.beta.messages.thread({ ...hello, messages: [], system: "Be brief." });
    const first = await thread.send({ role: "user", content: "Hello." });
    const second = await thread.send({ role: "user", content: "Again." });
    const alone = { model, max_tokens: 100, betas: ["message-threads-2026-08-12"] };
    const resumeFrom = (previous_message_id: string) =>
      client.beta.messages.create({
        ...alone,
        messages: [{ role: "user", content: "Once more." }],
        thread: { type: "continue", previous_message_id },
      });
    await expect(resumeFrom(first.id)).rejects.toBeInstanceOf(Anthropic.BadRequestError);
    await expect(resumeFrom("msg_never")).rejects.toBeInstanceOf(Anthropic.NotFoundError);
    expect((await resumeFrom(second.id)).type).toBe("message");
    emulator.reset();
    await thread.send({ role: "user", content: "Are you there?" });
    expect([...emulator.requests].map(({ status, whole }) => [status, whole?.messages])).toMatchObject([
      [404, undefined],
      [200, { length: 5 }],
    ]);
    expect(emulator.requests.last?.whole?.system).toBe("Be brief.");
  });
});
