import { describe, expect, it } from "vitest";
import { defaultLayers } from "../../packages/core/src/session/default-layers.ts";
import { pendingResultText } from "../../packages/core/src/session/open-fork.ts";
import type { ForkResult, Session, Tool } from "../../packages/core/src/spec/index.ts";
import { missingResultText } from "../../packages/core/src/view/request/repair.ts";
import {
  callTool,
  createVirtualClock,
  type RecordedRequest,
  say,
  think,
} from "../../packages/testing/src/index.ts";
import { collect, endOf, entriesOf, modelAt, openAgent, type Provider } from "../support/agent.ts";
import { emulate } from "../support/emulator.ts";
import { betasOf, bytesOf, echo, keep, lastOf, longTexts, readShare, warmUp } from "./fork-support.ts";

const prefixTokens = 110_000;

const isAbout = (text: string) => (request: RecordedRequest) => lastOf(request).includes(text);

/** Numbers of a request in the emulator's own words. */
function usageOf({ usage }: RecordedRequest) {
  return {
    input: usage?.input_tokens,
    output: usage?.output_tokens,
    cacheRead: usage?.cache_read_input_tokens,
    cacheCreation: usage?.cache_creation_input_tokens,
  };
}

describe("a fork of a conversation of over 100,000 tokens", () => {
  it("reads 99 % of its prompt from the parent's cache, and reports what the emulator counted", async () => {
    const { emulator } = await emulate({ script: () => say("Understood.") });
    const judged: unknown[] = [];
    const session = await openAgent({
      model: modelAt(emulator),
      clock: createVirtualClock(),
      system: "Be brief.",
      tools: [echo, keep],
      onEvent: (event) => {
        if (event.type === "request-end") judged.push([event.session.split("/").length, event.cache?.kind]);
      },
    });
    await warmUp(session, prefixTokens);
    const forked = await session.fork("Sum it up.", { kind: "notes" });
    const [request] = emulator.requests.where(isAbout("Sum it up."));
    expect(request?.promptTokens).toBeGreaterThan(100_000);
    expect(readShare(request as RecordedRequest)).toBeGreaterThan(0.99);
    const usage = usageOf(request as RecordedRequest);
    expect(forked.usage).toEqual(usage);
    expect(forked.cache).toEqual({
      promptTokens: request?.promptTokens,
      readTokens: usage.cacheRead,
      share: readShare(request as RecordedRequest),
    });
    expect(judged).toEqual([
      [1, "expected-break"],
      [2, "hit"],
    ]);
    expect(emulator.requests.where(({ status }) => status !== 200)).toEqual([]);
  });

  it("shares it with nine others at once", async () => {
    const { emulator } = await emulate({ script: () => say("Understood.") });
    const session = await openAgent({ model: modelAt(emulator), system: "Be brief.", tools: [echo] });
    await warmUp(session, prefixTokens);
    const directives = Array.from({ length: 10 }, (_, index) => `Look at side ${index}.`);
    const forks = await Promise.all(directives.map((one) => session.fork(one, { kind: "agent" })));
    expect(new Set(forks.map(({ id }) => id)).size).toBe(10);
    expect(forks.filter(({ cache }) => cache.share < 0.99)).toEqual([]);
    const requests = emulator.requests.where(isAbout("Look at side"));
    expect(requests.map(readShare).filter((share) => share < 0.99)).toEqual([]);
    expect(requests).toHaveLength(10);
  });

  it("reads 99 % from the cache of a server that speaks chat completions", async () => {
    const { emulator } = await emulate({ script: () => say("Understood.") });
    const session = await openAgent({
      model: modelAt(emulator, "openai"),
      system: "Be brief.",
      tools: [echo],
    });
    await warmUp(session, prefixTokens);
    const { cache } = await session.fork("Sum it up.", { kind: "notes" });
    expect(cache.promptTokens).toBeGreaterThan(100_000);
    expect(cache.share).toBeGreaterThan(0.99);
    expect(usageOf(emulator.requests.last as RecordedRequest)).toMatchObject({ cacheRead: cache.readTokens });
  });

  it("reads it too where the API clears old results on its own", async () => {
    const { emulator } = await emulate({
      script: (request) =>
        request.ordinal <= 8 && !lastOf(request).includes("Sum")
          ? callTool("Read", { text: `${request.ordinal}` })
          : say("Understood."),
    });
    const read: Tool = {
      ...echo,
      name: "Read",
      maxResultChars: Number.POSITIVE_INFINITY,
      run: async (input) => ({ content: JSON.stringify(input).repeat(4_000) }),
    };
    const session = await openAgent({
      model: modelAt(emulator),
      tools: [read],
      clock: createVirtualClock(),
      layers: defaultLayers(),
      settings: {
        flags: { "clear-server": true },
        sessionNotesEnabled: false,
        microcompact: { serverTriggerTokens: 100_000, serverTargetTokens: 60_000 },
      },
    });
    await collect(session.run("Read them."));
    const parent = emulator.requests.last;
    expect(parent?.appliedEdits).not.toEqual([]);
    const { cache } = await session.fork("Sum it up.", { kind: "notes" });
    const fork = emulator.requests.last;
    expect(bytesOf(fork).context_management).toEqual(bytesOf(parent).context_management);
    expect(betasOf(fork)).toBe(betasOf(parent));
    expect(cache.share).toBeGreaterThan(0.99);
  });
});

