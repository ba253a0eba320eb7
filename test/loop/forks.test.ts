import { describe, expect, it } from "vitest";
import type { Event, ForkOptions, Session, Tool } from "../../packages/core/src/spec/index.ts";
import {
  type AnswerBlock,
  callTool,
  createVirtualClock,
  createVirtualDisk,
  type Emulator,
  fault,
  type RecordedRequest,
  say,
} from "../../packages/testing/src/index.ts";
import { collect, endOf, entriesOf, modelAt, openAgent } from "../support/agent.ts";
import { emulate } from "../support/emulator.ts";
import { withoutControl } from "../support/session-messages.ts";
import { createVirtualStore, logPath } from "../support/virtual-store.ts";
import { bytesOf, echo, gate, keep, lastOf } from "./fork-support.ts";

const nothing = { input: 0, output: 0, cacheRead: 0, cacheCreation: 0 };

/** A session whose parent says a word, and whose forks answer as they are told, one answer after the other. */
async function begin(
  answers: readonly (AnswerBlock | ReturnType<typeof fault.stall>)[],
  options: Partial<Parameters<typeof openAgent>[0]> = {},
) {
  const left = [...answers];
  let isForking = false;
  const { emulator } = await emulate({
    script: () => (isForking ? (left.shift() ?? say("Done.")) : say("Understood.")),
  });
  const disk = createVirtualDisk();
  const events: Event[] = [];
  const session = await openAgent({
    model: modelAt(emulator),
    store: createVirtualStore({ disk }),
    clock: createVirtualClock(),
    tools: [echo, keep],
    onEvent: (event) => events.push(event),
    ...options,
  });
  await collect(session.run("Hello."));
  isForking = true;
  const log = () => Buffer.from(disk.readWhole(logPath("one"))).toString("utf8");
  return { emulator, session, events, log };
}

/** The results that a request brings back to the model. */
function resultsIn(request: RecordedRequest | undefined): readonly unknown[] {
  const last = bytesOf(request).messages.at(-1) as { readonly content: readonly { readonly type: string }[] };
  return last.content.filter(({ type }) => type === "tool_result");
}

const untilAsked = (emulator: Emulator, text: string) =>
  new Promise<void>((resolve) => {
    const look = () =>
      emulator.requests.where((request) => lastOf(request).includes(text)).length > 0
        ? resolve()
        : setImmediate(look);
    look();
  });

describe("the tools of a fork", () => {
  const both = [callTool("Keep", { text: "a" }, "t1"), callTool("Echo", { text: "b" }, "t2")];

  it.each<[string, Partial<ForkOptions>, readonly (readonly [string, boolean | undefined])[]]>([
    [
      "are those that only read",
      {},
      [
        ["Keep may not be used here. Use: Echo.", true],
        ["b", undefined],
      ],
    ],
    [
      "are those it is given",
      { tools: ["Keep"] },
      [
        ["kept", undefined],
        ["Echo may not be used here. Use: Keep.", true],
      ],
    ],
    [
      "may be none",
      { tools: [] },
      [
        ["Keep may not be used here. Use: no tools; answer with text.", true],
        ["Echo may not be used here. Use: no tools; answer with text.", true],
      ],
    ],
  ])("%s; all stay defined", async (_, options, expected) => {
    const { emulator, session } = await begin([], { permissions: { allow: ["Keep"] } });
    emulator.setScript([both, say("Done.")]);
    const forked = await session.fork("Try both.", { kind: "agent", ...options });
    expect(forked).toMatchObject({ end: { reason: "done" }, text: "Done.", requests: 2 });
    const [parent] = emulator.requests;
    expect(JSON.stringify(bytesOf(emulator.requests.last).tools)).toBe(JSON.stringify(bytesOf(parent).tools));
    const results = resultsIn(emulator.requests.last) as readonly { content: unknown; is_error?: boolean }[];
    expect(results.map(({ content, is_error: isError }) => [content, isError])).toEqual(expected);
  });

  it("need a rule like the parent's where they change something", async () => {
    const { emulator, session } = await begin([callTool("Keep", { text: "a" })]);
    await session.fork("Try it.", { kind: "agent", tools: ["Keep"] });
    expect(JSON.stringify(resultsIn(emulator.requests.last))).toContain("Keep was not allowed to run");
  });

  it("obey the mode that the run is in", async () => {
    const split: Tool = {
      ...echo,
      name: "Split",
      run: async () => ({
        content: (await session.fork("Try it.", { kind: "agent", tools: ["Keep"] })).text,
      }),
    };
    const { emulator } = await emulate({
      script: [callTool("Split", { text: "" }), callTool("Keep", { text: "a" }), say("Done."), say("Done.")],
    });
    const session: Session = await openAgent({ model: modelAt(emulator), tools: [split, keep] });
    await collect(session.run("Plan it.", { mode: "plan" }));
    expect(JSON.stringify(resultsIn(emulator.requests.get(3)))).toMatch(
      /Keep was not allowed to run: .*plan/i,
    );
  });
});

