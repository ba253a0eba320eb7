/**
 * The parts of messages that the AI SDK's prompts and model messages share, as far as a session looks at them. They are
 * declared here so that nobody needs the SDK who does not use it; a test holds them against the real ones.
 */
export interface TextPart {
  readonly type: "text" | "reasoning";
  readonly text: string;
}

export interface CallPart {
  readonly type: "tool-call";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
}

export interface ResultPart {
  readonly type: "tool-result";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly output: ResultOutput;
}

export interface ResultOutput {
  readonly type: string;
  readonly value?: unknown;
  readonly reason?: string | undefined;
}

export type PromptPart = TextPart | CallPart | ResultPart | { readonly type: string };

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
