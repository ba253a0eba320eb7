import { createChunkReader, createRuntime } from "@palimpsest/core/internal";
import type { ModelEvent } from "@palimpsest/core/spec";
import { createEventLines } from "../protocol/event-lines.ts";
import { parseJson } from "../protocol/parse-json.ts";
import type { AnswerTap, RelayedAnswer } from "../protocol/protocol.ts";
import { createWholeBody } from "../protocol/whole-body.ts";

/** Reads a chat completion while it passes. Reasoning is no part of a conversation here: nobody sends it back. */
export function createChatTap(request: { readonly isStream: boolean; readonly model: string }): AnswerTap {
  return request.isStream ? streamTap(request.model) : wholeTap(request.model);
}

function streamTap(model: string): AnswerTap {
  const reader = createChunkReader({ ids: createRuntime().ids, model });
  let isBroken = false;
  let isWhole = false;
  const lines = createEventLines((data) => {
    if (data === "[DONE]") isWhole = !isBroken;
    if (isBroken || isWhole || data === "") return;
    isBroken = !reader.read(parseJson(data)).ok;
  });
  return {
    take: lines.take,
    get isWhole() {
      return isWhole;
    },
    end: () => (isBroken ? null : ended(reader.end())),
  };
}

function wholeTap(model: string): AnswerTap {
  const body = createWholeBody();
  return {
    take: body.take,
    isWhole: false,
    end() {
      const reader = createChunkReader({ ids: createRuntime().ids, model });
      const read = reader.read(parseJson(body.text() ?? ""));
      return read.ok ? ended(reader.end()) : null;
    },
  };
}

function ended(events: ReturnType<ReturnType<typeof createChunkReader>["end"]>): RelayedAnswer | null {
  const end = events.ok ? events.value.find(isEnd) : undefined;
  if (!end || end.brokenCalls) return null;
  const { id, model, stopReason, usage } = end;
  const content = end.content.filter(({ type }) => type !== "thinking");
  return { id, model, content, stopReason, usage };
}

type ResponseEnd = Extract<ModelEvent, { readonly type: "response-end" }>;

const isEnd = (event: ModelEvent): event is ResponseEnd => event.type === "response-end";
