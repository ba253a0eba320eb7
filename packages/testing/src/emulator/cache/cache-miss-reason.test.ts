import { describe, expect, it } from "vitest";
import { measurePrompt } from "../request/measure-prompt.ts";
import { cacheMissReason, summarizePrompt } from "./cache-miss-reason.ts";

const text = (words: string) => ({ type: "text", text: words });
const said = (role: string, words: string) => ({
  role,
  content: [{ ...text(words), cache_control: { type: "ephemeral" } }],
});
const base = {
  model: "a",
  tools: [{ name: "Read", input_schema: { type: "object" } }],
  system: [text("be kind")],
  messages: [said("user", "one"), said("assistant", "two")],
};
const previous = summarizePrompt(measurePrompt(base));
const missed = measurePrompt(base).tokens;

describe("cacheMissReason", () => {
  it.each<[string | null, object]>([
    [null, {}],
    [null, { messages: [...base.messages, said("user", "three")] }],
    ["model_changed", { model: "b", tools: [], system: "x", messages: [] }],
    ["tools_changed", { tools: [], system: "x" }],
    ["system_changed", { system: "x", messages: [] }],
    ["messages_changed", { messages: [said("user", "uno"), said("assistant", "two")] }],
    ["messages_changed", { messages: base.messages.slice(0, 1) }],
  ])("says %s", (type, more) => {
    const reason = cacheMissReason(previous, measurePrompt({ ...base, ...more }), 0);
    expect(reason).toEqual(type && { type, cache_missed_input_tokens: missed });
  });

  it("cannot tell when something else than the prompt's parts differs", () => {
    const current = measurePrompt({ ...base, tool_choice: { type: "none" } });
    expect(cacheMissReason(previous, current, 0)).toEqual({ type: "unavailable" });
  });

  it("says when the previous message is unknown", () => {
    expect(cacheMissReason(null, measurePrompt(base), 0)).toEqual({ type: "previous_message_not_found" });
  });

  it("does not count as missed what was read all the same", () => {
    const current = measurePrompt({ ...base, system: "x" });
    expect(cacheMissReason(previous, current, missed - 7)).toMatchObject({ cache_missed_input_tokens: 7 });
  });
});
