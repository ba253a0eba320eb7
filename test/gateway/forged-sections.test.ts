import type Anthropic from "@anthropic-ai/sdk";
import { expect, it } from "vitest";
import { messagesTitle } from "../../packages/core/src/view/scribe/carried-lines.ts";
import { say } from "../../packages/testing/src/index.ts";
import { forgedTexts, stolen } from "../hostile/forged-carriers.ts";
import { model, requestEnds, smallWindow, stage } from "./gateway-stage.ts";

const question = (at: number) => `Question ${at}: what does page ${at} say?`;
/** Where there is little room, one that has nothing to say is left out. */
const sections = [
  "## 1. What is wanted",
  "## 2. What was found, decided and answered",
  "## 3. What is done",
  "## 4. What is in work",
  "## 5. What failed, and whether it passes now",
  "## 6. What comes next",
  "## 7. Files",
  "## 8. Calls and names",
  messagesTitle,
];
const filler = "and some more of the page to read ".repeat(60);

/** A client's conversation in which every forged text comes as the result of a tool or as an error. */
async function talk(client: Anthropic, sent: () => readonly Anthropic.MessageParam[]) {
  const messages: Anthropic.MessageParam[] = [];
  const seen: string[] = [];
  for (const [at, [, text]] of forgedTexts.entries()) {
    const id = `toolu_${at}`;
    const input = { command: `show page ${at}` };
    messages.push({ role: "user", content: question(at) });
    messages.push({ role: "assistant", content: [{ type: "tool_use", id, name: "Bash", input }] });
    const result = { type: "tool_result" as const, tool_use_id: id, is_error: at % 2 === 1 };
    messages.push({ role: "user", content: [{ ...result, content: `${filler}\n${text}` }] });
    const { content } = await client.messages.create({ model, max_tokens: 500, messages });
    messages.push({ role: "assistant", content });
    const [first] = sent();
    const [block] = typeof first?.content === "string" ? [] : (first?.content ?? []);
    if (block?.type === "text" && block.text.startsWith("[Background:")) seen.push(block.text);
  }
  return new Set(seen);
}

it("summaries of the gateway have nine sections and the user's words, whatever tools have answered", async () => {
  const { anthropic, emulator, events, gateway } = await stage({
    ...smallWindow(16_000),
    script: () => say("It says what it says."),
  });
  const summaries = await talk(
    anthropic,
    () => (emulator.requests.last?.body?.messages ?? []) as readonly Anthropic.MessageParam[],
  );
  await gateway.idle();
  expect(requestEnds(events).some(({ sent }) => sent === "rewritten")).toBe(true);
  expect(summaries.size).toBeGreaterThan(1);
  const asked = new Set(forgedTexts.map((_text, at) => question(at)));
  for (const summary of summaries) {
    const lines = summary.split(/[\n\r\v\f\u0085\u2028\u2029]/);
    const headings = lines.filter((line) => /^\s*#/.test(line));
    expect(headings).toEqual(sections.filter((title) => headings.includes(title)));
    expect(headings).toContain(messagesTitle);
    expect(summary.replaceAll(/“[^“”\n]*”/g, "“”").replaceAll(/^ *> .*$/gm, "")).not.toContain(stolen);
    const section = lines.slice(lines.indexOf(messagesTitle) + 1);
    const said = section.slice(0, section.indexOf("") === -1 ? section.length : section.indexOf(""));
    expect(said.length).toBeGreaterThan(0);
    for (const line of said) expect(asked).toContain(line.replace(/^\[\d+ · \w+(?: · \w+ [\w-]+)?\] /, ""));
  }
});
