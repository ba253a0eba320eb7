import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import type { LoopEvent, RunOptions, Tool, ToolContext } from "../../packages/core/src/spec/index.ts";
import { callTool, createVirtualClock, fault, say } from "../../packages/testing/src/index.ts";
import { endOf } from "../support/agent.ts";
import {
  asked,
  echo,
  expectGoesOn,
  expectValid,
  messagesOf,
  providers,
  type Stage,
  type StageOptions,
  setStage,
  storyOf,
} from "./stage.ts";

const notBegun = "Interrupted by the user before it began.";
const unfinished = "Interrupted by the user before it was finished. What it did so far may have had effects.";

/** Runs, and interrupts as soon as an event is the one. */
async function interruptAt(
  { session }: Stage,
  isMoment: (event: LoopEvent, count: number) => boolean,
  options: RunOptions = {},
): Promise<readonly LoopEvent[]> {
  const interrupt = new AbortController();
  const events: LoopEvent[] = [];
  for await (const event of session.run("Begin.", { ...options, signal: interrupt.signal })) {
    events.push(event);
    if (isMoment(event, events.length)) interrupt.abort();
  }
  expect(getEventListeners(interrupt.signal, "abort")).toEqual([]);
  return events;
}

const at = (type: LoopEvent["type"]) => (event: LoopEvent) => event.type === type;

const resultsIn = (events: readonly LoopEvent[]) =>
  events.flatMap((event) => (event.type === "tool-end" ? `${event.tool}: ${event.content}` : []));

/** A tool that never comes to an end by itself. */
function createEndless(name: string, traits: Partial<Tool> & { heeds: boolean }) {
  const seen: ToolContext[] = [];
  const { heeds, ...rest } = traits;
  const tool: Tool = {
    name,
    description: "Never ends.",
    input_schema: { type: "object" },
    isReadOnly: true,
    ...rest,
    run: (_input, context) =>
      new Promise((_resolve, reject) => {
        seen.push(context);
        if (heeds) context.signal.addEventListener("abort", () => reject(new Error("stopped")));
        context.progress(`${name} works`);
      }),
  };
  return { tool, seen };
}

