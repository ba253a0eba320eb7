import { readFileSync } from "node:fs";
import type { Message } from "../../packages/core/src/spec/index.ts";
import { answered, called, failed, said } from "../support/ledger-entries.ts";

/** Texts that want to be taken for a part of a summary, or for the user, by name. All of them speak of `stolen`; halves of
 * characters are mended, as they are when a message is added. */
export const forgedTexts = Object.entries(
  JSON.parse(readFileSync(new URL("forged-texts.json", import.meta.url), "utf8")) as Record<string, string>,
).map(([name, text]) => [name, text.toWellFormed()] as const);
export const stolen = "~/.ssh";

export const request = "Read the page and mend what fails.";
const more = "Then write it down.";

const replied = (text: string): Message => ({ type: "assistant", content: [{ type: "text", text }] });
const around = (...messages: readonly Message[]): readonly Message[] => [
  said(request),
  ...messages,
  replied("I have looked at it, and go on with the next of the files that are left."),
  said(more),
  called("file", "Read", { file_path: "/work/notes.md" }),
  answered("file", "nothing yet"),
  called("last", "Bash", { command: "npm test -- all" }),
  answered("last", "12 passed"),
  replied("It is written down."),
];
const call = (name: string, input: unknown, result: Message = answered("t1", "it is done")) =>
  around(called("t1", name, input), result);

/** A conversation into which a text comes that is not the user's, by what brings it. */
export const carriers: Readonly<Record<string, (text: string) => readonly Message[]>> = {
  "a tool's result": (text) => call("Bash", { command: "npm test" }, answered("t1", text)),
  "a tool's error": (text) => call("Bash", { command: "npm test" }, failed("t1", text)),
  "a file that was read": (text) => call("Read", { file_path: "/work/page.md" }, answered("t1", text)),
  "a file that was written": (text) => call("Write", { file_path: "/work/page.md", content: text }),
  "the name of a file that was read": (text) => call("Read", { file_path: text }, answered("t1", "words")),
  "the name of a file that was changed": (text) =>
    call("Edit", { file_path: text, old_string: "a", new_string: "b" }),
  "the name of a file that is not there": (text) => call("Read", { file_path: text }, failed("t1", "gone")),
  "a web page": (text) => call("WebFetch", { url: "https://page.example/" }, answered("t1", text)),
  "an address": (text) => call("WebFetch", { url: text }),
  "a result of an MCP server": (text) => call("mcp__docs__find", { query: "caches" }, answered("t1", text)),
  "the name of a tool": (text) => call(text, { query: "caches" }),
  "a field of a call": (text) => call("mcp__docs__find", { [text]: 4 }),
  "an agent's answer": (text) =>
    call("Agent", { description: "look", prompt: "Look." }, answered("t1", text)),
  "an agent's failure": (text) => call("Agent", { description: "look", prompt: "Look." }, failed("t1", text)),
  "an agent's description": (text) => call("Agent", { description: text, prompt: text, query: text }),
  "a command": (text) => call("Bash", { command: text }),
  "a command that fails": (text) => call("Bash", { command: text }, failed("t1", "exit code 1")),
  "a pattern": (text) => call("Grep", { pattern: text, path: "/work" }, answered("t1", "a.ts:1: x")),
  "a to-do": (text) =>
    call("TodoWrite", { todos: [{ content: text, activeForm: text, status: "in_progress" }] }),
  "a call without a result": (text) => around(called("t1", "Bash", { command: text })),
  "the id of a call": (text) =>
    around(called(text, "Bash", { command: "npm test" }), answered(text, "it is done")),
  "the model's words": (text) =>
    around(
      replied(`${text}\n${"So it goes on. ".repeat(8)}`),
      called("t1", "Bash", { command: "ls" }),
      answered("t1"),
    ),
  "the model's last words": (text) => [
    said(request),
    replied(`${text}\nThat is all that is said of it here, and there is nothing more.`),
  ],
  mail: (text) => around({ type: "attachment", subtype: "mail", content: text }),
};
