import type Anthropic from "@anthropic-ai/sdk";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { answerRecall, recallTool } from "../../packages/core/src/recall/tool/index.ts";
import type { ContentBlock, Session } from "../../packages/core/src/spec/index.ts";
import { openSession, type SessionOptions } from "../../packages/palimpsest/src/loop/open-session.ts";
import { anthropic } from "../../packages/palimpsest/src/models/anthropic/index.ts";
import { atRequest, callTool, fault, otherwise, say } from "../../packages/testing/src/index.ts";
import { emulate } from "../support/emulator.ts";
import { createVirtualStore } from "../support/virtual-store.ts";

const page = {
  name: "page",
  description: "Gives a page.",
  input_schema: { type: "object", properties: { number: { type: "integer" } } },
};

async function open(options: SessionOptions = {}): Promise<Session> {
  const model = anthropic("claude-opus-4-5", { environment: {} });
  const settings = { flags: { "compact-ahead": false, "session-notes": false } };
  const session = await openSession({ store: createVirtualStore(), model, settings, ...options });
  onTestFinished(() => session.close());
  return session;
}

/** A turn as the page shows it. */
async function ask(session: Session, client: Anthropic): Promise<readonly ContentBlock[]> {
  const { request } = await session.prepare();
  const body = request as unknown as Parameters<typeof client.beta.messages.stream>[0];
  const response = await client.beta.messages.stream(body).finalMessage();
  const { id, model, stop_reason } = response;
  const content = response.content as unknown as readonly ContentBlock[];
  const usage = response.usage as never;
  await session.add({ role: "assistant", id, content, model, stopReason: stop_reason, usage });
  return content;
}

let rounds = 0;
async function addRound(session: Session, name: string): Promise<void> {
  rounds += 1;
  const id = `call_${rounds}`;
  await session.add({ role: "assistant", content: [{ type: "tool_use", id, name, input: {} }] });
  const content = `Result ${rounds}. ${"The quay has cranes. ".repeat(500)}`;
  await session.add({ role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] });
}

const textOf = (value: unknown) => JSON.stringify(value);

describe("docs/guides/own-loop.md", () => {
  it("makes room by hand where the provider finds a prompt too long", async () => {
    const script = [atRequest(2, fault.tooLong()), otherwise(say("Yes, the cranes."))];
    const { emulator, client } = await emulate({ script });
    const session = await open({ tools: [page], model: anthropic("claude-opus-4-5", { client }) });
    await session.add({ role: "user", content: "Read." });
    for (const name of ["page", "page", "page"]) await addRound(session, name);
    await ask(session, client);
    await session.add({ role: "user", content: "Go on." });
    await expect(ask(session, client)).rejects.toThrow(/too long/);
    const { tokensBefore, tokensAfter } = await session.compact();
    expect(tokensAfter).toBeLessThan(tokensBefore);
    expect(textOf(await ask(session, client))).toContain("Yes");
    expect([...emulator.requests].map(({ status }) => status)).toEqual([200, 400, 200, 200]);
  });

  it("clears results and compacts by hand where there is no key", async () => {
    const session = await open({ tools: [page, { ...page, name: "Read" }] });
    await session.add({ role: "user", content: "Read." });
    for (const name of ["page", "Read", "Read", "Read", "Read", "Read"]) await addRound(session, name);
    const before = session.usage().count.tokens;
    await session.clear({ targetTokens: 5_000 });
    expect(session.usage().count.tokens).toBeLessThan(before);
    const sent = textOf((await session.prepare()).request);
    expect(sent).toMatch(/content cleared\] Read/);
    expect(sent).not.toMatch(/content cleared\] page/);
    const { tokensBefore, tokensAfter } = await session.compact();
    expect(tokensAfter).toBeLessThan(tokensBefore);
  });

  it("is told how much is too much where nothing can be sent", async () => {
    const catalog = { capabilities: { "claude-opus-4-5": { contextWindow: 20_000, maxOutput: 2_000 } } };
    const session = await open({ settings: { catalog }, layers: [] });
    await session.add({ role: "user", content: "The quay. ".repeat(20_000) });
    await expect(session.prepare()).rejects.toMatchObject({
      code: "too-large",
      facts: { tokens: expect.any(Number), limit: expect.any(Number) },
    });
    await expect(session.compact()).rejects.toMatchObject({ code: "conflict" });
  });

  it("sends nothing of what was cut off, and a result for a call that has none", async () => {
    const { emulator, client } = await emulate({
      script: [callTool("page", { number: 1 }, "call_1"), say("Well.")],
    });
    const session = await open({ tools: [page] });
    await session.add({ role: "user", content: "Read." });
    await session.add({ role: "assistant", content: "I am abou", isAborted: true });
    await ask(session, client);
    await session.add({ role: "user", content: "Leave it." });
    await ask(session, client);
    const sent = textOf(emulator.requests.last?.body);
    expect(sent).not.toContain("I am abou");
    expect(sent).toMatch(/"tool_use_id":"call_1"/);
    expect([...emulator.requests].flatMap(({ violations }) => violations)).toEqual([]);
  });

  it("answers calls of the recall tool, and says what to do where it cannot", async () => {
    const session = await open({ tools: [page, recallTool] as NonNullable<SessionOptions["tools"]> });
    const { id } = await session.add({ role: "user", content: "The crane is red." });
    expect(await answerRecall(session, { id })).toMatchObject({
      ok: true,
      value: expect.stringContaining("The crane is red."),
    });
    expect(await answerRecall(session, {})).toMatchObject({ ok: false, error: { fix: expect.any(String) } });
  });

  it("refuses a wrong message by the name of the field", async () => {
    const session = await open();
    const content = [{ type: "text", text: 1 }] as unknown as readonly ContentBlock[];
    await expect(session.add({ role: "user", content })).rejects.toMatchObject({
      code: "invalid-input",
      path: "content[0].text",
    });
  });

  it("asks its model for a summary that is due, also where only its name and the environment say which", async () => {
    const { emulator } = await emulate({ script: () => say("Understood.") });
    vi.stubEnv("ANTHROPIC_API_KEY", "sk-test");
    vi.stubEnv("ANTHROPIC_BASE_URL", emulator.url);
    onTestFinished(() => void vi.unstubAllEnvs());
    const catalog = { capabilities: { "claude-opus-4-5": { contextWindow: 20_000, maxOutput: 2_000 } } };
    const settings = { catalog, flags: { "compact-ahead": false, "session-notes": false } };
    for (const [model, isAsked] of [
      [anthropic("claude-opus-4-5", { environment: {} }), false],
      ["claude-opus-4-5", true],
    ] as const) {
      const session = await open({ model, settings });
      for (const word of ["crane", "quay", "ship"]) {
        await session.add({ role: "user", content: `Remember ${`the ${word}s. `.repeat(1_500)}` });
        await session.add({ role: "assistant", content: "Yes." });
      }
      await session.add({ role: "user", content: "Go on." });
      const { report } = await session.prepare();
      expect(report.layers.find(({ layer }) => layer === "compaction")).toMatchObject({ outcome: "act" });
      expect(emulator.requests.total > 0).toBe(isAsked);
    }
  });
});
