import type { Message, MessageFlags } from "../../../spec/index.ts";
import { isObject, type JsonObject } from "../json-value.ts";
import { readContent } from "../message-content.ts";
import { responseFields } from "../response-fields.ts";

export type ReadMessage =
  | { readonly message: Message; readonly unsignedThinking: number }
  | { readonly problem: string };

/** The message of a user or assistant line. Its blocks are untouched, but for unsigned thinking, which is left out. */
export function readMessageLine(
  type: "user" | "assistant",
  line: JsonObject,
  isSidechain: boolean,
): ReadMessage {
  const recorded = line.message;
  if (!isObject(recorded)) return { problem: "it has no message" };
  if (recorded.role !== undefined && recorded.role !== type) {
    return { problem: `it is of type “${type}”, but its role is another` };
  }
  const kept = readContent(recorded.content);
  if ("problem" in kept) return kept;
  const message: Message = {
    type,
    content: kept.content,
    ...(type === "assistant" && responseFields(recorded)),
    ...lineFlags(line, isSidechain),
  };
  return { message, unsignedThinking: kept.unsignedThinking };
}

export function lineFlags(line: JsonObject, isSidechain: boolean): MessageFlags {
  return {
    ...(line.isMeta === true && { isMeta: true }),
    ...(line.isCompactSummary === true && { isCompactSummary: true }),
    ...(line.isVisibleInTranscriptOnly === true && { isVisibleInTranscriptOnly: true }),
    ...(line.isApiErrorMessage === true && { isApiErrorMessage: true }),
    ...(isSidechain && { isSidechain: true }),
  };
}
