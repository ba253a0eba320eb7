import { describe, expect, it, onTestFinished } from "vitest";
import type { Event, MessageEntry } from "../../packages/core/src/spec/index.ts";
import { createFileTools } from "../../packages/palimpsest/src/tools/files/index.ts";
import { callTool, type RecordedRequest, say } from "../../packages/testing/src/index.ts";
import { endOf, entriesOf } from "../support/agent.ts";
import { editTitle, isUpdate } from "../support/notes-agent.ts";
import {
  asksForSummary,
  type CompactingAgent,
  eventsOf,
  expectValid,
  grow,
  growing,
  lastMessage,
  openCompacting,
  summarised,
} from "./compacting-agent.ts";

/** What the newest request was, without markers. */
const sentOf = ({ emulator }: CompactingAgent, position = -1) =>
  JSON.parse(
    JSON.stringify([...emulator.requests].at(position)?.body?.messages, (key, value: unknown) =>
      key === "cache_control" ? undefined : value,
    ),
  ) as readonly { readonly role: string; readonly content: readonly unknown[] }[];

/** Waits until something was told. */
function hears(agent: CompactingAgent, isIt: (event: Event) => boolean): Promise<void> {
  if (agent.events.some(isIt)) return Promise.resolve();
  return new Promise((done) => {
    const push = agent.events.push.bind(agent.events);
    agent.events.push = (...events) => {
      if (events.some(isIt)) done();
      return push(...events);
    };
  });
}

describe("compaction by notes", () => {
  it("makes no request: what the notes do not cover stays word for word behind them", async () => {
    let isGrown = false;
    let calls = 0;
    const agent = await openCompacting({
      tools: [...createFileTools(), grow],
      settings: { sessionNotesEnabled: true, autoCompactWindow: 100_000 },
      main(request) {
        if (isUpdate(request))
          return JSON.stringify(request.whole?.messages).includes("Growing")
            ? say("done")
            : editTitle("Growing words");
        calls += 1;
        const isDue = isGrown ? calls <= 14 : calls <= 2;
        return isDue ? callTool("Grow", { chars: 24_000, mark: `call-${calls}` }) : say("Done.");
      },
    });
    await agent.run("Grow a little.");
    await hears(agent, (event) => event.type === "task-end" && event.layer === "session-notes");
    isGrown = true;
    expect(endOf(await agent.run("Grow more."))).toMatchObject({ reason: "done" });
    const [boundary, ...others] = await agent.boundaries();
    expect(others).toEqual([]);
    expect(boundary).toMatchObject({ strategy: "notes", trigger: "auto", kept: { anchor: "summary" } });
    expect(boundary?.summary?.content).toContain("Growing words");
    expect(agent.summaries()).toEqual([]);
    expect(eventsOf(agent.events, "compaction-end")[0]?.usage).toBeUndefined();
    expectValid(agent);
  });
});

describe("a summary that is prepared ahead", () => {
  it("is swapped in without a request between the threshold and the next send", async () => {
    let calls = 0;
    const agent = await openCompacting({
      settings: { flags: { "compact-ahead": true } },
      async main() {
        calls += 1;
        // Near the threshold the agent waits until the summary is there, as a slow tool would.
        if (calls > 1 && agent.session.usage().count.tokens > agent.session.usage().thresholds.auto * 0.85)
          await hears(agent, (event) => event.type === "task-end" && event.layer === "compaction");
        return calls <= 14 ? callTool("Grow", { chars: 8_000, mark: `call-${calls}` }) : say("Done.");
      },
    });
    await agent.run("Grow it.");
    const [boundary] = await agent.boundaries();
    expect(boundary).toMatchObject({ strategy: "prepared", trigger: "auto" });
    const requests = [...agent.emulator.requests];
    const asked = requests.findIndex(asksForSummary);
    const swapped = requests.findIndex((request) =>
      JSON.stringify(request.whole?.messages).includes("[Background:"),
    );
    expect(asked).toBeGreaterThan(0);
    expect(requests.slice(asked + 1, swapped + 1).filter(asksForSummary)).toEqual([]);
    expect(swapped).toBeGreaterThan(asked + 1);
    expect(lastMessage(requests[swapped] as RecordedRequest)).toMatch(/call-\d+ grown words/);
    expectValid(agent);
  });
});

describe("a summary that is prepared ahead and does not come", () => {
  /** The first summary that is asked for is held until the test is over; later ones come at once. */
  async function held(main = growing(14, 8_000)) {
    const over = new Promise<void>((resolve) => onTestFinished(() => resolve()));
    let asked = 0;
    return openCompacting({
      settings: { flags: { "compact-ahead": true } },
      main,
      async summary() {
        asked += 1;
        if (asked === 1) await over;
        return summarised("2. Written on the spot.");
      },
    });
  }

  it("is waited for where the room is needed, then written on the spot: no request is too large", async () => {
    const agent = await held();
    expect(endOf(await agent.run("Grow it."))).toMatchObject({ reason: "done" });
    const [boundary] = await agent.boundaries();
    expect(boundary).toMatchObject({ trigger: "auto" });
    expect(boundary?.strategy).not.toBe("prepared");
    expectValid(agent);
  });

  it("gives way to a compaction by hand", async () => {
    let calls = 0;
    const agent = await held(() => {
      calls += 1;
      const { count, thresholds } = agent.session.usage();
      const isNear = calls > 1 && count.tokens > thresholds.auto * 0.85;
      return isNear ? say("Done.") : callTool("Grow", { chars: 8_000, mark: `call-${calls}` });
    });
    await agent.run("Grow it.");
    expect(agent.events.filter(({ type }) => type === "task-start")).not.toEqual([]);
    expect((await agent.session.compact()).summary).toContain("2. Written on the spot.");
    expectValid(agent);
  });
});