describe("a fork", () => {
  it("leaves a note in the parent's log, and nothing else", async () => {
    const { session, events, log } = await begin([callTool("Echo", { text: "b" }), say("Done.")]);
    const before = log();
    const { count } = session.usage();
    const { request } = await session.prepare();
    const forked = await session.fork("Try it.", { kind: "memory" });
    const added = log().slice(before.length).trim().split("\n");
    expect(log().startsWith(before)).toBe(true);
    expect(added.map((line) => JSON.parse(line).note)).toEqual([
      {
        topic: "fork",
        fork: forked.id,
        forkKind: "memory",
        usage: forked.usage,
        dollars: forked.dollars,
      },
    ]);
    expect(session.usage().count).toEqual(count);
    expect(withoutControl((await session.prepare()).request)).toEqual(withoutControl(request));
    const agent = { session: "one", agent: forked.id, kind: "memory" };
    expect(events.filter(({ type }) => type.startsWith("agent-"))).toEqual([
      { type: "agent-start", at: expect.any(String), ...agent },
      {
        type: "agent-end",
        at: expect.any(String),
        ...agent,
        reason: "done",
        usage: forked.usage,
        dollars: forked.dollars,
      },
    ]);
    expect(forked.id).toMatch(/^one\/fork/);
  });

  it("costs what its requests cost together", async () => {
    const { emulator, session } = await begin([callTool("Echo", { text: "b" }), say("Done.")]);
    const forked = await session.fork("Try it.", { kind: "notes" });
    const sums = { ...nothing };
    for (const { usage } of [...emulator.requests].slice(1)) {
      sums.input += usage?.input_tokens ?? 0;
      sums.output += usage?.output_tokens ?? 0;
      sums.cacheRead += usage?.cache_read_input_tokens ?? 0;
      sums.cacheCreation += usage?.cache_creation_input_tokens ?? 0;
    }
    expect(forked).toMatchObject({ usage: sums, requests: 2, text: "Done.", end: { usage: sums } });
    expect(forked.dollars).toBeGreaterThan(0);
    expect(forked.content).toMatchObject([{ type: "text", text: "Done." }]);
  });

  it("cannot fork again", async () => {
    const refused: unknown[] = [];
    const split: Tool = {
      ...echo,
      name: "Split",
      run: async (_, { session }) => {
        await (session as Session).fork("Deeper.", { kind: "agent" }).catch((cause) => refused.push(cause));
        return { content: "tried" };
      },
    };
    const { session } = await begin([callTool("Split", { text: "" })], { tools: [split] });
    const forked = await session.fork("Try it.", { kind: "agent" });
    expect(refused).toEqual([
      expect.objectContaining({
        code: "denied",
        path: forked.id,
        message: `${forked.id} is a fork, and a fork cannot fork again.`,
      }),
    ]);
  });

  it.each([
    ["", "notes", "directive"],
    ["  \n", "notes", "directive"],
    ["Go.", "other", "kind"],
  ])("is refused where it makes no sense: %j as %s", async (directive, kind, path) => {
    const { session, log } = await begin([]);
    const before = log();
    const refused = session.fork(directive, { kind: kind as "notes" });
    await expect(refused).rejects.toMatchObject({ code: "invalid-input", path });
    expect(log()).toBe(before);
  });

  it("is refused by a session that is only read", async () => {
    const { emulator } = await emulate({ script: () => say("Done.") });
    const store = createVirtualStore();
    const session = await openAgent({ model: modelAt(emulator), store });
    await collect(session.run("Hello."));
    const reader = await openAgent({ model: modelAt(emulator), store, readOnly: true });
    await expect(reader.fork("Go.", { kind: "notes" })).rejects.toMatchObject({ code: "read-only" });
  });
});

describe("a session that is closed", () => {
  it("does not fork", async () => {
    const { session } = await begin([]);
    await session.close();
    await expect(session.fork("Go.", { kind: "notes" })).rejects.toMatchObject({ code: "closed" });
  });
});

