import type Anthropic from "@anthropic-ai/sdk";
import { describe, expect, it } from "vitest";
import { callTool, type RecordedRequest, say, think } from "../../packages/testing/src/index.ts";
import { readTool } from "../support/emulator.ts";
import { clientsOf, model, requestEnds, smallWindow, stage, startGateway } from "./gateway-stage.ts";

type Messages = Anthropic.MessageParam[];
const user = (content: string): Anthropic.MessageParam => ({ role: "user", content });
const large = (at: number) => `Question ${at}: ${"with very many words in it ".repeat(120)}`;

async function ask(client: Anthropic, messages: Messages, headers: Record<string, string> = {}) {
  const body = { model, max_tokens: 500, messages };
  const { content } = await client.messages.create(body, { headers });
  messages.push({ role: "assistant", content: content as never });
  return content;
}

const kinds = (stage: { readonly events: Parameters<typeof requestEnds>[0] }) =>
  requestEnds(stage.events).map(({ match }) => match);

describe("which session a request belongs to", () => {
  it("follows a conversation, its branches and its edits", async () => {
    const one = await stage({ script: ({ number }) => say(`Answer ${number} and more of it.`) });
    /** One after the other: of requests of several sessions that end together no one is the first. */
    const askAlone = async (messages: Messages) => {
      await ask(one.anthropic, messages);
      await one.gateway.idle();
    };
    const list: Messages = [user("Hello.")];
    await askAlone(list);
    list.push(user("Go on."));
    const branch = structuredClone(list.slice(0, 2));
    await askAlone(list);
    branch.push(user("Go another way."));
    await askAlone(branch);
    list[0] = user("Hello (edited).");
    list.push(user("And?"));
    await askAlone(list);
    await askAlone([user("1"), { role: "assistant", content: "Said elsewhere." }, user("2")]);
    expect(kinds(one)).toEqual(["first", "continue", "branch", "unknown", "unknown"]);
    const sessions = requestEnds(one.events).map(({ session }) => session);
    expect(sessions[0]).toBe(sessions[1]);
    expect(new Set(sessions).size).toBe(4);
  });

  it("is managed whatever interval is set for reads, though its client marks for less", async () => {
    const settings = { cacheTtl: "1h" as const, keepWarm: { enabled: true, intervalMinutes: 30 } };
    const one = await stage({ script: () => say("Fine, thanks for asking.") }, { settings });
    const cache_control = { type: "ephemeral" as const, ttl: "5m" as const };
    await ask(one.anthropic, [{ role: "user", content: [{ type: "text", text: large(1), cache_control }] }]);
    await one.gateway.idle();
    expect(one.events.map(({ type }) => type)).toEqual(["request-end"]);
    expect(one.gateway.status().sessions).toHaveLength(1);
  });

  it("takes the session that a header names", async () => {
    const one = await stage({ script: () => say("Fine, thanks for asking.") });
    const headers = { "x-palimpsest-session": "mine" };
    await ask(one.anthropic, [user("Hello.")], headers);
    const other: Messages = [user("Hello."), { role: "assistant", content: "Said elsewhere." }, user("And?")];
    await ask(one.anthropic, other, headers);
    await one.gateway.idle();
    expect(requestEnds(one.events).map(({ session }) => session)).toEqual(["mine", "mine"]);
  });

  it("makes branches of requests that come at once", async () => {
    const one = await stage({ script: () => say("One of many answers to that.") });
    const list: Messages = [user("Hello.")];
    await ask(one.anthropic, list);
    const copies = ["a", "b", "c"].map((word) => [...list, user(word)]);
    await Promise.all(copies.map((copy) => ask(one.anthropic, copy)));
    await one.gateway.idle();
    expect(kinds(one).slice(1).sort()).toEqual(["branch", "branch", "continue"]);
    expect(new Set(requestEnds(one.events).map(({ session }) => session)).size).toBe(3);
  });

  it("finds sessions again after a restart, and sends the same prefix", async () => {
    const script = ({ number }: RecordedRequest) => say(`Answer ${number} and more of it.`);
    const one = await stage({ ...smallWindow(16_000), script });
    const list: Messages = [];
    for (let at = 0; at < 18; at += 1) {
      list.push(user(large(at)));
      await ask(one.anthropic, list);
    }
    const before = one.emulator.requests.last?.body?.messages as readonly unknown[];
    await one.gateway.close();
    const again = await startGateway({ upstream: one.emulator.url, home: one.home, cwd: one.home });
    list.push(user("And now?"));
    await ask(clientsOf(again.gateway.url).anthropic, list);
    await again.gateway.idle();
    const [first] = requestEnds(again.events);
    expect(first).toMatchObject({
      match: "continue",
      sent: "rewritten",
      session: requestEnds(one.events).at(-1)?.session,
    });
    const after = one.emulator.requests.last?.body?.messages as readonly unknown[];
    const bare = (messages: readonly unknown[]) =>
      JSON.stringify(messages)
        .replace(/,"cache_control":\{[^}]*\}/g, "")
        .slice(1, -1);
    expect(bare(after).startsWith(bare(before))).toBe(true);
    const { usage } = one.emulator.requests.last ?? {};
    expect(usage?.cache_read_input_tokens).toBeGreaterThan(0);
  });
});