describe.each(providers)("a run with %s that is interrupted", (provider) => {
  const stageOf = (options: StageOptions) => setStage({ provider, mode: "bypass", ...options });

  it("before it begins asks nothing and takes nothing in", async () => {
    const stage = await stageOf({ script: [say("Never said.")] });
    const events = await stage.run("Begin.", { signal: AbortSignal.abort() });
    expect(storyOf(events)).toEqual(["run-end aborted: Interrupted."]);
    expect(endOf(events)).toMatchObject({ text: "", requests: 0, dollars: 0 });
    expect(await messagesOf(stage.session)).toEqual([]);
    expect(asked(stage)).toEqual([]);
    stage.emulator.setScript([say("Now.")]);
    expect(endOf(await stage.run("Again."))).toMatchObject({ reason: "done", text: "Now." });
    await expectGoesOn(stage);
  });

  it.each([true, false])(
    "or left at any of its events ends, with a log that goes on (left: %s)",
    async (isLeft) => {
      const looking = () => [say("I shall look that up."), callTool("Echo", { text: "looked up" }, "call_1")];
      const script = () => [looking(), say("That is what I found.")];
      const whole = await stageOf({ script: script(), tools: [echo] });
      const all = await whole.run();
      const lastAnswer = all.findLastIndex(({ type }) => type === "response-start");
      expect(lastAnswer).toBeGreaterThan(10);
      for (let moment = 1; moment < all.length; moment += 1) {
        const stage = await stageOf({ script: script(), tools: [echo] });
        if (isLeft) {
          let count = 0;
          for await (const _event of stage.session.run("Begin.")) {
            count += 1;
            if (count === moment) break;
          }
        } else {
          const events = await interruptAt(stage, (_event, count) => count === moment);
          expect(events.filter(({ type }) => type === "run-end")).toHaveLength(1);
          if (moment <= lastAnswer) expect(endOf(events)).toMatchObject({ reason: "aborted" });
          const [starts, ends] = ["tool-start", "tool-end"].map(
            (type) => events.filter((event) => event.type === type).length,
          );
          expect(starts).toBe(ends);
        }
        await stage.emulator.idle();
        const answers = (await messagesOf(stage.session)).filter(
          ({ type, isAborted }) => type === "assistant" && !isAborted,
        );
        expect(new Set(answers.map(({ content }) => JSON.stringify(content))).size).toBe(answers.length);
        await expectGoesOn(stage);
      }
    },
  );

  it("while it waits to try again does not try again", async () => {
    const clock = createVirtualClock();
    const stage = await stageOf({ script: [fault.overloaded(), say("Never said.")], clock });
    const events = await interruptAt(stage, at("retry-wait"));
    expect(storyOf(events).at(-1)).toBe("run-end aborted: Interrupted.");
    expect(asked(stage)).toHaveLength(1);
    expect(clock.sleeping).toBe(0);
    await expectGoesOn(stage);
  });

  it("stops a tool that heeds its signal", async () => {
    const clock = createVirtualClock();
    const { tool, seen } = createEndless("Heeding", { heeds: true });
    const stage = await stageOf({ script: [callTool("Heeding")], tools: [tool], clock });
    const events = await interruptAt(stage, at("tool-progress"));
    expect(resultsIn(events)).toEqual([`Heeding: ${unfinished}`]);
    expect(endOf(events).reason).toBe("aborted");
    expect(seen.map(({ signal }) => signal.aborted)).toEqual([true]);
    expect(clock.sleeping).toBe(0);
    await expectGoesOn(stage);
  });

  it("leaves a tool behind that does not heed it, and hears nothing of it any more", async () => {
    const { tool, seen } = createEndless("Deaf", { heeds: false });
    const stage = await stageOf({ script: [callTool("Deaf")], tools: [tool] });
    const interrupt = new AbortController();
    const run = stage.session.run("Begin.", { signal: interrupt.signal })[Symbol.asyncIterator]();
    const events: LoopEvent[] = [];
    for (let next = await run.next(); next.done !== true; next = await run.next()) {
      events.push(next.value);
      if (next.value.type === "tool-progress") interrupt.abort();
      if (next.value.type === "run-end") seen[0]?.progress("still there");
    }
    expect(resultsIn(events)).toEqual([`Deaf: ${unfinished}`]);
    expect(storyOf(events).at(-1)).toBe("run-end aborted: Interrupted.");
    await expectGoesOn(stage);
  });

  it("stops all calls of a round, and begins none of those that wait", async () => {
    const { tool, seen } = createEndless("Heeding", { heeds: true });
    let written = 0;
    const write: Tool = {
      name: "Change",
      description: "Changes something.",
      input_schema: { type: "object" },
      run: async () => {
        written += 1;
        return { content: "changed" };
      },
    };
    const calls = [callTool("Heeding"), callTool("Heeding"), callTool("Heeding"), callTool("Change")];
    const clock = createVirtualClock();
    const stage = await stageOf({ script: [calls], tools: [tool, write], clock });
    const events = await interruptAt(stage, () => seen.length === 3);
    expect(resultsIn(events)).toEqual([
      `Heeding: ${unfinished}`,
      `Heeding: ${unfinished}`,
      `Heeding: ${unfinished}`,
      `Change: ${notBegun}`,
    ]);
    expect(written).toBe(0);
    expect(clock.sleeping).toBe(0);
    await expectGoesOn(stage);
  });

  it("while the person is asked does not wait for the answer, and runs nothing", async () => {
    const { tool, seen } = createEndless("Heeding", { heeds: true, isReadOnly: false });
    const stage = await stageOf({ script: [callTool("Heeding")], tools: [tool], mode: "ask" });
    const events = await interruptAt(stage, at("permission-ask"), {
      onPermission: () => new Promise(() => {}),
    });
    expect(resultsIn(events)).toEqual([`Heeding: ${notBegun}`]);
    expect(seen).toEqual([]);
    expect(endOf(events).reason).toBe("aborted");
    await expectGoesOn(stage);
  });

  it("keeps what the user has said meanwhile, and says it before the next prompt", async () => {
    const { tool } = createEndless("Heeding", { heeds: true });
    const stage = await stageOf({ script: [callTool("Heeding")], tools: [tool] });
    const events = await interruptAt(stage, (event) => {
      if (event.type === "tool-progress") stage.session.queue("Use the other file.");
      return event.type === "tool-progress";
    });
    expect(endOf(events).reason).toBe("aborted");
    stage.emulator.setScript([say("The other one, then.")]);
    expect(endOf(await stage.run("Go on."))).toMatchObject({ reason: "done", requests: 1 });
    const last = JSON.stringify(asked(stage).at(-1)?.body);
    expect(last.indexOf("Use the other file.")).toBeGreaterThan(last.indexOf("Interrupted"));
    expect(last.indexOf("Go on.")).toBeGreaterThan(last.indexOf("Use the other file."));
    expectValid(stage);
    await expectGoesOn(stage);
  });

  it("by the end of its session ends before that does", async () => {
    const { tool, seen } = createEndless("Heeding", { heeds: true });
    const stage = await stageOf({ script: [callTool("Heeding")], tools: [tool] });
    const events: LoopEvent[] = [];
    let closing: Promise<void> | undefined;
    for await (const event of stage.session.run("Begin.")) {
      events.push(event);
      if (event.type === "tool-progress") closing = stage.session.close();
    }
    await closing;
    expect(resultsIn(events)).toEqual([`Heeding: ${unfinished}`]);
    expect(endOf(events).reason).toBe("aborted");
    expect(seen[0]?.signal.aborted).toBe(true);
    await stage.resume();
    await expectGoesOn(stage);
  });

  it("leaves nothing behind in a signal that lives on", async () => {
    const { signal } = new AbortController();
    const script = Array.from({ length: 5 }, () => [
      callTool("Echo", { text: "hi" }),
      fault.overloaded(),
      say("Done."),
    ]).flat();
    const stage = await stageOf({ script, tools: [echo] });
    for (let run = 0; run < 5; run += 1) {
      for await (const _event of stage.session.run("Begin.", { signal }))
        expect(getEventListeners(signal, "abort").length).toBeLessThan(2);
      expect(getEventListeners(signal, "abort")).toEqual([]);
    }
  });

  it("leaves nothing behind in its own signal, however many requests and calls it makes", async () => {
    const counts: number[] = [];
    const counting: Tool = {
      ...echo,
      run: async (_input, { signal }) => {
        counts.push(getEventListeners(signal, "abort").length);
        return { content: "counted" };
      },
    };
    const call = () => callTool("Echo", { text: "hi" });
    const stage = await stageOf({
      script: [...Array.from({ length: 20 }, call), say("Done.")],
      tools: [counting],
      hooks: { PreToolUse: [() => undefined] },
    });
    await stage.run();
    expect(new Set(counts).size).toBe(1);
  });
});

