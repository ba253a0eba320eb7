import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import type { SessionOptions } from "../../packages/core/src/session/open-session.ts";
import type { Category, Facts, ModelRequest, Session, Tool } from "../../packages/core/src/spec/index.ts";
import { measurePrompt } from "../../packages/testing/src/emulator/request/measure-prompt.ts";
import { createVirtualDisk } from "../../packages/testing/src/index.ts";
import { compaction, decidingOnce, watching } from "../support/acting-layer.ts";
import { beginSession, resumeSession } from "../support/virtual-session.ts";
import { createVirtualStore } from "../support/virtual-store.ts";

const headCategories: readonly Category[] = ["systemPrompt", "builtInTools", "mcpTools", "memoryFiles"];

/** What `session.usage()` says that system prompt and tools have. */
function headOf(session: Session): number {
  const { categories } = session.usage().accounting;
  return headCategories.reduce((sum, category) => sum + categories[category].tokens, 0);
}

/** As the emulator counts: between 2.2 and 3.4 bytes a token, by chance, and so much for each tool and message. */
const counted = (request: ModelRequest) => measurePrompt({ ...request }).tokens;
const trueHead = (request: ModelRequest) => counted({ ...request, messages: [] });

/** Says something, and lets the model answer. Gives the request. */
async function exchange(session: Session, content: string): Promise<ModelRequest> {
  await session.add({ role: "user", content });
  const { request } = await session.prepare();
  const usage = { input: counted(request), output: 3, cacheRead: 0, cacheCreation: 0 };
  await session.add({ role: "assistant", content: "Yes.", usage });
  return request;
}

const tool = (name: string, description: string): Tool => ({
  name,
  description,
  input_schema: { type: "object", properties: { file_path: { type: "string" } } },
});
const tools = [tool("Read", "Reads a file. ".repeat(40)), tool("mcp__a__b", "Looks things up. ".repeat(30))];
const system = "You work on software, together with the person who called you. ".repeat(60);