describe("what the gateway does with a session", () => {
  it("counts what would be sent", async () => {
    const one = await stage({ ...smallWindow(16_000), script: () => say("Fine, thanks for asking.") });
    const list: Messages = [];
    for (let at = 0; at < 24; at += 1) {
      list.push(user(large(at)));
      await ask(one.anthropic, list);
    }
    list.push(user("And now?"));
    const through = await one.anthropic.messages.countTokens({ model, messages: list });
    const direct = await clientsOf(one.emulator.url).anthropic.messages.countTokens({
      model,
      messages: list,
    });
    expect(through.input_tokens).toBeLessThan(16_000);
    expect(direct.input_tokens).toBeGreaterThan(16_000);
    await ask(one.anthropic, list);
    await one.gateway.idle();
    expect(requestEnds(one.events).at(-1)).toMatchObject({ match: "continue", sent: "rewritten" });
  });

  it("puts a large result on disk, names its file, and leaves the rest as it is", async () => {
    const script = [callTool("Bash", { command: "cat /big" }), say("Read."), say("Still there.")];
    const one = await stage({ script });
    const first = {
      model,
      max_tokens: 500,
      tools: [{ ...readTool, name: "Bash" }],
      messages: [user("Read it.")],
    };
    const { content } = await one.anthropic.messages.create(first);
    const call = content.find((block) => block.type === "tool_use");
    const result = {
      type: "tool_result" as const,
      tool_use_id: call?.id ?? "",
      content: "line\n".repeat(20_000),
    };
    const messages: Messages = [
      user("Read it."),
      { role: "assistant", content },
      { role: "user", content: [result] },
    ];
    const answer = await one.anthropic.messages.create({ ...first, messages });
    await one.anthropic.messages.create({
      ...first,
      messages: [...messages, { role: "assistant", content: answer.content }, user("Where is it?")],
    });
    await one.gateway.idle();
    expect(requestEnds(one.events).map(({ sent }) => sent)).toEqual(["raw", "rewritten", "rewritten"]);
    const sent = JSON.stringify(one.emulator.requests.last?.body?.messages);
    expect(sent).toContain("<persisted-output>");
    expect(sent).toContain(one.home);
    expect(sent).not.toMatch(/recall/i);
    expect(sent.match(/cache_control/g)?.length).toBeLessThanOrEqual(4);
  });

  it("changes nothing where it only observes, and says what it would do", async () => {
    const one = await stage({ script: () => say("Fine, thanks for asking.") }, { isObserving: true });
    const list: Messages = [user("Hello.")];
    await ask(one.anthropic, list);
    list.push(user("x".repeat(80_000)));
    await ask(one.anthropic, list);
    await one.gateway.idle();
    expect(requestEnds(one.events).map(({ sent, match }) => [sent, match])).toEqual([
      ["observed", "first"],
      ["observed", "continue"],
    ]);
    const status = await (await fetch(`${one.gateway.url}/palimpsest/status`)).json();
    expect(status).toMatchObject({
      name: "palimpsest gateway",
      mode: "observe",
      requests: { raw: 0, rewritten: 0, observed: 2, passed: 0 },
      sessions: [{ messages: 4, isRewritten: false, windowTokens: 200_000 }],
    });
  });

  it("keeps thinking that is bound to what was sent valid", async () => {
    const catalog = { capabilities: { "*": { contextWindow: 24_000, prefixBoundThinking: true } } };
    const script = ({ number }: RecordedRequest) => [
      think(`Thought ${number}.`),
      say(`Answer ${number} for you.`),
    ];
    const one = await stage({ catalog, script });
    const list: Messages = [];
    for (let at = 0; at < 24; at += 1) {
      list.push(user(large(at)));
      const body = { model, max_tokens: 3_000, thinking: { type: "enabled" as const, budget_tokens: 1_024 } };
      const { content } = await one.anthropic.messages.create({ ...body, messages: list });
      list.push({ role: "assistant", content });
    }
    await one.gateway.idle();
    const wrong = one.emulator.requests.where(({ outcome }) => outcome !== "answered");
    expect(wrong.map(({ error }) => error?.message)).toEqual([]);
  });

  it("sends a request before it is read once nothing can be due", async () => {
    const one = await stage({ script: ({ number }) => say(`Answer ${number} and more of it.`) });
    const list: Messages = [];
    for (let at = 0; at < 4; at += 1) {
      list.push(user(large(at) + (at === 0 ? "from the beginning on ".repeat(4_000) : "")));
      await ask(one.anthropic, list);
      await one.gateway.idle();
    }
    expect(
      requestEnds(one.events).map(({ isUnread = false, match, sent }) => [isUnread, match, sent]),
    ).toEqual([
      [false, "first", "raw"],
      [true, "continue", "raw"],
      [true, "continue", "raw"],
      [true, "continue", "raw"],
    ]);
    expect(one.gateway.status().sessions).toMatchObject([{ messages: 8 }]);
  });
});
