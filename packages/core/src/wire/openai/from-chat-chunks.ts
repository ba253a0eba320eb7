import type { ModelEvent, Result } from "../../spec/index.ts";
import { type ChunkReaderOptions, createChunkReader } from "./chunk-reader.ts";

/**
 * The events of one response from its chunks. The last of them is `response-end` or a failure. A failure behind the
 * reason why the model stopped changes nothing any more, unless it is the caller's own abort: the response is whole,
 * and at most its usage is missing.
 */
export async function* fromChatChunks(
  chunks: AsyncIterable<Result<unknown>>,
  options: ChunkReaderOptions,
): AsyncGenerator<Result<ModelEvent>> {
  const reader = createChunkReader(options);
  for await (const chunk of chunks) {
    if (!chunk.ok && reader.isFinished && chunk.error.code !== "aborted") break;
    const events = chunk.ok ? reader.read(chunk.value) : chunk;
    if (!events.ok) {
      yield events;
      return;
    }
    for (const value of events.value) yield { ok: true, value };
  }
  const events = reader.end();
  if (!events.ok) yield events;
  else for (const value of events.value) yield { ok: true, value };
}
