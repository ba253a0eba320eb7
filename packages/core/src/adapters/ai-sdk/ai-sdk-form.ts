import { type ContentBlock, isBlock, type Role, type Usage } from "../../spec/index.ts";
import { type ForeignForm, type Piece, type ReadMessage, valueKey } from "../bridge/create-bridge.ts";

const marked = { anthropic: { cacheControl: { type: "ephemeral" } } };

/** Messages of the AI SDK. `marksBreakpoints`: the provider is Anthropic's, which wants to be told what to cache. */
export function createAiSdkForm(marksBreakpoints: () => boolean): ForeignForm<PromptMessage, PromptPart> {
  const toolNames = new Map<string, string>();

  function read({ role, content }: PromptMessage): ReadMessage<PromptPart> | null {
    if (role === "system") return null;
    const parts: readonly PromptPart[] =
      typeof content === "string" ? [{ type: "text", text: content }] : content;
    for (const part of parts) if (isCall(part)) toolNames.set(part.toolCallId, part.toolName);
    return { role: role === "assistant" ? "assistant" : "user", blocks: parts.map(toBlock), parts };
  }

  function toPart({ block, part, isBreakpoint }: Piece<PromptPart>): PromptPart {
    const made = part ?? madePart(block, toolNames);
    return isBreakpoint && marksBreakpoints() ? withMark(made) : made;
  }

  return {
    read,
    write: (role, pieces) => splitByKind(role, pieces.map(toPart)),
    mark: (message) => (marksBreakpoints() ? withMark(message) : message),
  };
}

function withMark<T extends PromptMessage | PromptPart>(value: T): T {
  const { providerOptions } = value as { readonly providerOptions?: object };
  return { ...value, providerOptions: { ...providerOptions, ...marked } };
}

/** Results are in messages of their own, before what else the user's side says. */
function splitByKind(role: Role, parts: readonly PromptPart[]): readonly PromptMessage[] {
  if (role === "assistant") return [{ role, content: parts }];
  const results = parts.filter((part) => part.type === "tool-result");
  const others = parts.filter((part) => part.type !== "tool-result");
  return [
    ...(results.length > 0 ? [{ role: "tool", content: results } as const] : []),
    ...(others.length > 0 ? [{ role: "user", content: others } as const] : []),
  ];
}

function toBlock(part: PromptPart): ContentBlock {
  if (part.type === "text") return { type: "text", text: (part as TextPart).text };
  if (isCall(part)) {
    return { type: "tool_use", id: part.toolCallId, name: part.toolName, input: part.input };
  }
  if (isResult(part)) return resultBlock(part);
  // Reasoning, files and what is not known here pass through whole; only their size is looked at.
  return { type: `ai-sdk-${part.type}`, part: JSON.parse(valueKey(part)) as unknown };
}

function resultBlock({ toolCallId, output }: ResultPart): ContentBlock {
  const isError = output.type.startsWith("error") || output.type === "execution-denied";
  const content = resultText(output);
  return { type: "tool_result", tool_use_id: toolCallId, content, ...(isError && { is_error: true }) };
}

function resultText({ type, value, reason }: ResultOutput): string {
  if (type === "execution-denied") return reason ?? "The call was denied.";
  return typeof value === "string" ? value : valueKey(value ?? null);
}

/** The part that a decision put in its place. */
function madePart(block: ContentBlock, toolNames: ReadonlyMap<string, string>): PromptPart {
  if (isBlock(block, "text")) return { type: "text", text: block.text } as TextPart;
  if (isBlock(block, "tool_use")) {
    return { type: "tool-call", toolCallId: block.id, toolName: block.name, input: block.input };
  }
  if (isBlock(block, "tool_result")) {
    const value = typeof block.content === "string" ? block.content : textOfBlocks(block.content ?? []);
    const toolName = toolNames.get(block.tool_use_id) ?? "unknown";
    const output = { type: block.is_error ? "error-text" : "text", value };
    return { type: "tool-result", toolCallId: block.tool_use_id, toolName, output };
  }
  return { type: "text", text: valueKey(block) } as TextPart;
}

function textOfBlocks(blocks: readonly ContentBlock[]): string {
  return blocks.map((block) => (isBlock(block, "text") ? block.text : valueKey(block))).join("\n");
}

function isCall(part: PromptPart): part is CallPart {
  return part.type === "tool-call";
}

function isResult(part: PromptPart): part is ResultPart {
  return part.type === "tool-result";
}

/** `undefined` where the provider said nothing: the session estimates then. */
export function toUsage({ inputTokens, inputTokenDetails, outputTokens }: SdkUsage): Usage | undefined {
  const isSplit = typeof inputTokens === "object";
  const total = isSplit ? inputTokens.total : inputTokens;
  if (total === undefined) return undefined;
  const cacheRead = (isSplit ? inputTokens.cacheRead : inputTokenDetails?.cacheReadTokens) ?? 0;
  const cacheCreation = (isSplit ? inputTokens.cacheWrite : inputTokenDetails?.cacheWriteTokens) ?? 0;
  const output = (typeof outputTokens === "object" ? outputTokens.total : outputTokens) ?? 0;
  return { input: Math.max(0, total - cacheRead - cacheCreation), output, cacheRead, cacheCreation };
}

/**
 * The parts of messages that the AI SDK's prompts and model messages share, as far as a session looks at them. They are
 * declared here so that nobody needs the SDK who does not use it; a test holds them against the real ones.
 */
interface TextPart {
  readonly type: "text" | "reasoning";
  readonly text: string;
}

interface CallPart {
  readonly type: "tool-call";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
}

interface ResultPart {
  readonly type: "tool-result";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly output: ResultOutput;
}

interface ResultOutput {
  readonly type: string;
  readonly value?: unknown;
  readonly reason?: string | undefined;
}

type PromptPart = TextPart | CallPart | ResultPart | { readonly type: string };

export interface PromptMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string | readonly PromptPart[];
  readonly providerOptions?: object | undefined;
}

/** As the SDK counts, in prompts' own form and in that of its steps. */
export interface SdkUsage {
  readonly inputTokens?:
    | number
    | undefined
    | {
        readonly total?: number | undefined;
        readonly cacheRead?: number | undefined;
        readonly cacheWrite?: number | undefined;
      };
  readonly inputTokenDetails?:
    | { readonly cacheReadTokens?: number | undefined; readonly cacheWriteTokens?: number | undefined }
    | undefined;
  readonly outputTokens?: number | undefined | { readonly total?: number | undefined };
}
