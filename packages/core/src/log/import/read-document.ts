import { ok, type Result } from "../../spec/index.ts";
import type { EntrySink } from "./entry-sink.ts";
import { aborted, brokenDocument, documentLook, tooLarge, unsupportedFormat } from "./import-failure.ts";
import { type ImportedFormat, type ImportOptions, maxLineBytes } from "./import-report.ts";
import { documentDialect, documentMessages } from "./inspect-head.ts";
import { isObject } from "./json-value.ts";
import { createLineTimes } from "./line-times.ts";
import type { Lookahead } from "./lookahead.ts";
import { readConversation } from "./messages/read-conversation.ts";
import { parseJson } from "./parse-line.ts";
import { sessionEntry } from "./session-entry.ts";
import type { Tally } from "./tally.ts";

/** Reads a source as one JSON document, whole, up to the limit. */
export async function readDocument(
  source: Lookahead,
  skipBytes: number,
  options: ImportOptions,
  into: { readonly sink: EntrySink; readonly tally: Tally },
): Promise<Result<ImportedFormat>> {
  const limit = options.maxLineBytes ?? maxLineBytes;
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of source.chunks()) {
    if (options.signal?.aborted) return aborted(options);
    length += chunk.length;
    if (length > limit) return tooLarge(limit, options);
    parts.push(Buffer.from(chunk));
  }
  const parsed = parseJson(Buffer.concat(parts).subarray(skipBytes));
  if ("reason" in parsed) return brokenDocument(parsed.reason, options);
  const messages = documentMessages(parsed.value);
  if (messages === undefined) return unsupportedFormat("unknown", documentLook, options);
  const format = documentDialect(parsed.value, messages);
  const first = sessionEntry(format, [parsed.value, ...messages].filter(isObject), options);
  into.sink.emit(first);
  readConversation(parsed.value, messages, { ...into, times: createLineTimes(first.at) });
  return ok(format);
}