describe("a fork ends", () => {
  const calls = Array.from({ length: 60 }, (_, index) => callTool("Echo", { text: `${index}` }));

  it.each<[string, ForkOptions, number]>([
    ["max-turns", { kind: "agent", turns: 2 }, 2],
    ["max-turns", { kind: "notes" }, 5],
    ["max-turns", { kind: "compaction" }, 1],
    ["max-turns", { kind: "agent" }, 50],
    ["token-budget", { kind: "agent", budget: { tokens: 1 } }, 1],
    ["dollar-budget", { kind: "agent", budget: { dollars: 0.000_001 } }, 1],
  ])("with %s for %j", async (reason, options, requests) => {
    const { session } = await begin(calls);
    const { end } = await session.fork("Go on and on.", options);
    expect(end).toMatchObject({ reason, requests, message: expect.any(String) });
    expect(endOf(await collect(session.run("And you?"))).reason).toBe("done");
  });

  it("with time-budget once its time has passed", async () => {
    const clock = createVirtualClock();
    const slow: Tool = {
      ...echo,
      run: async () => {
        await clock.advance(600);
        return { content: "slow" };
      },
    };
    const { session } = await begin(calls, { clock, tools: [slow] });
    const { end } = await session.fork("Go on and on.", { kind: "agent", budget: { timeMs: 1_000 } });
    expect(end).toMatchObject({ reason: "time-budget", requests: 2, durationMs: 1_200 });
  });

  it("with its own abort, and the parent goes on", async () => {
    const { emulator, session } = await begin([fault.stall()]);
    const aborted = new AbortController();
    const forking = session.fork("Wait.", { kind: "agent", signal: aborted.signal });
    await untilAsked(emulator, "Wait.");
    const running = collect(session.run("Go on."));
    aborted.abort();
    expect((await forking).end).toMatchObject({ reason: "aborted", usage: nothing });
    expect(endOf(await running).reason).toBe("done");
    await expect(session.fork("Again.", { kind: "agent", signal: aborted.signal })).rejects.toMatchObject({
      code: "aborted",
    });
  });

  it("when its parent is closed, which waits for it", async () => {
    const { emulator, session, log } = await begin([fault.stall(), fault.stall()]);
    const forking = Promise.all(["Wait.", "Wait too."].map((one) => session.fork(one, { kind: "agent" })));
    await untilAsked(emulator, "Wait.");
    await untilAsked(emulator, "Wait too.");
    await session.close();
    const forked = await forking;
    expect(forked.map(({ end }) => end.reason)).toEqual(["aborted", "aborted"]);
    for (const { id } of forked) expect(log()).toContain(`"fork":"${id}"`);
  });

  it("when the run that it was begun in is aborted", async () => {
    const aborted = new AbortController();
    const ends: unknown[] = [];
    const split: Tool = {
      ...echo,
      name: "Split",
      run: async () => {
        const { end } = await session.fork("Wait.", { kind: "agent" });
        ends.push(end.reason);
        return { content: "over" };
      },
    };
    const { emulator } = await emulate({
      script: (request) =>
        lastOf(request).includes("Wait.") ? fault.stall() : callTool("Split", { text: "" }),
    });
    const session: Session = await openAgent({ model: modelAt(emulator), tools: [split] });
    const running = collect(session.run("Go.", { signal: aborted.signal }));
    await untilAsked(emulator, "Wait.");
    aborted.abort();
    expect(endOf(await running).reason).toBe("aborted");
    expect(ends).toEqual(["aborted"]);
  });

  it("not when the run that it was begun in ends by itself", async () => {
    const asked = gate();
    let forking: ReturnType<Session["fork"]> | undefined;
    const start: Tool = {
      ...echo,
      name: "Start",
      run: async () => {
        forking = session.fork("Take your time.", { kind: "agent" });
        return { content: "begun" };
      },
    };
    const { emulator } = await emulate({
      script: async (request) => {
        if (!lastOf(request).includes("Take your time."))
          return request.ordinal === 1 ? callTool("Start", { text: "" }) : say("Begun.");
        await asked.opened;
        return say("Here it is.");
      },
    });
    const session: Session = await openAgent({ model: modelAt(emulator), tools: [start] });
    expect(endOf(await collect(session.run("Go."))).text).toBe("Begun.");
    asked.open();
    expect(await forking).toMatchObject({ end: { reason: "done" }, text: "Here it is." });
  });
});

describe("forks and their parent at once", () => {
  it("see nothing of each other, while the parent goes on, rewinds and is answered", async () => {
    const asked = gate();
    const { emulator } = await emulate({
      script: async (request) => {
        const last = lastOf(request);
        const side = /Side (\w+)\./.exec(last)?.[1];
        if (side === undefined) return last.includes("echo of") ? say("Side seen.") : say("Understood.");
        await asked.opened;
        return callTool("Echo", { text: `echo of ${side}` });
      },
    });
    const session = await openAgent({ model: modelAt(emulator), tools: [echo] });
    await collect(session.run("First."));
    await collect(session.run("Second."));
    const forking = ["one", "two"].map((side) => session.fork(`Side ${side}.`, { kind: "agent" }));
    await untilAsked(emulator, "Side one.");
    await untilAsked(emulator, "Side two.");
    const [first] = (await entriesOf(session)).filter(({ kind }) => kind === "message");
    await session.rewind(first?.id ?? "");
    await collect(session.run("Third."));
    asked.open();
    const forks = await Promise.all(forking);
    await collect(session.run("Fourth."));
    expect(forks.map(({ end, text }) => [end.reason, text])).toEqual([
      ["done", "Side seen."],
      ["done", "Side seen."],
    ]);
    const sent = (side: string) =>
      JSON.stringify(
        bytesOf(emulator.requests.where((request) => lastOf(request).includes(`echo of ${side}`))[0]),
      );
    for (const [own, other] of [
      ["one", "two"],
      ["two", "one"],
    ]) {
      expect(sent(own as string)).toContain("Second.");
      expect(sent(own as string)).not.toContain("Third.");
      expect(sent(own as string)).not.toContain(`Side ${other}.`);
    }
    const parent = JSON.stringify(bytesOf(emulator.requests.last));
    expect(parent).toContain("Third.");
    for (const text of ["Second.", "Side", "echo of"]) expect(parent).not.toContain(text);
  });
});