describe("the request of a fork", () => {
  it.each<Provider>(["anthropic", "openai"])(
    "is the parent's and its tail, byte for byte, with %s",
    async (provider) => {
      const { emulator } = await emulate({ script: () => say("Understood.") });
      const session = await openAgent({
        model: modelAt(emulator, provider),
        system: [
          { type: "text", text: "Be brief." },
          { type: "text", text: "Be kind." },
        ],
        tools: [echo, keep],
        request: {
          max_tokens: 5_000,
          tool_choice: { type: "auto" },
          betas: ["interleaved-thinking-2025-05-14"],
        },
      });
      await collect(session.run("Hello."));
      const parent = emulator.requests.last;
      await session.fork("Sum it up.", { kind: "agent", tools: [] });
      const fork = emulator.requests.last;
      const { messages: before, ...fields } = bytesOf(parent);
      const { messages: after, ...same } = bytesOf(fork);
      expect(JSON.stringify(same)).toBe(JSON.stringify(fields));
      expect(betasOf(fork)).toBe(betasOf(parent));
      expect(JSON.stringify(after.slice(0, before.length))).toBe(JSON.stringify(before));
      expect(JSON.stringify(after.slice(before.length))).toContain("Understood.");
      expect(JSON.stringify(after.at(-1))).toContain("Sum it up.");
      expect(after).toHaveLength(before.length + 2);
    },
  );

  it("keeps the previews, labels and names of what the parent has offloaded and cleared", async () => {
    const { emulator } = await emulate({
      script: ({ ordinal }) =>
        ordinal <= 6
          ? callTool("Grep", { text: `${ordinal} ${"found it here\n".repeat(6_000)}` })
          : say("Done."),
    });
    const grep: Tool = { ...echo, name: "Grep" };
    const session = await openAgent({
      model: modelAt(emulator),
      tools: [grep],
      clock: createVirtualClock(),
      layers: defaultLayers(),
    });
    await collect(session.run("Look for it."));
    await session.clear({ targetTokens: 1 });
    const { request } = await session.prepare();
    const parent = JSON.parse(
      JSON.stringify(request.messages, (key, value) => (key === "cache_control" ? undefined : value)),
    );
    await session.fork("Sum it up.", { kind: "compaction" });
    const { messages } = bytesOf(emulator.requests.last);
    expect(JSON.stringify(messages.slice(0, parent.length))).toBe(JSON.stringify(parent));
    const sent = JSON.stringify(messages);
    expect(sent).toContain("tool-results/one/");
    expect(sent).toContain("cleared");
  });
});

/** A tool that forks the session it runs in, once for each directive, and waits for them. */
function splitting(session: () => Session, results: ForkResult[]): Tool {
  return {
    name: "Split",
    description: "Lets a fork of this conversation do something.",
    input_schema: { type: "object", properties: { what: { type: "string" } }, required: ["what"] },
    isReadOnly: true,
    run: async (input) => {
      const forked = await session().fork((input as { what: string }).what, { kind: "agent" });
      results.push(forked);
      return { content: forked.text };
    },
  };
}

