import { imagesIn } from "../context/request/image-facts.ts";
import { isTurnWithoutThinking } from "../context/thinking/thinking-choice.ts";
import type { ModelRequest, ViewItem } from "../spec/index.ts";
import type { RequestHead } from "./request-head.ts";

/** Thinking, tool choice and whether there are images are in the key of every message. */
export function messagesKey({ thinking, tool_choice: choice }: ModelRequest, images: number): string {
  const mode = thinking as { readonly type?: string; readonly budget_tokens?: number } | undefined;
  const isOn = mode !== undefined && mode.type !== "disabled";
  return JSON.stringify([isOn ? [mode.type, mode.budget_tokens] : null, choice ?? null, images > 0]);
}

/** What was in the key of a request that had these items: a turn that began without thinking was asked for none. */
export function formerMessagesKey(
  { fields }: Pick<RequestHead, "fields">,
  request: ModelRequest,
  items: readonly ViewItem[],
): string {
  const thinking = fields.thinking as { readonly type?: string } | undefined;
  const isOff = thinking?.type === "enabled" && isTurnWithoutThinking(items);
  const images = items.reduce((sum, { block }) => sum + imagesIn(block).length, 0);
  return messagesKey({ ...request, thinking: isOff ? undefined : thinking }, images);
}
