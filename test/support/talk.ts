import type Anthropic from "@anthropic-ai/sdk";
import type {
  ContentBlock,
  MessageInput,
  PrepareReport,
  Session,
} from "../../packages/core/src/spec/index.ts";

/** Sends what the session has made ready through the official SDK, and adds what comes back. */
export async function ask(
  session: Session,
  client: Anthropic,
): Promise<{ readonly report: PrepareReport; readonly response: Anthropic.Beta.BetaMessage }> {
  const { request, report } = await session.prepare();
  const response = await client.beta.messages
    .stream(request as unknown as Anthropic.Beta.MessageCreateParamsNonStreaming)
    .finalMessage();
  await session.add(toInput(response));
  return { report, response };
}

/** A response as a session takes it. */
export function toInput(response: Anthropic.Beta.BetaMessage): MessageInput {
  return {
    role: "assistant",
    id: response.id,
    content: response.content as unknown as readonly ContentBlock[],
    model: response.model,
    stopReason: response.stop_reason,
    ...(response.context_management && { contextManagement: response.context_management }),
    usage: response.usage as unknown as MessageInput["usage"],
  };
}
