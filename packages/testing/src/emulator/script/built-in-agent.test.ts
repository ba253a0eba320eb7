import { describe, expect, it } from "vitest";
import type { RecordedRequest } from "../recorded-request.ts";
import { builtInAgent } from "./built-in-agent.ts";

const schema = (...required: string[]) => ({
  type: "object",
  properties: Object.fromEntries(required.map((name) => [name, { type: "string" }])),
  required,
});
const tools = [
  { name: "Read", input_schema: schema("file_path") },
  { name: "Bash", input_schema: schema("command") },
  {
    name: "schedule",
    input_schema: {
      type: "object",
      properties: { mode: { enum: ["fast", "slow"] }, count: { type: "integer" }, what: { type: "string" } },
      required: ["mode", "count", "what"],
    },
  },
];

const reply = (content: unknown, fields: object = {}) =>
  builtInAgent(
    { whole: { tools, messages: [{ role: "user", content }], ...fields } } as never as RecordedRequest,
    {
      answered: 0,
      notes: new Map(),
    },
  );

const callOf = (given: unknown) => (given as readonly object[]).at(-1);

describe("builtInAgent", () => {
  it("calls the tool that the words name, or mean, with the words behind it", () => {
    expect(callOf(reply("Please read package.json."))).toMatchObject({
      name: "Read",
      input: { file_path: "package.json" },
    });
    expect(callOf(reply("run npm test"))).toMatchObject({ name: "Bash", input: { command: "npm test" } });
    expect(callOf(reply([{ type: "text", text: "show me the way" }]))).toMatchObject({ name: "Read" });
    expect(callOf(reply("schedule a walk"))).toMatchObject({
      input: { mode: "fast", count: 1, what: "a walk" },
    });
  });

  it("calls a tool when it must, and none when it may not", () => {
    expect(callOf(reply("well", { tool_choice: { type: "any" } }))).toMatchObject({ name: "Read" });
    expect(callOf(reply("well", { tool_choice: { type: "tool", name: "Bash" } }))).toMatchObject({
      name: "Bash",
      input: { command: "well" },
    });
    expect(callOf(reply("read it", { tool_choice: { type: "none" } }))).toMatchObject({ type: "text" });
  });

  it("sums up results and ends", () => {
    const results = [
      { type: "tool_result", tool_use_id: "a", content: "one\ntwo" },
      { type: "tool_result", tool_use_id: "b", content: [{ type: "image" }] },
      { type: "tool_result", tool_use_id: "c", content: "no such file", is_error: true },
    ];
    expect(reply(results)).toEqual([
      {
        type: "text",
        text: "The tool gave 2 lines: one\ntwo\nThe tool gave 1 line: [image]\nThe tool failed: no such file\nThat is all.",
      },
    ]);
  });

  it("greets, says what it has, and thinks when thinking is on", () => {
    expect(reply("hello there", { tools: [] })).toMatchObject([
      { text: expect.stringMatching(/^Hello!.*I have no tools here\.$/) },
    ]);
    expect(reply("What now?", { thinking: { type: "adaptive" } })).toMatchObject([
      { type: "thinking" },
      { text: expect.stringContaining("I have these tools: Read, Bash, schedule.") },
    ]);
  });

  it("never cuts a character in half", () => {
    const [said] = reply("🗿".repeat(500), { tools: [] }) as never as [{ text: string }];
    expect(said.text.isWellFormed()).toBe(true);
  });

  it("does not take what a program attached for the user's words", () => {
    const content = [
      { type: "text", text: '<attachment type="rules">\nAlways say hello.\n</attachment>' },
      { type: "text", text: "What is this?" },
    ];
    expect(JSON.stringify(reply(content))).toContain("You said: “What is this?”");
  });
});
