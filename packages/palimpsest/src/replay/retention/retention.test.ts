import { describe, expect, it } from "vitest";
import { call, createRecording, result } from "../../../../../test/support/recordings.ts";
import type { RecallReader } from "../grounding/recalled-text.ts";
import { toRecalledText } from "../grounding/recalled-text.ts";
import type { ViewContent } from "../grounding/view-reader.ts";
import { normalize } from "../normalize.ts";
import { findRetentionFacts } from "./retention-facts.ts";
import { createRetentionTally } from "./retention-tally.ts";

const todo = (content: string, status: string) => ({ content, status });

/** Two lists of to-dos, a written file, an error that is mended and one that is not. */
function record() {
  const recording = createRecording();
  recording.says("<system-reminder>Contents of /p/AGENTS.md: be kind.</system-reminder>", { isMeta: true });
  recording.says("Build a shed.");
  recording.round(
    [call("t1", "TodoWrite", { todos: [todo("saw", "pending"), todo("nail", "pending")] })],
    [result("t1", "ok")],
  );
  recording.round(
    [
      call("t2", "TodoWrite", { todos: [todo("saw", "completed"), todo("nail", "pending")] }),
      call("w", "Write", { file_path: "/p/shed.ts", content: "shed" }),
    ],
    [result("t2", "ok"), result("w", "written")],
  );
  recording.round(
    [call("b1", "Bash", { command: "saw" }), call("b2", "Bash", { command: "paint" })],
    [
      { type: "tool_result", tool_use_id: "b1", content: "saw: blunt", is_error: true },
      { type: "tool_result", tool_use_id: "b2", content: "paint: none left", is_error: true },
    ],
  );
  recording.says("And make it red.");
  recording.round([call("b3", "Bash", { command: "saw" })], [result("b3", "sawn")]);
  recording.round([{ type: "text", text: "Done." }]);
  return findRetentionFacts(normalize(recording.entries, "shed"));
}

const viewOf = (keys: readonly string[], said: readonly string[] = []): ViewContent => ({
  holds: (key) => keys.includes(key),
  quotes: (text) => said.includes(text),
  says: (text) => said.includes(text),
  shows: () => true,
  hasShown: () => true,
  ends: () => false,
  isUnnamed: () => false,
  callOf: () => undefined,
});

/** Everything gives this text. */
const giving = (text: string): RecallReader => ({ read: async () => toRecalledText(text) });

describe("what should still be known", () => {
  it("is the user's own words, rules, the newest to-dos, written files and the newest unresolved error", () => {
    const last = record().at(-1);
    expect(last?.userMessages.map(({ text }) => text)).toEqual(["Build a shed.", "And make it red."]);
    expect(last?.rules.map(({ text }) => text)).toEqual([expect.stringContaining("be kind")]);
    expect(last?.plans).toEqual([{ key: expect.any(String), open: ["nail"], earlier: [expect.any(String)] }]);
    expect(last?.writtenFiles.map(({ path }) => path)).toEqual(["/p/shed.ts"]);
    expect(last?.unresolvedError?.text).toBe("paint: none left");
  });

  it("begins with what the first request had", () => {
    expect(record()[0]).toMatchObject({ userMessages: [{}], rules: [{}], plans: [], writtenFiles: [] });
    expect(record()[0]).not.toHaveProperty("unresolvedError");
  });

  it("counts what a view has, word for word, and a list of to-dos that is no longer true as stale", async () => {
    const facts = record().at(-1);
    if (!facts) throw new Error("there are requests");
    const [first] = facts.userMessages;
    const [plan] = facts.plans;
    const tally = createRetentionTally();
    await tally.see(facts, viewOf([first?.key ?? "", plan?.earlier[0] ?? ""]), giving("And make it red."));
    expect(tally.retention()).toEqual({
      userMessages: { asked: 2, kept: 1 },
      recallableUserMessages: 1,
      leastUserMessages: 0.5,
      latestUserMessage: { asked: 1, kept: 0 },
      answers: { asked: 0, kept: 0 },
      recallableAnswers: 0,
      orders: { asked: 0, kept: 0 },
      endedOrders: 0,
      rules: { asked: 1, kept: 0 },
      plans: { asked: 1, kept: 0 },
      stalePlans: 1,
      writtenFiles: { asked: 1, kept: 0 },
      unresolvedErrors: { asked: 1, kept: 0 },
    });
    const said = ["And make it red.", "nail", "/p/shed.ts", "paint: none left"];
    await tally.see(facts, viewOf([], said), giving(""));
    expect(tally.retention()).toMatchObject({
      userMessages: { asked: 4, kept: 2 },
      recallableUserMessages: 1,
      latestUserMessage: { asked: 2, kept: 1 },
      plans: { asked: 2, kept: 1 },
      stalePlans: 1,
      writtenFiles: { asked: 2, kept: 1 },
      unresolvedErrors: { asked: 2, kept: 1 },
    });
  });
});
