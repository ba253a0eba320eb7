import type { RecordedRequest } from "../recorded-request.ts";
import { type AnswerBlock, callTool, say, think } from "./answer.ts";
import type { ScriptFunction } from "./script.ts";

interface WireTool {
  readonly name: string;
  readonly input_schema?: {
    readonly properties?: Readonly<
      Record<string, { readonly type?: string; readonly enum?: readonly unknown[] }>
    >;
    readonly required?: readonly string[];
  };
}

interface WireBlock {
  readonly type: string;
  readonly text?: string;
  readonly content?: unknown;
  readonly is_error?: boolean;
}

const shownLength = 200;

/** Words that name a tool without its name: the first tool that has one of these in its name is meant. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  read: ["read", "view", "cat", "open"],
  show: ["read", "view", "cat", "open"],
  open: ["read", "view", "open"],
  run: ["bash", "shell", "exec", "run"],
  execute: ["bash", "shell", "exec", "run"],
  search: ["grep", "search", "find"],
  find: ["glob", "find", "grep", "search"],
  list: ["glob", "list", "ls"],
  write: ["write", "create"],
  edit: ["edit", "replace"],
  fetch: ["fetch", "http", "web"],
};

/** Texts that programs put beside the user's words, wrapped in a tag that says so. */
const attached = /^<(attachment|system-reminder)\b[\s\S]*<\/\1>\s*$/;

/**
 * A small agent for trying things by hand, the same for the same request: greets, calls a tool that the user's words
 * name, sums up what tools gave back, thinks when thinking is on. Never calls two tools in a row.
 */
export const builtInAgent: ScriptFunction = (request) => {
  const blocks = lastBlocks(request);
  const results = blocks.filter(({ type }) => type === "tool_result");
  const words = blocks
    .flatMap(({ type, text }) => (type === "text" && text !== undefined ? [text] : []))
    .filter((text) => !attached.test(text))
    .join("\n")
    .trim();
  if (results.length > 0) return withThought(request, "The tools have answered.", [say(sumUp(results))]);
  const tool = findTool(request, words);
  if (tool === undefined) return withThought(request, "No tool is needed.", [say(smallTalk(request, words))]);
  const [named, rest] = tool;
  const calling = [say(`I will use ${named.name}.`), callTool(named.name, inputFor(named, rest))];
  return withThought(request, `The words name the tool ${named.name}.`, calling);
};

function withThought({ whole }: RecordedRequest, thought: string, blocks: readonly AnswerBlock[]) {
  const { type } = (whole?.thinking ?? {}) as { readonly type?: unknown };
  return type === "enabled" || type === "adaptive" ? [think(thought), ...blocks] : blocks;
}

/** The blocks of the newest message of the user. */
function lastBlocks({ whole }: RecordedRequest): readonly WireBlock[] {
  const messages = (whole?.messages ?? []) as readonly { readonly role: string; readonly content: unknown }[];
  return toWireBlocks(messages.findLast(({ role }) => role === "user")?.content);
}

function toWireBlocks(content: unknown): readonly WireBlock[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? (content as readonly WireBlock[]) : [];
}

/** The tool the words name, and the words behind that name. */
function findTool({ whole }: RecordedRequest, words: string): readonly [WireTool, string] | undefined {
  const { tools = [], tool_choice: choice } = (whole ?? {}) as {
    readonly tools?: readonly WireTool[];
    readonly tool_choice?: { readonly type?: string; readonly name?: string };
  };
  if (choice?.type === "none") return undefined;
  const callable = tools.filter(({ name }) => typeof name === "string");
  const list = words.split(/\s+/).filter((word) => word !== "");
  for (const [index, word] of list.entries()) {
    const plain = word.toLowerCase().replace(/[^\w-]/g, "");
    const wanted = synonyms[plain] ?? [];
    const tool =
      callable.find(({ name }) => name.toLowerCase() === plain) ??
      callable.find(({ name }) => wanted.some((part) => name.toLowerCase().includes(part)));
    if (tool !== undefined) return [tool, list.slice(index + 1).join(" ")];
  }
  const forced = choice?.type === "tool" ? callable.find(({ name }) => name === choice.name) : undefined;
  const any = forced ?? (choice?.type === "any" || choice?.type === "tool" ? callable[0] : undefined);
  return any && [any, words];
}

/** Every required property; the words go into the first one that takes text. */
function inputFor({ input_schema: schema }: WireTool, words: string): Record<string, unknown> {
  const properties = schema?.properties ?? {};
  const names = Object.keys(properties);
  const required = schema?.required ?? names.slice(0, 1);
  const input: Record<string, unknown> = {};
  let rest: string | undefined = words.replace(/[.?!]+$/, "");
  for (const name of required.length > 0 ? required : names.slice(0, 1)) {
    const { type, enum: choices } = properties[name] ?? {};
    if (choices !== undefined) input[name] = choices[0];
    else if (type === "number" || type === "integer") input[name] = 1;
    else if (type === "boolean") input[name] = true;
    else if (type === "array") input[name] = [];
    else if (type === "object") input[name] = {};
    else {
      input[name] = rest ?? "";
      rest = undefined;
    }
  }
  return input;
}

function sumUp(results: readonly WireBlock[]): string {
  const lines = results.map(({ content, is_error: isError }) => {
    const text = toWireBlocks(content)
      .map(({ type, text: said }) => said ?? `[${type}]`)
      .join("\n");
    const start = [...text].slice(0, shownLength).join("");
    const count = text === "" ? 0 : text.split("\n").length;
    const title = isError ? "The tool failed" : `The tool gave ${count === 1 ? "1 line" : `${count} lines`}`;
    return `${title}: ${start}${start.length < text.length ? "…" : ""}`;
  });
  return `${lines.join("\n")}\nThat is all.`;
}

function smallTalk({ whole }: RecordedRequest, words: string): string {
  const names = ((whole?.tools ?? []) as readonly WireTool[]).flatMap(({ name }) => name ?? []);
  const help =
    names.length === 0
      ? "I have no tools here."
      : `I have these tools: ${names.join(", ")}. Say “${names[0]} …” to see one called.`;
  if (/^(?:hi|hello|hey|good (?:morning|day|evening))\b/i.test(words)) {
    return `Hello! I am the emulator's built-in agent, not a model. ${help}`;
  }
  const start = [...words].slice(0, shownLength).join("");
  return `You said: “${start}${start.length < words.length ? "…" : ""}”. I am an emulator, not a model. ${help}`;
}
