import { lineId } from "../entry-sink.ts";
import type { LinePlace } from "../import-report.ts";
import { isObject, type JsonObject } from "../json-value.ts";
import { readContent } from "../message-content.ts";
import { toRecord } from "../parse-line.ts";
import { type ChatReaderOptions, createChatReader } from "./chat-reader.ts";

/**
 * Reads a JSON document message by message. What a request says beside its messages comes first: its system prompt
 * as a `system` message, its tools and its parameters as notes. Each counts as a line.
 */
export function readConversation(
  value: unknown,
  messages: readonly unknown[],
  options: ChatReaderOptions,
): void {
  const reader = createChatReader(options);
  let line = 1;
  if (isObject(value) && value.messages === messages) {
    for (const [type, content] of requestParts(value)) {
      readRequestPart(type, content, { line }, options);
      line += 1;
    }
  }
  for (const message of messages) {
    const parsed = toRecord(message);
    if (parsed.outcome === "record") reader.read(parsed.record, { line });
    else if (parsed.outcome !== "blank") options.tally.setAside(parsed.outcome, { line }, parsed.reason);
    line += 1;
  }
}

function requestParts(request: JsonObject): readonly (readonly [string, unknown])[] {
  const { messages: _messages, model: _model, system, tools, ...parameters } = request;
  return [
    ...(system === undefined ? [] : [["system", system] as const]),
    ...(tools === undefined ? [] : [["tools", tools] as const]),
    ...(Object.keys(parameters).length === 0 ? [] : [["request", parameters] as const]),
  ];
}

function readRequestPart(type: string, content: unknown, place: LinePlace, options: ChatReaderOptions): void {
  const { sink, tally, times } = options;
  const head = { id: lineId(place.line), at: times.of({}) };
  const parsed = toRecord({ [type]: content });
  const kept = type === "system" ? readContent(content) : undefined;
  if (parsed.outcome !== "record") {
    tally.setAside("skipped", place, `its ${type} part is nested too deeply`);
    return;
  }
  tally.other(type);
  if (kept === undefined || "problem" in kept) {
    sink.emit({ kind: "note", note: { topic: "foreign", type, line: content }, ...head });
  } else {
    sink.emit({
      kind: "message",
      message: { type: "system", subtype: "system", content: kept.content },
      ...head,
    });
  }
}
