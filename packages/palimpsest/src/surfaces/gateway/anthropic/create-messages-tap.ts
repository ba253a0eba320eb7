import { createResponseReader, isObject, noUsage, readUsage, textOf } from "@palimpsest/core/internal";
import type { ContentBlock } from "@palimpsest/core/spec";
import { createEventLines } from "../protocol/event-lines.ts";
import { parseJson } from "../protocol/parse-json.ts";
import type { AnswerTap, RelayedAnswer } from "../protocol/protocol.ts";
import { createWholeBody } from "../protocol/whole-body.ts";

/** Reads a response of the Messages API while it passes. */
export function createMessagesTap({ isStream }: { readonly isStream: boolean }): AnswerTap {
  return isStream ? streamTap() : wholeTap();
}

function streamTap(): AnswerTap {
  const reader = createResponseReader();
  let answer: RelayedAnswer | null = null;
  let isBroken = false;
  const lines = createEventLines((data) => {
    const event = isBroken ? undefined : parseJson(data);
    if (!isObject(event) || typeof event.type !== "string" || event.type === "ping") return;
    const read = event.type === "error" ? undefined : reader.read({ ...event, type: event.type });
    if (!read?.ok) {
      isBroken = true;
      answer = null;
    } else if (read.value?.type === "response-end") {
      const { id, model, content, stopReason, usage, brokenCalls, contextManagement } = read.value;
      const managed = contextManagement && { contextManagement };
      answer = brokenCalls ? null : { id, model, content, stopReason, usage, ...managed };
    }
  });
  return {
    take: lines.take,
    get isWhole() {
      return answer !== null;
    },
    end: () => answer,
  };
}

function wholeTap(): AnswerTap {
  const body = createWholeBody();
  return {
    take: body.take,
    isWhole: false,
    end() {
      const message = parseJson(body.text() ?? "");
      if (!isObject(message) || message.type !== "message" || !Array.isArray(message.content)) return null;
      return {
        id: textOf(message, "id") ?? "",
        model: textOf(message, "model") ?? "",
        content: message.content as readonly ContentBlock[],
        stopReason: textOf(message, "stop_reason") ?? null,
        usage: readUsage(message.usage) ?? noUsage,
        ...(isObject(message.context_management) && { contextManagement: message.context_management }),
      };
    },
  };
}
