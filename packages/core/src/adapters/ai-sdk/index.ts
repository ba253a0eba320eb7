import type { Session } from "../../spec/index.ts";
import { createBridge } from "../bridge/create-bridge.ts";
import { createAiSdkForm, type PromptMessage, type SdkUsage, toUsage } from "./ai-sdk-form.ts";

interface SdkResponse {
  readonly id?: string | undefined;
  readonly modelId?: string | undefined;
}

/** Of the SDK's `LanguageModelV3Middleware`, what is used here; `any` where a value only passes through. */
export interface PalimpsestMiddleware {
  readonly specificationVersion: "v3";
  // biome-ignore lint/suspicious/noExplicitAny: parameters and results are the SDK's own, and pass through.
  transformParams(options: { type: any; params: any; model: any }): Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  wrapGenerate(options: { doGenerate: () => PromiseLike<any>; [name: string]: any }): Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  wrapStream(options: { doStream: () => PromiseLike<any>; [name: string]: any }): Promise<any>;
}

/**
 * Middleware for `wrapLanguageModel` of the AI SDK: every prompt goes through the session, which keeps it inside the
 * window. One conversation a session.
 */
export function palimpsestMiddleware(session: Session): PalimpsestMiddleware {
  let isAnthropic = false;
  const bridge = createBridge(
    session,
    createAiSdkForm(() => isAnthropic),
  );

  function heard(usage: SdkUsage, { id, modelId }: SdkResponse): void {
    const counted = toUsage(usage);
    bridge.answered({
      ...(counted && { usage: counted }),
      ...(id && { id }),
      ...(modelId && { model: modelId }),
    });
  }

  return {
    specificationVersion: "v3",
    async transformParams({ params, model }) {
      isAnthropic = /anthropic/i.test(String(model?.provider));
      const { prompt } = params as { readonly prompt: readonly PromptMessage[] };
      return { ...params, prompt: await bridge.exchange(prompt) };
    },
    async wrapGenerate({ doGenerate }) {
      const result = await doGenerate();
      heard(result.usage, result.response ?? {});
      return result;
    },
    async wrapStream({ doStream }) {
      const { stream, ...rest } = await doStream();
      let response: SdkResponse = {};
      const watch = new TransformStream({
        transform(part, controller) {
          if (part.type === "response-metadata") response = part;
          if (part.type === "finish") heard(part.usage, response);
          controller.enqueue(part);
        },
      });
      return { ...rest, stream: stream.pipeThrough(watch) };
    },
  };
}

interface Step {
  readonly usage: SdkUsage;
  readonly response: SdkResponse;
}

/**
 * A `prepareStep` for `generateText`, `streamText` and agents of the AI SDK: the messages of each step go through the
 * session. Use this or the middleware, not both.
 */
export function palimpsestPrepareStep(session: Session) {
  const bridge = createBridge(
    session,
    createAiSdkForm(() => false),
  );
  return async <Message extends object>({
    messages,
    steps,
  }: {
    readonly messages: readonly Message[];
    readonly steps: readonly Step[];
  }): Promise<{ messages: Message[] }> => {
    const last = steps.at(-1);
    const usage = last && toUsage(last.usage);
    if (last) {
      const { id, modelId } = last.response;
      bridge.answered({ ...(usage && { usage }), ...(id && { id }), ...(modelId && { model: modelId }) });
    }
    // The SDK's messages say more than is read here, and those that stay come back as the very objects they were.
    const exchanged = await bridge.exchange(messages as unknown as readonly PromptMessage[]);
    return { messages: exchanged as unknown as Message[] };
  };
}
