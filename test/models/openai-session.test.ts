import { describe, expect, it } from "vitest";
import type { Model, Session } from "../../packages/core/src/spec/index.ts";
import { callTool, say, think } from "../../packages/testing/src/index.ts";
import { beginSession } from "../support/virtual-session.ts";
import { collect, emulateChat, modelAt, name, serveStream } from "./openai-support.ts";

/** One request of a session, as a loop sends it. */
async function ask(session: Session, model: Model) {
  const { request } = await session.prepare();
  const { response, message } = await collect(model, request);
  if (response === undefined) throw new Error(message);
  await session.add({ role: "assistant", ...response });
  return response;
}

describe("a session with a model behind chat completions", () => {
  it("sends valid requests over many rounds, counts by their usage, and finds its prefix in the cache", async () => {
    const rounds = 12;
    const calls = Array.from({ length: rounds }, (_, at) => [
      think(`What is in ${at}?`),
      say(`Round ${at}.`),
      callTool("Read", { path: `${at}.ts` }),
      callTool("Read", { path: `${at}.md` }),
    ]);
    const { model, emulator } = await emulateChat({ script: [...calls, say("Done.")] });
    const session = await beginSession({
      model: name,
      system: "Be short.",
      tools: [{ name: "Read", input_schema: { type: "object", properties: { path: { type: "string" } } } }],
    });
    await session.add({ role: "user", content: "Read everything." });
    for (let round = 0; round < rounds; round += 1) {
      const { content } = await ask(session, model);
      const results = content.flatMap((block) =>
        block.type === "tool_use"
          ? [
              {
                type: "tool_result",
                tool_use_id: String(block.id),
                content: `What ${block.id} holds. `.repeat(30),
              },
            ]
          : [],
      );
      await session.add({ role: "user", content: results });
    }
    const { usage } = await ask(session, model);
    expect([...emulator.requests].map(({ outcome }) => outcome)).toEqual(Array(rounds + 1).fill("answered"));
    expect(session.usage().count).toMatchObject({
      source: "usage",
      tokens: usage.input + usage.cacheRead + usage.output,
    });
    expect(usage.cacheRead).toBeGreaterThan(0.8 * (usage.input + usage.cacheRead));
  });

  it("counts by its own estimate where the server says nothing about usage", async () => {
    const session = await beginSession({ model: name });
    await session.add({ role: "user", content: "word ".repeat(1_000) });
    const before = session.usage().count;
    const chunk = { id: "x", choices: [{ delta: { content: "Yes." }, finish_reason: "stop" }] };
    await ask(session, modelAt(await serveStream(`data: ${JSON.stringify(chunk)}\n\n`)));
    const after = session.usage().count;
    expect(before.tokens).toBeGreaterThan(1_000);
    expect(after.tokens).toBeGreaterThan(before.tokens);
    expect(after.source).toBe(before.source);
  });
});
