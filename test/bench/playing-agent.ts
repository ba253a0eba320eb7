import { type AnswerBlock, callTool, say } from "../../packages/testing/src/index.ts";

interface Said {
  readonly role: string;
  readonly content: unknown;
}

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly content?: unknown;
}

/**
 * Plays the model of the live bench: it does what the prompt asks with the tools, and knows only what the request shows.
 * Whatever else it is asked (notes, summaries) it has nothing to say to.
 */
export function playAgent(request: { readonly whole?: unknown }): AnswerBlock {
  const { messages = [] } = (request.whole ?? {}) as { readonly messages?: readonly Said[] };
  const at = messages.findLastIndex((message) => message.role === "user" && !isResults(message));
  const prompt = lastPrompt(textOf(messages[at]));
  const round = messages.slice(at + 1).filter(({ role }) => role === "assistant").length;
  return answer(prompt, round, messages.map(textOf).join("\n"), messages.at(-1));
}

const prompts =
  /Before we begin, [\s\S]*?"noted"|Read src\/\S+ whole|The offset that total\(\) adds in \S+ is wrong|What is the name of the release\?|src\/\S+ has been changed since|Which offset did I give you for \S+\?/g;

/** The newest of the bench's prompts: behind a compaction all of them stand in one message. */
function lastPrompt(text: string): string {
  return text.match(prompts)?.at(-1) ?? "";
}

function answer(prompt: string, round: number, seen: string, last: Said | undefined): AnswerBlock {
  const path = /Read (src\/\S+\.mjs) whole/.exec(prompt)?.[1];
  if (prompt.startsWith("Before we begin")) return say("noted");
  if (path) return round === 0 ? callTool("Read", { file_path: path }) : say(limitIn(textOf(last)));
  const edited = /adds in (src\/(\S+)\.mjs) is wrong/.exec(prompt);
  if (edited) return edit(edited[1] ?? "", edited[2] ?? "", round, seen, last);
  if (prompt.includes("name of the release")) return say(/release is called ([\w-]+)/.exec(seen)?.[1] ?? "?");
  const changed = /src\/(\S+)\.mjs has been changed since/.exec(prompt)?.[1];
  if (changed) return say(new RegExp(`${changed}: made[\\s\\S]*?limit = (\\d+);`).exec(seen)?.[1] ?? "?");
  const asked = /did I give you for (\S+)\?/.exec(prompt)?.[1];
  return say(asked ? offsetOf(asked, seen) : "Nothing to add.");
}

/** Reads, replaces the offset, runs the check, and says what it printed. */
function edit(path: string, name: string, round: number, seen: string, last: Said | undefined): AnswerBlock {
  if (round === 0) return callTool("Read", { file_path: path });
  const wrong = /, 0\) \+ (\d+);/.exec(textOf(last))?.[1];
  if (round === 1)
    return callTool("Edit", {
      file_path: path,
      old_string: `, 0) + ${wrong};`,
      new_string: `, 0) + ${offsetOf(name, seen)};`,
    });
  return round === 2 ? callTool("Bash", { command: `node check.mjs ${name}` }) : say(textOf(last).trim());
}

function offsetOf(name: string, seen: string): string {
  return new RegExp(`- ${name}: (\\d+)`).exec(seen)?.[1] ?? "0";
}

function limitIn(text: string): string {
  return /limit = (\d+);/.exec(text)?.[1] ?? "?";
}

function isResults({ content }: Said): boolean {
  return Array.isArray(content) && content.some(({ type }: Block) => type === "tool_result");
}

function textOf(said: Said | undefined): string {
  return flatten(said?.content);
}

function flatten(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map(({ text, content: inner }: Block) => text ?? flatten(inner)).join("\n");
}
