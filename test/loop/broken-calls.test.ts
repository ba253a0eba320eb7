import { describe, expect, it } from "vitest";
import { brokenCallRetries } from "../../packages/palimpsest/src/loop/follow-response.ts";
import { answer, callTool, type Reply, say } from "../../packages/testing/src/index.ts";
import { endOf, entriesOf } from "../support/agent.ts";
import { answersOf, asked, echo, expectGoesOn, expectValid, providers, setStage, storyOf } from "./stage.ts";

/** An input that is JSON, and no object. */
const broken: Reply = [say("Let me see."), callTool("Echo", "no object", "call_1")];
const bare: Reply = callTool("Echo", "no object", "call_1");
const long = (id: string): Reply => callTool("Echo", { text: "word ".repeat(2_000) }, id);
const request = { max_tokens: 200 };

describe.each(providers)("a call of %s that is broken", (provider) => {
  it("is not run: the model is told and asked again", async () => {
    const good = callTool("Echo", { text: "hi" }, "call_2");
    const stage = await setStage({ provider, script: [broken, good, say("Done.")], tools: [echo] });
    const events = await stage.run();
    const message = "A call of Echo had an input that is no JSON object.";
    expect(storyOf(events).filter((line) => !line.startsWith("model-start") && line !== "…")).toEqual([
      "run-start",
      "response-start",
      `response-cut malformed-response: ${message}`,
      "notice-add notice: Your last call of Echo had an input that is no JSON object, and was not run. Make the call once more.",
      "response-start",
      "response-end tool_use",
      "tool-start Echo",
      "tool-end Echo: hi",
      "response-start",
      "response-end end_turn",
      "run-end done",
    ]);
    expect(await answersOf(stage.session)).toEqual([
      "cut: Let me see.",
      "whole: tool_use Echo",
      "whole: Done.",
    ]);
    expectValid(stage);
    await expectGoesOn(stage);
  });

  it("ends the run when it stays broken", async () => {
    const script = Array.from({ length: brokenCallRetries + 1 }, () => bare);
    const stage = await setStage({ provider, script, tools: [echo] });
    const events = await stage.run();
    expect(endOf(events)).toMatchObject({
      reason: "error",
      message: "A call of Echo had an input that is no JSON object, 3 times in a row.",
      requests: 3,
    });
    expect(asked(stage)).toHaveLength(3);
    expect(await answersOf(stage.session)).toEqual([]);
    await expectGoesOn(stage);
  });

  it("that was cut at the limit is asked for again in smaller pieces, and ends the run when it stays so", async () => {
    const script = [long("call_1"), long("call_2"), long("call_3")];
    const stage = await setStage({ provider, script, tools: [echo], request });
    const events = await stage.run();
    expect(storyOf(events).filter((line) => line.startsWith("notice-add"))).toEqual(
      Array.from(
        { length: brokenCallRetries },
        () =>
          "notice-add notice: Your last call of Echo was cut at the most tokens the model may write, and was not run. Make it smaller, or split it into several calls.",
      ),
    );
    expect(endOf(events)).toMatchObject({
      reason: "max-output",
      message: "A call of Echo was cut at the most tokens the model may write, 3 times in a row.",
    });
    expect(events.some(({ type }) => type === "tool-start")).toBe(false);
    expectValid(stage);
    await expectGoesOn(stage);
  });

  it("counts in a row only", async () => {
    const good = (id: string) => callTool("Echo", { text: "hi" }, id);
    const script = [bare, bare, good("call_2"), bare, bare, good("call_3"), say("Done.")];
    const stage = await setStage({ provider, script, tools: [echo] });
    expect(endOf(await stage.run())).toMatchObject({ reason: "done", requests: 7 });
  });

  it("is paid for: the run and the log have what it cost, and the context does not", async () => {
    const stage = await setStage({ provider, script: [broken, bare, say("Done.")], tools: [echo] });
    const { usage, dollars } = endOf(await stage.run());
    const output = asked(stage).reduce((sum, one) => sum + (one.usage?.output_tokens ?? 0), 0);
    expect(usage.output).toBe(output);
    expect(dollars).toBeGreaterThan(0);
    const entries = await entriesOf(stage.session);
    const costs = entries.flatMap((entry) => {
      if (entry.kind === "message") return entry.message.usage ?? [];
      return entry.kind === "note" && entry.note.topic === "usage" ? entry.note.usage : [];
    });
    expect(costs.reduce((sum, one) => sum + one.output, 0)).toBe(output);
    const { tokens } = stage.session.usage().count;
    const last = costs.at(-1);
    expect(last && last.input + last.cacheRead + last.cacheCreation + last.output).toBe(tokens);
  });

  it("in a refused answer is not asked for again", async () => {
    const refused = answer([say("No."), callTool("Echo", "no object", "call_1")], { stopReason: "refusal" });
    const stage = await setStage({ provider, script: [refused], tools: [echo] });
    expect(endOf(await stage.run())).toMatchObject({ reason: "refusal", text: "No.", requests: 1 });
    expect(await answersOf(stage.session)).toEqual(["whole: No."]);
    await expectGoesOn(stage);
  });
});