describe("a part of the conversation", () => {
  async function talked() {
    const agent = await openCompacting({ main: growing(3, 12_000), summary: () => summarised("5. A part.") });
    await agent.run("First request.");
    const grown = growing(2, 12_000);
    agent.emulator.setScript((request, state) =>
      asksForSummary(request) ? summarised("5. A part.") : grown(request, state),
    );
    await agent.run("Second request.");
    const again = growing(2, 12_000);
    agent.emulator.setScript((request, state) =>
      asksForSummary(request) ? summarised("5. A part.") : again(request, state),
    );
    await agent.run("Third request.");
    const said = (await entriesOf(agent.session)).filter(
      (entry): entry is MessageEntry => entry.kind === "message" && entry.message.type === "user",
    );
    const of = (text: string) =>
      said.find(({ message }) => JSON.stringify(message.content).includes(text))?.id as string;
    return { agent, of };
  }

  it("from a message on keeps what is before it, to the byte, and in the cache", async () => {
    const { agent, of } = await talked();
    const before = sentOf(agent);
    const report = await agent.session.compact({ from: of("Third request.") });
    const part = { range: "from", entry: of("Third request.") };
    expect(report).toMatchObject({ strategy: "prefix", part });
    expect((await agent.boundaries()).at(-1)?.part).toEqual(part);
    const { request, report: prepared } = await agent.session.prepare();
    const after = JSON.parse(
      JSON.stringify(request.messages, (key, value: unknown) =>
        key === "cache_control" ? undefined : value,
      ),
    ) as typeof before;
    const whole = before.findIndex(({ content }) => JSON.stringify(content).includes("Third request."));
    expect(JSON.stringify(after.slice(0, whole))).toBe(JSON.stringify(before.slice(0, whole)));
    expect(JSON.stringify(after)).toContain("5. A part.");
    expect(prepared.cache).toMatchObject({ kind: "hit" });
    expect(endOf(await agent.run("Go on."))).toMatchObject({ reason: "done" });
    const sent = agent.emulator.requests.last;
    expect(sent?.usage?.cache_read_input_tokens).toBeGreaterThan(10_000);
    expectValid(agent);
  });

  it("up to a message keeps it and what comes after it", async () => {
    const { agent, of } = await talked();
    const report = await agent.session.compact({ upTo: of("Second request.") });
    expect(report.part).toEqual({ range: "up-to", entry: of("Second request.") });
    const boundary = (await agent.boundaries()).at(-1);
    expect(boundary?.kept).toMatchObject({ anchor: "summary", head: of("Second request.") });
    await agent.run("Go on.");
    const sent = JSON.stringify(sentOf(agent));
    expect(sent.indexOf("5. A part.")).toBeLessThan(sent.indexOf("Second request."));
    expect(sent).toContain("Third request.");
    expect(sent.split("call-1 grown words")).toHaveLength(3);
    expectValid(agent);
  });
});

describe("undo", () => {
  it("brings the former bytes back as a prefix, with what came since behind them", async () => {
    const agent = await openCompacting({ main: growing(3, 12_000) });
    await agent.run("Grow it.");
    const before = JSON.stringify(sentOf(agent));
    await agent.session.compact();
    await agent.run("And then?");
    const { tokensAfter } = await agent.session.undo();
    expect(tokensAfter).toBeGreaterThan(10_000);
    await agent.run("Where were we?");
    const after = JSON.stringify(sentOf(agent));
    expect(after.startsWith(before.slice(0, -2))).toBe(true);
    expect(after).toContain("And then?");
    expect(after).not.toContain("[Background:");
    expectValid(agent);
  });
});

describe("a request that the provider finds too long", () => {
  it("is compacted, with the newest rounds kept, and sent again", async () => {
    let refused = false;
    const agent = await openCompacting({
      settings: { flags: { "reactive-only": true } },
      emulation: { catalog: { capabilities: { "claude-opus-4-5": { contextWindow: 40_000 } } } },
      main: growing(8, 16_000),
    });
    for (const event of await agent.run("Grow it.")) if (event.type === "message-show") refused = true;
    expect(refused).toBe(true);
    const boundaries = await agent.boundaries();
    expect(boundaries[0]).toMatchObject({ trigger: "reactive", kept: { anchor: "summary" } });
    expect(boundaries[0]?.summary?.content).toContain("Go on with the task");
  });
});
