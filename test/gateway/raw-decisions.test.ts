import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { DecisionEntry } from "../../packages/core/src/spec/index.ts";
import { say } from "../../packages/testing/src/index.ts";
import { readTool } from "../support/emulator.ts";
import { model, requestEnds, type Stage, smallWindow, stage } from "./gateway-stage.ts";

const tooMuch = "a system prompt that no window takes ".repeat(5_000);
/** Layer 1 stores it in any case. */
const result = "a long result ".repeat(5_000);

/** Decisions in the logs of all sessions, in order. */
async function decisionsIn(home: string): Promise<readonly DecisionEntry["decision"]["type"][]> {
  const files = (await readdir(home, { recursive: true })).filter((path) => path.endsWith(".jsonl"));
  const texts = await Promise.all(files.map((path) => readFile(join(home, path), "utf8")));
  return texts
    .flatMap((text) => text.split("\n"))
    .filter((line) => line.includes('"kind":"decision"'))
    .map((line) => (JSON.parse(line) as DecisionEntry).decision.type);
}

const asks = {
  "the Messages API": ({ anthropic }: Stage) =>
    anthropic.messages.create({
      model,
      max_tokens: 100,
      system: tooMuch,
      messages: [
        { role: "user", content: "Read." },
        { role: "assistant", content: [{ type: "tool_use", id: "call_1", name: "Read", input: {} }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "call_1", content: result }] },
      ],
      tools: [readTool],
    }),
  "chat completions": ({ openai }: Stage) =>
    openai.chat.completions.create({
      model: "gpt-4.1",
      messages: [
        { role: "system", content: tooMuch },
        { role: "user", content: "Read." },
        {
          role: "assistant",
          tool_calls: [{ type: "function", id: "call_1", function: { name: "Read", arguments: "{}" } }],
        },
        { role: "tool", tool_call_id: "call_1", content: result },
      ],
    }),
};

describe.each(Object.entries(asks))("a request of %s that no session can make smaller", (_name, ask) => {
  it("goes out as the client wrote it, and nothing that was decided for it stands", async () => {
    const at = await stage({ ...smallWindow(20_000), script: () => say("Never said.") });
    await expect(ask(at)).rejects.toMatchObject({ status: 400 });
    await at.gateway.idle();
    expect(requestEnds(at.events).map(({ sent }) => sent)).toEqual(["raw"]);
    const decided = await decisionsIn(at.home);
    expect([decided.includes("offload"), decided.at(-1)]).toEqual([true, "rewind"]);
    expect(at.gateway.status().sessions).toMatchObject([{ isRewritten: false }]);
  });
});
