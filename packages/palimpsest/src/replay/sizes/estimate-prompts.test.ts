import { describe, expect, it } from "vitest";
import { call, createRecording, fileText, result } from "../../../../../test/support/recordings.ts";
import type { ContentBlock, Entry, Usage } from "../../../../core/src/spec/index.ts";
import { normalize } from "../normalize.ts";
import { estimatePrompts } from "./estimate-prompts.ts";
import { estimatedTokens } from "./prompt-content.ts";

const thinking: ContentBlock = { type: "thinking", thinking: "word ".repeat(400), signature: "lost" };
const read = (id: string, name: string) => call(id, "Read", { file_path: `/src/${name}.ts` });
const estimate = (entries: readonly Entry[]) => estimatePrompts(normalize(entries, "one"));
const messagesOf = (entries: readonly Entry[]) => estimate(entries).map(({ messages }) => messages);

/** The same entries with a model, and with the prompts' sizes that were recorded, one a response. */
function as(entries: readonly Entry[], model: string, recorded: readonly number[] = []): readonly Entry[] {
  const responses: string[] = [];
  return entries.map((entry): Entry => {
    if (entry.kind !== "message" || entry.message.type !== "assistant") return entry;
    const { responseId = "", usage } = entry.message;
    if (!responses.includes(responseId)) responses.push(responseId);
    const size = recorded[responses.indexOf(responseId)];
    const changed: Usage | undefined = size && usage ? { ...usage, cacheCreation: size } : usage;
    return { ...entry, message: { ...entry.message, model, ...(changed && { usage: changed }) } };
  });
}

function recordThinking(): readonly Entry[] {
  const recording = createRecording();
  recording.says("Look.");
  recording.round([thinking, read("t1", "a")], [result("t1", "one")]);
  recording.round([{ type: "text", text: "Looked." }]);
  recording.says("Again.");
  recording.round([{ type: "text", text: "Yes." }]);
  return recording.entries;
}

describe("estimating recorded prompts", () => {
  it("leaves out thinking of earlier turns for models whose API does, and only then", () => {
    const kept = messagesOf(as(recordThinking(), "claude-opus-4-5-20251101"));
    const forgotten = messagesOf(as(recordThinking(), "claude-sonnet-4-5-20250929"));
    expect(forgotten.slice(0, 2)).toEqual(kept.slice(0, 2));
    expect((kept[2] as number) - (forgotten[2] as number)).toBeCloseTo(estimatedTokens(thinking));
  });

  it("follows results that the harness says it cleared", () => {
    const recording = createRecording();
    recording.says("Read.");
    recording.round([read("t1", "a")], [result("t1", fileText("a", 200))]);
    recording.round([read("t2", "b")], [result("t2", "short")]);
    const [before] = [messagesOf(recording.entries).at(-1) as number];
    const last = recording.entries.at(-1) as Entry;
    const clearing: Entry = {
      ...last,
      id: "clearing",
      kind: "decision",
      decision: {
        type: "clear",
        layer: "imported",
        reason: "recorded",
        frees: 0,
        basis: last.seq,
        parts: [{ toolUseId: "t1", part: "result", label: "cleared" }],
      },
    };
    recording.round([{ type: "text", text: "Done." }]);
    const entries = recording.entries.toSpliced(recording.entries.indexOf(last) + 1, 0, clearing);
    expect(messagesOf(entries).at(-1)).toBeLessThan(before);
    expect(messagesOf(recording.entries).at(-1)).toBeGreaterThan(before);
  });

  it("takes a cut inside a turn as the harness's own clearing of the oldest results over 40,000 tokens", () => {
    const recording = createRecording();
    recording.says("Read.");
    for (let at = 0; at < 8; at += 1)
      recording.round([read(`t${at}`, `f${at}`)], [result(`t${at}`, "text ".repeat(8_000))]);
    recording.round([{ type: "text", text: "Done." }]);
    const sizes = [...Array.from({ length: 8 }, (_, at) => 50_000 + at * 10_000), 60_000];
    const whole = messagesOf(recording.entries).at(-1) as number;
    const cut = estimate(as(recording.entries, "claude-opus-4-5-20251101", sizes)).at(-1);
    const oneResult = estimatedTokens(result("t", "text ".repeat(8_000)));
    expect(cut?.isUnexplained).toBe(false);
    expect(whole - (cut?.messages ?? 0)).toBeCloseTo(4 * (oneResult - 12));
  });

  it("does not explain a cut where a turn begins", () => {
    const recording = createRecording();
    recording.says("Read.");
    recording.round([read("t1", "a")], [result("t1", fileText("a", 200))]);
    recording.round([{ type: "text", text: "Done." }]);
    recording.says("Go back.");
    recording.round([{ type: "text", text: "Yes." }]);
    const entries = as(recording.entries, "claude-opus-4-5-20251101", [50_000, 60_000, 45_000]);
    expect(estimate(entries).map(({ isUnexplained }) => isUnexplained)).toEqual([false, false, true]);
  });

  it("adds the files that Claude Code brings back behind a compaction, until it is started again", () => {
    const recording = createRecording();
    recording.says("Read.");
    recording.round([read("t1", "small")], [result("t1", fileText("small", 60))]);
    recording.round([read("t2", "large")], [result("t2", fileText("large", 900))]);
    recording.compacts("Two files were read.", "claude-code");
    recording.round([{ type: "text", text: "Going on." }]);
    recording.synthetic("No response requested.");
    recording.says("More.");
    recording.round([{ type: "text", text: "Yes." }]);
    const unrecorded = estimate(recording.entries).map((one) => Math.round(one.unrecorded));
    const small = estimatedTokens({ type: "text", text: fileText("small", 60) });
    expect(unrecorded).toEqual([0, 0, Math.round(small + 2 * 60), 0]);
  });

  it("adds nothing behind compactions of other harnesses", () => {
    const recording = createRecording();
    recording.says("Read.");
    recording.round([read("t1", "small")], [result("t1", fileText("small", 60))]);
    recording.compacts("One file was read.");
    recording.round([{ type: "text", text: "Going on." }]);
    expect(estimate(recording.entries).map(({ unrecorded }) => unrecorded)).toEqual([0, 0]);
  });
});
