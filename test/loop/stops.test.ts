import { describe, expect, it } from "vitest";
import type { HookFunctions, LoopEvent, Tool } from "../../packages/core/src/spec/index.ts";
import { maxStopObjections } from "../../packages/palimpsest/src/loop/follow-response.ts";
import { callTool, otherwise, type Reply, say } from "../../packages/testing/src/index.ts";
import { collect, endOf, entriesOf } from "../support/agent.ts";
import {
  asked,
  bodiesOf,
  echo,
  expectGoesOn,
  expectValid,
  messagesOf,
  providers,
  setStage,
  storyOf,
} from "./stage.ts";

/** A model that calls a tool whatever it is told. */
const restless = [otherwise(() => callTool("Echo", { text: "hi" }))];
const round: Reply = callTool("Echo", { text: "hi" }, "call_1");

describe.each(providers)("a run with %s ends", (provider) => {
  it("after as many requests as it may make", async () => {
    const stage = await setStage({ provider, script: restless, tools: [echo] });
    const events = await stage.run("Begin.", { maxTurns: 3 });
    expect(storyOf(events).slice(-2)).toEqual([
      "tool-end Echo: hi",
      "run-end max-turns: 3 requests were made, and no more are allowed.",
    ]);
    expect(endOf(events).requests).toBe(3);
    expect(asked(stage)).toHaveLength(3);
    await expectGoesOn(stage);
  });

  it("when its tokens are used up", async () => {
    const stage = await setStage({ provider, script: restless, tools: [echo] });
    const events = await stage.run("Begin.", { budget: { tokens: 500 } });
    const { reason, message, usage, requests } = endOf(events);
    const tokens = usage.input + usage.output + usage.cacheRead + usage.cacheCreation;
    expect({ reason, message }).toEqual({
      reason: "token-budget",
      message: `${tokens} of 500 tokens are used up.`,
    });
    expect(tokens).toBeGreaterThanOrEqual(500);
    expect(asked(stage)).toHaveLength(requests);
    await expectGoesOn(stage);
  });

  it("when its money is spent", async () => {
    const stage = await setStage({ provider, script: restless, tools: [echo] });
    const { reason, message, dollars, requests } = endOf(
      await stage.run("Begin.", { budget: { dollars: 0.01 } }),
    );
    expect({ reason, message }).toEqual({
      reason: "dollar-budget",
      message: `$${dollars.toFixed(4)} of $0.01 are spent.`,
    });
    expect(dollars).toBeGreaterThanOrEqual(0.01);
    expect(asked(stage)).toHaveLength(requests);
    await expectGoesOn(stage);
  });

  it("when its time has passed", async () => {
    const stage = await setStage({ provider, script: restless, tools: [slow()] });
    const events = await stage.run("Begin.", { budget: { timeMs: 2_500 } });
    expect(endOf(events)).toMatchObject({
      reason: "time-budget",
      message: "3000 of 2500 ms have passed.",
      requests: 3,
      durationMs: 3_000,
    });
    await expectGoesOn(stage);
  });

  it("with the text of its own last answer, and counts from its own beginning", async () => {
    const stage = await setStage({
      provider,
      script: [say("One."), [say("Two?"), round], say("Two.")],
      tools: [echo],
    });
    const first = endOf(await stage.run("First."));
    const second = endOf(await stage.run("Second."));
    const none = endOf(await stage.run("Third.", { maxTurns: 0 }));
    expect([first.text, second.text, none.text]).toEqual(["One.", "Two.", ""]);
    expect([first.requests, second.requests, none.requests]).toEqual([1, 2, 0]);
    expect(none).toMatchObject({ reason: "max-turns", dollars: 0 });
  });
});

/** Takes a second by the session's clock. */
const slow = (): Tool => ({
  ...echo,
  run: async (_input, { clock, signal }) => {
    await clock.sleep(1_000, signal);
    return { content: "late" };
  },
});