describe.each(providers)("beside a run with %s", (provider) => {
  /** A server that answers a fork when it is told to. */
  async function stageWithFork() {
    let release: () => void = () => {};
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    const stage = await setStage({
      provider,
      tools: [echo],
      script: async ({ body }) => {
        const sent = JSON.stringify(body);
        if (sent.includes("Look aside.")) await isReleased;
        if (sent.includes("Look aside.")) return say("Seen.");
        return sent.includes("call_1") ? say("Done.") : callTool("Echo", { text: "hi" }, "call_1");
      },
    });
    return { stage, release };
  }

  it("a fork goes on when the run has come to its end", async () => {
    const { stage, release } = await stageWithFork();
    let forked: ReturnType<typeof stage.session.fork> | undefined;
    for await (const event of stage.session.run("Begin."))
      if (event.type === "tool-start") forked ??= stage.session.fork("Look aside.", { kind: "agent" });
    release();
    expect(await forked).toMatchObject({ text: "Seen.", end: { reason: "done" } });
  });

  it("a fork ends with a run that is interrupted", async () => {
    const { stage } = await stageWithFork();
    const interrupt = new AbortController();
    let forked: ReturnType<typeof stage.session.fork> | undefined;
    for await (const event of stage.session.run("Begin.", { signal: interrupt.signal }))
      if (event.type === "tool-start") {
        forked ??= stage.session.fork("Look aside.", { kind: "agent" });
        forked.catch(() => undefined);
        interrupt.abort();
      }
    await expect(forked).rejects.toMatchObject({ code: "aborted" });
  });
});

