import type { LayerIo } from "../../spec/index.ts";
import { readSummary } from "./rules/read-summary.ts";
import type { Asked } from "./summary-answer.ts";

/**
 * Asks behind the conversation's own prefix, which is read from the cache. A tool that is called all the same is denied
 * once: the fork has two requests, and a second call ends it.
 */
export async function askPrefix(
  prompt: string,
  maxOutputTokens: number,
  io: Pick<LayerIo, "fork" | "emit">,
  signal: AbortSignal,
): Promise<Asked> {
  const forked = await io.fork(prompt, {
    kind: "compaction",
    turns: 2,
    tools: [],
    maxOutputTokens,
    onChars: (chars) => io.emit({ type: "compaction-delta", chars }),
    signal,
  });
  if (!forked.ok) {
    const { error } = forked;
    const read = readSummary({ text: "", error });
    return read.ok ? { ...read, strategy: "prefix" } : { ...read, code: error.code };
  }
  const { text, content, end, usage, cache } = forked.value;
  const { reason, error } = end;
  const read = readSummary({ text, content, end: reason, ...(error && { error }) });
  if (!read.ok) return error ? { ...read, code: error.code } : read;
  return { ...read, strategy: "prefix", usage, cacheShare: cache.share };
}