describe.each(providers)("a hook in a run with %s", (provider) => {
  const stageWith = (hooks: HookFunctions, script: readonly Reply[] = [round, say("Done.")]) =>
    setStage({ provider, script, hooks, tools: [echo] });

  it("refuses a prompt: nobody is asked, and nothing is kept of it", async () => {
    const stage = await stageWith({ UserPromptSubmit: [() => ({ block: "There is a key in it." })] });
    const events = await stage.run("My key is abc.");
    expect(storyOf(events)).toEqual(["run-end hook: There is a key in it."]);
    expect(asked(stage)).toEqual([]);
    expect(JSON.stringify(await entriesOf(stage.session))).not.toContain("abc");
  });

  it("refuses what is said meanwhile like every prompt", async () => {
    const stage = await stageWith({
      UserPromptSubmit: [({ prompt }) => (prompt.includes("abc") ? { block: "There is a key in it." } : {})],
    });
    const events: LoopEvent[] = [];
    for await (const event of stage.session.run("Begin.")) {
      events.push(event);
      if (event.type === "tool-start") stage.session.queue("My key is abc.");
    }
    expect(storyOf(events)).toContain("warning: There is a key in it.");
    expect(endOf(events).reason).toBe("done");
    expect(JSON.stringify(await entriesOf(stage.session))).not.toContain("abc");
  });

  it("adds to a prompt what the model should know", async () => {
    const stage = await stageWith({ UserPromptSubmit: [() => ({ context: "It is Monday." })] }, [
      say("Done."),
    ]);
    expect(storyOf(await stage.run("Begin."))[0]).toBe("notice-add hook: It is Monday.");
    expect(bodiesOf(stage)[0]).toContain("It is Monday.");
  });

  it("refuses a call, and the model hears why", async () => {
    const stage = await stageWith({ PreToolUse: [() => ({ block: "Not on Mondays." })] });
    const events = await stage.run();
    expect(storyOf(events)).toContain("tool-end Echo failed: A hook has refused this call: Not on Mondays.");
    expect(endOf(events).reason).toBe("done");
    expect(bodiesOf(stage)[1]).toContain("Not on Mondays.");
    expectValid(stage);
  });

  it("denies a call that rules would allow", async () => {
    const stage = await stageWith({ PreToolUse: [() => ({ permission: "deny", reason: "I say so." })] });
    expect(storyOf(await stage.run())).toContain(
      "tool-end Echo failed: Echo was not allowed to run: I say so.",
    );
  });

  it("changes the input of a call, within its schema", async () => {
    const stage = await stageWith(
      {
        PreToolUse: [
          ({ toolUseId }) => ({ input: toolUseId === "call_1" ? { text: "changed" } : { text: 5 } }),
        ],
      },
      [[round, callTool("Echo", { text: "hi" }, "call_2")], say("Done.")],
    );
    const story = storyOf(await stage.run());
    expect(story).toContain("tool-end Echo: changed");
    expect(story.find((line) => line.includes("a wrong one"))).toMatch(
      /^tool-end Echo failed: A hook has changed the input to a wrong one: The input of Echo is not right\./,
    );
    expectValid(stage);
  });

  it("objects to a result: the model has both", async () => {
    const stage = await stageWith({ PostToolUse: [() => ({ block: "It is not formatted." })] });
    const story = storyOf(await stage.run());
    expect(story).toContain("tool-end Echo: hi");
    expect(story).toContain("notice-add hook: A hook objects to what Echo did: It is not formatted.");
    expect(bodiesOf(stage)[1]).toContain("It is not formatted.");
    expectValid(stage);
  });

  it.each(["PreToolUse", "PostToolUse"] as const)(
    "ends the run at %s, and no further call begins",
    async (name) => {
      const write: Tool = { ...echo, name: "Change", isReadOnly: false };
      const stage = await setStage({
        provider,
        script: [[callTool("Change", { text: "a" }, "call_1"), callTool("Change", { text: "b" }, "call_2")]],
        hooks: { [name]: [() => ({ stop: "Enough." })] },
        tools: [write],
        mode: "bypass",
      });
      const events = await stage.run();
      const first = name === "PreToolUse" ? "Change failed: A hook has ended the run: Enough." : "Change: a";
      expect(
        storyOf(events).filter((line) => line.startsWith("tool-end") || line.startsWith("run-end")),
      ).toEqual([
        `tool-end ${first}`,
        "tool-end Change failed: It was not run: a hook has ended the run: Enough.",
        "run-end hook: Enough.",
      ]);
      await expectGoesOn(stage);
    },
  );

  it("keeps the run from ending, up to a bound", async () => {
    const isAgain: boolean[] = [];
    const stage = await stageWith(
      {
        Stop: [
          (input) => {
            isAgain.push(input.isAgain);
            return { block: "The tests do not pass." };
          },
        ],
      },
      Array.from({ length: maxStopObjections + 1 }, (_, at) => say(`Answer ${at}.`)),
    );
    const events = await stage.run();
    expect(storyOf(events).slice(-2)).toEqual([
      "warning: The run ends though a hook objects again: The tests do not pass.",
      "run-end done",
    ]);
    expect(endOf(events)).toMatchObject({
      text: `Answer ${maxStopObjections}.`,
      requests: maxStopObjections + 1,
    });
    expect(isAgain).toEqual([false, ...Array.from({ length: maxStopObjections }, () => true)]);
    expectValid(stage);
  });

  it("ends the run at its end", async () => {
    const stage = await stageWith({ Stop: [() => ({ stop: "Enough." })] }, [say("Done.")]);
    expect(endOf(await stage.run())).toMatchObject({ reason: "hook", message: "Enough.", text: "Done." });
  });

  it("ends the run at the session's start", async () => {
    const stage = await stageWith({ SessionStart: [() => ({ stop: "Not today." })] });
    expect(storyOf(await stage.run())).toEqual(["run-end hook: Not today."]);
    expect(await messagesOf(stage.session)).toEqual([]);
  });
});