describe("forks from the middle of a round of tool calls", () => {
  const thinkingOn = { thinking: { type: "enabled", budget_tokens: 2_000 } };

  it.each([
    ["claude-opus-4-5", undefined],
    ["claude-opus-4-5", thinkingOn],
    ["claude-opus-5.5", thinkingOn],
  ] as const)(
    "share everything but their directives, and leave the parent alone (%s, %j)",
    async (name, request) => {
      const { emulator } = await emulate({
        script: (asked) => {
          const last = lastOf(asked);
          if (last.includes("Side one")) return say("one");
          if (last.includes("Side two")) return say("two");
          const calls = [callTool("Split", { what: "Side one." }), callTool("Split", { what: "Side two." })];
          if (asked.ordinal === 1) return request ? [think("Both sides."), ...calls] : calls;
          return say("Both were looked at.");
        },
      });
      const results: ForkResult[] = [];
      const session: Session = await openAgent({
        model: modelAt(emulator, "anthropic", name),
        tools: [splitting(() => session, results)],
        ...(request && { request }),
      });
      await session.add({ role: "user", content: longTexts(20_000) });
      const events = await collect(session.run("Look at both sides."));
      expect(endOf(events)).toMatchObject({ reason: "done", text: "Both were looked at." });
      expect(results.map(({ text }) => text).sort()).toEqual(["one", "two"]);
      expect(results.filter(({ cache }) => cache.share < 0.95)).toEqual([]);

      const [first] = emulator.requests;
      const { messages: before } = bytesOf(first);
      const forks = emulator.requests.where(isAbout(pendingResultText));
      expect(forks).toHaveLength(2);
      const [one, two] = forks.map((fork) => bytesOf(fork));
      expect(JSON.stringify(one).replace(/Side (one|two)\.(?="}\]}\])/, "")).toBe(
        JSON.stringify(two).replace(/Side (one|two)\.(?="}\]}\])/, ""),
      );
      expect(JSON.stringify(one?.messages.slice(0, before.length))).toBe(JSON.stringify(before));
      const tail = one?.messages.at(-1) as {
        readonly content: readonly { readonly type: string; readonly content?: unknown }[];
      };
      expect(tail.content.map(({ type, content }) => [type, content])).toEqual([
        ["tool_result", pendingResultText],
        ["tool_result", pendingResultText],
        ["text", undefined],
      ]);

      const sent = JSON.stringify(bytesOf(emulator.requests.last));
      expect(sent).not.toContain(pendingResultText);
      expect(sent).not.toContain(missingResultText);
      const entries = await entriesOf(session);
      expect(entries.filter(({ kind }) => kind === "decision")).toEqual([]);
      expect(
        entries
          .flatMap((entry) => (entry.kind === "note" && entry.note.topic === "fork" ? entry.note.fork : []))
          .sort(),
      ).toEqual(results.map(({ id }) => id).sort());
      expect(emulator.requests.where(({ status }) => status !== 200)).toEqual([]);
    },
  );

  it("go on thinking where thinking is bound to what came before", async () => {
    const { emulator } = await emulate({
      script: ({ ordinal }) => {
        if (ordinal === 1) return [think("First."), callTool("Echo", { text: "a" })];
        if (ordinal === 3) return [think("In the fork."), callTool("Echo", { text: "b" })];
        return [think("At the end."), say("Done.")];
      },
    });
    const session = await openAgent({
      model: modelAt(emulator, "anthropic", "claude-opus-5.5"),
      tools: [echo],
      request: thinkingOn,
    });
    await collect(session.run("Go."));
    const forked = await session.fork("Go on.", { kind: "agent" });
    expect(forked.end.reason).toBe("done");
    expect([...emulator.requests].map(({ status, violations }) => [status, violations])).toEqual(
      [1, 2, 3, 4].map(() => [200, []]),
    );
    await collect(session.run("And you?"));
    expect(emulator.requests.last).toMatchObject({ status: 200, violations: [] });
    expect(JSON.stringify(bytesOf(emulator.requests.last))).toContain("First.");
  });
});