describe("a hook that a run is interrupted in", () => {
  /** Says what it was asked and never answers. */
  function hanging() {
    let reached: () => void = () => {};
    const isReached = new Promise<void>((resolve) => {
      reached = resolve;
    });
    return {
      isReached,
      hook: () => {
        reached();
        return new Promise<undefined>(() => {});
      },
    };
  }

  async function interruptIn(stage: Stage, isReached: Promise<void>) {
    const interrupt = new AbortController();
    void isReached.then(() => interrupt.abort());
    const events = await stage.run("Begin.", { signal: interrupt.signal });
    expect(endOf(events)).toMatchObject({ reason: "aborted" });
    return events;
  }

  const clock = () => createVirtualClock();
  const script = () => [callTool("Echo", { text: "hi" }), say("Done.")];

  it("has not let the prompt through", async () => {
    const { hook, isReached } = hanging();
    const moments: string[] = [];
    const take = async ({ kind }: { readonly kind: string }) => {
      moments.push(kind);
      return [];
    };
    const stage = await setStage({
      hooks: { UserPromptSubmit: [hook] },
      notices: [{ name: "test", take }],
      clock: clock(),
    });
    await interruptIn(stage, isReached);
    expect(moments).toEqual(["session-start"]);
    expect(await messagesOf(stage.session)).toEqual([]);
    expect(asked(stage)).toEqual([]);
  });

  it("has not let through what was said meanwhile: it goes on waiting", async () => {
    const { hook, isReached } = hanging();
    let isHanging = true;
    const stage = await setStage({
      script: [...script(), say("Heard.")],
      tools: [echo],
      hooks: {
        UserPromptSubmit: [({ prompt }) => (isHanging && prompt === "Hurry." ? hook() : undefined)],
        PreToolUse: [
          () => {
            stage.session.queue("Hurry.");
            return undefined;
          },
        ],
      },
      clock: clock(),
    });
    await interruptIn(stage, isReached);
    expect(JSON.stringify(await messagesOf(stage.session))).not.toContain("Hurry.");
    isHanging = false;
    stage.emulator.setScript([say("Heard.")]);
    expect(endOf(await stage.run("Again."))).toMatchObject({ reason: "done", text: "Heard." });
    const words = (await messagesOf(stage.session)).flatMap(({ content }) =>
      typeof content === "string" ? content : [],
    );
    expect(words).toEqual(["Begin.", "Hurry.", "Again."]);
  });

  it("at the session's start is asked again by the next run", async () => {
    const { hook, isReached } = hanging();
    const sources: string[] = [];
    const stage = await setStage({
      script: [say("Done.")],
      hooks: {
        SessionStart: [
          ({ source }) => {
            sources.push(source);
            return sources.length === 1 ? hook() : { context: "It is Monday." };
          },
        ],
      },
      clock: clock(),
    });
    await interruptIn(stage, isReached);
    expect(endOf(await stage.run("Again."))).toMatchObject({ reason: "done" });
    expect(sources).toEqual(["startup", "startup"]);
    expect(JSON.stringify(asked(stage)[0]?.body)).toContain("It is Monday.");
  });

  it("has not let the call through", async () => {
    const { hook, isReached } = hanging();
    const stage = await setStage({
      script: script(),
      tools: [echo],
      hooks: { PreToolUse: [hook] },
      clock: clock(),
    });
    const events = await interruptIn(stage, isReached);
    expect(resultsIn(events)).toEqual([`Echo: ${notBegun}`]);
  });

  it("behind a call takes nothing away from its result", async () => {
    const { hook, isReached } = hanging();
    const stage = await setStage({
      script: script(),
      tools: [echo],
      hooks: { PostToolUse: [hook] },
      clock: clock(),
    });
    const events = await interruptIn(stage, isReached);
    expect(resultsIn(events)).toEqual(["Echo: hi"]);
    expect(asked(stage)).toHaveLength(1);
  });

  it("at the end leaves the answer, and the run is interrupted", async () => {
    const { hook, isReached } = hanging();
    const stage = await setStage({ script: [say("Done.")], hooks: { Stop: [hook] }, clock: clock() });
    const events = await interruptIn(stage, isReached);
    expect(endOf(events)).toMatchObject({ text: "Done.", requests: 1 });
  });
});