describe.each(providers)("what is said while a run with %s works", (provider) => {
  it("is heard behind the round of tools, before the next request", async () => {
    const stage = await setStage({ provider, script: [round, say("Done.")], tools: [echo] });
    for await (const event of stage.session.run("Begin."))
      if (event.type === "tool-start") stage.session.queue("Hurry.");
    expect(bodiesOf(stage).map((body) => body.includes("Hurry."))).toEqual([false, true]);
    expect((await messagesOf(stage.session)).map(({ type }) => type)).toEqual([
      "user",
      "assistant",
      "user",
      "user",
      "assistant",
    ]);
    expectValid(stage);
    await expectGoesOn(stage);
  });

  it("goes on with the run where it would have ended", async () => {
    const stage = await setStage({ provider, script: [say("One."), say("Two."), say("Three.")] });
    const events: LoopEvent[] = [];
    for await (const event of stage.session.run("Begin.")) {
      events.push(event);
      if (event.type === "model-start" && events.length < 5) {
        stage.session.queue("And two?");
        stage.session.queue("And more?");
      }
    }
    expect(endOf(events)).toMatchObject({ reason: "done", text: "Two.", requests: 2 });
    const texts = (await messagesOf(stage.session)).map(({ content }) =>
      typeof content === "string" ? content : JSON.stringify(content),
    );
    expect(texts.slice(2, 4)).toEqual(["And two?", "And more?"]);
    await expectGoesOn(stage);
  });

  it("is heard when it comes while a hook looks at the end", async () => {
    const stage = await setStage({
      provider,
      script: [say("One."), say("Two.")],
      hooks: {
        Stop: [
          ({ text }) => {
            if (text === "One.") stage.session.queue("And two?");
            return undefined;
          },
        ],
      },
    });
    expect(endOf(await stage.run())).toMatchObject({ reason: "done", text: "Two.", requests: 2 });
  });

  it("is heard by the next run when nothing runs", async () => {
    const stage = await setStage({ provider, script: [say("Both.")] });
    stage.session.queue("Before.");
    expect(endOf(await stage.run("Now."))).toMatchObject({ requests: 1 });
    const [body = ""] = bodiesOf(stage);
    expect(body.indexOf("Before.")).toBeLessThan(body.indexOf("Now."));
    expect(body).toContain("Before.");
  });

  it("must say something", async () => {
    const stage = await setStage({ provider });
    expect(() => stage.session.queue("  ")).toThrow(
      expect.objectContaining({ code: "invalid-input", fix: "Say something." }),
    );
  });
});

describe.each(providers)("a second run with %s", (provider) => {
  it("is refused while the first goes on, which is not disturbed", async () => {
    const stage = await setStage({ provider, script: [round, say("Done."), say("Again.")], tools: [echo] });
    const events: LoopEvent[] = [];
    for await (const event of stage.session.run("Begin.")) {
      events.push(event);
      if (event.type === "tool-start")
        await expect(collect(stage.session.run("Me too."))).rejects.toMatchObject({
          code: "conflict",
          message: "Session one is running already.",
          fix: "Use “queue” for what the user says meanwhile, or wait for its end.",
        });
    }
    expect(endOf(events)).toMatchObject({ reason: "done", requests: 2 });
    expect(endOf(await stage.run("Now."))).toMatchObject({ reason: "done", text: "Again." });
    expect(JSON.stringify(await entriesOf(stage.session))).not.toContain("Me too.");
  });

  it("may begin as soon as the end of the first is heard", async () => {
    const stage = await setStage({ provider, script: [say("One."), say("Two.")] });
    for await (const event of stage.session.run("First."))
      if (event.type === "run-end")
        expect(endOf(await collect(stage.session.run("Second.")))).toMatchObject({ text: "Two." });
  });

  it("is refused once the session is closed, and so is what is said", async () => {
    const stage = await setStage({ provider, script: [say("One.")] });
    await stage.run();
    await stage.session.close();
    await expect(stage.run("Again.")).rejects.toMatchObject({ code: "closed", fix: "Open it again." });
    expect(() => stage.session.queue("Hello?")).toThrow(expect.objectContaining({ code: "closed" }));
    await expect(stage.session.fork("Sum up.", { kind: "agent" })).rejects.toMatchObject({ code: "closed" });
    expect(asked(stage)).toHaveLength(1);
  });
});