const words = fc.stringMatching(/^[a-z][a-z {}":,.é語]{0,200}$/);
const heads = fc.record({
  system: words.map((text) => text.repeat(40)),
  tools: fc
    .array(words, { maxLength: 8 })
    .map((texts) => texts.map((text, index) => tool(`tool_${index}`, text.repeat(10)))),
});

async function close(session: Session): Promise<void> {
  await session.close();
}

describe("system prompt and tools", () => {
  it("have what the provider counts, to within a few tokens, once it has answered a short prompt", async () => {
    await fc.assert(
      fc.asyncProperty(heads, fc.array(words, { minLength: 1, maxLength: 6 }), async (head, texts) => {
        const session = await beginSession(head);
        const first = await exchange(session, "Begin.");
        const expected = trueHead(first);
        expect(Math.abs(headOf(session) - expected)).toBeLessThan(10);
        for (const text of texts) await exchange(session, text);
        expect(Math.abs(headOf(session) - expected)).toBeLessThan(10);
        await close(session);
      }),
      { numRuns: 40 },
    );
  });

  it("come nearer to it with every shorter prompt", async () => {
    await fc.assert(
      fc.asyncProperty(heads, words, async (head, text) => {
        const session = await beginSession(head);
        for (const times of [100, 10, 1]) {
          const content = text.repeat(times);
          const request = await exchange(session, content);
          const bytes = Buffer.byteLength(content);
          // A message has 2.2 bytes a token or more, by the plain rule 4, and some tokens around it.
          const most = bytes * (1 / 2.2 - 1 / 4) + 16;
          expect(Math.abs(headOf(session) - trueHead(request))).toBeLessThan(most);
          const entries = [];
          for await (const entry of session.entries()) entries.push(entry);
          await session.rewind(entries[0]?.id ?? "");
        }
        await close(session);
      }),
      { numRuns: 40 },
    );
  });

  it("are the same in the count, in what layers know and in the accounting, which adds up to the count", async () => {
    let facts: Facts | undefined;
    const layers = [watching(["idle"], (_view, _moment, given) => (facts = given))];
    const session = await beginSession({ system, tools, layers });
    onTestFinished(() => close(session));
    const look = async () => {
      await session.idle();
      const { count, accounting } = session.usage();
      expect(accounting.total).toBe(count.tokens);
      expect(facts?.headTokens).toBe(headOf(session));
      return count;
    };
    const bytes = Buffer.byteLength(system);
    const definitions = tools.reduce((sum, one) => sum + Math.ceil(JSON.stringify(one).length / 4), 0);
    const plain = Math.ceil((4 / 3) * (Math.ceil(bytes / 4) + definitions));
    expect(await look()).toEqual({ tokens: plain, source: "plain" });
    expect(facts?.isHeadCounted).toBe(false);

    const first = await exchange(session, "Begin.");
    expect(await look()).toEqual({ tokens: counted(first) + 3, source: "usage" });
    expect(facts?.isHeadCounted).toBe(true);
    const head = headOf(session);

    await exchange(session, "Go on. ".repeat(300));
    expect((await look()).source).toBe("usage");
    expect(headOf(session)).toBe(head);
  });

  it("count as measured in a view without usage: behind a boundary, and after a rewind", async () => {
    const layers = [decidingOnce(compaction, { moment: "idle" })];
    const session = await beginSession({ system, tools, layers });
    onTestFinished(() => close(session));
    const request = await exchange(session, "Begin.");
    const head = headOf(session);
    expect(Math.abs(head - trueHead(request))).toBeLessThan(10);
    await session.idle();
    const { count, accounting } = session.usage();
    expect(count).toEqual({ tokens: head + 6, source: "plain" });
    expect(accounting.total).toBe(count.tokens);
    await session.rewind(await firstMessage(session));
    expect(session.usage().count).toEqual({ tokens: head + 3, source: "plain" });
  });
});

describe("what was learned of them", () => {
  async function learned(options: SessionOptions = {}) {
    const disk = createVirtualDisk();
    const store = () => createVirtualStore({ disk });
    const session = await beginSession({ store: store(), system, tools, ...options });
    await exchange(session, "Begin.");
    const usage = session.usage();
    await session.close();
    const resume = async (more: SessionOptions = {}) => {
      const resumed = await resumeSession({ store: store(), ...more });
      onTestFinished(() => close(resumed));
      return resumed;
    };
    return { usage, resume };
  }

  it("is there again in a resumed session, to the token", async () => {
    const { usage, resume } = await learned();
    expect({ ...(await resume()).usage(), cache: usage.cache }).toEqual(usage);
  });

  it.each<[string, SessionOptions]>([
    ["tools", { tools: tools.slice(1) }],
    ["system prompt", { system: "Be brief." }],
    ["model", { model: "claude-haiku-4-5" }],
  ])("is forgotten with another %s, and is then estimated", async (_what, options) => {
    const { resume } = await learned();
    const resumed = await resume(options);
    await resumed.rewind(await firstMessage(resumed));
    const fresh = await beginSession({ system, tools, ...options });
    onTestFinished(() => close(fresh));
    expect(headOf(resumed)).toBe(headOf(fresh));
    const request = await exchange(resumed, "Again.");
    expect(Math.abs(headOf(resumed) - trueHead(request))).toBeLessThan(20);
  });
});

async function firstMessage(session: Session): Promise<string> {
  for await (const entry of session.entries()) if (entry.kind === "message") return entry.id;
  return "";
}

describe("a head that was only estimated", () => {
  const settings = { catalog: { capabilities: { "*": { contextWindow: 32_000, maxOutput: 8_000 } } } };
  const long = (bytes: number) => "x ".repeat(bytes / 2);

  it("is not refused for its padding", async () => {
    const session = await beginSession({ system: long(80_000), settings });
    onTestFinished(() => close(session));
    await session.add({ role: "user", content: "Begin." });
    expect(session.usage().count.tokens).toBe(26_670);
    await expect(session.prepare()).resolves.toMatchObject({ report: { count: { tokens: 26_670 } } });
  });

  it.each([98_600, 100_000])("is refused where it would not fit, with %d bytes", async (bytes) => {
    const session = await beginSession({ system: long(bytes), settings });
    onTestFinished(() => close(session));
    await session.add({ role: "user", content: "Begin." });
    await expect(session.prepare()).rejects.toMatchObject({ code: "too-large" });
  });
});
