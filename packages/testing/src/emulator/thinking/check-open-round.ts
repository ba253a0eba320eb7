import { contentOf } from "../request/content-of.ts";
import { isRecord } from "../request/is-record.ts";
import type { Report } from "../request/report.ts";
import { toText } from "../request/to-text.ts";
import type { WireBody } from "../wire.ts";
import { isThinking } from "./prefix-digests.ts";

/**
 * While results of tools are the last word, the thinking that led to the calls may not be missing: not from any message
 * of the turn that goes on. Asks the server's memory, since a request alone does not show what was removed from it.
 */
export function checkOpenRound(
  { messages, thinking }: WireBody,
  hadThinking: ((toolUseId: string) => boolean) | undefined,
  report: Report,
): void {
  if (!hadThinking || !Array.isArray(messages)) return;
  if (!isRecord(thinking) || thinking.type === "disabled") return;
  if (!hasResults(messages.at(-1))) return;
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message: unknown = messages[index];
    if (!isRecord(message)) return;
    if (message.role === "user" && !hasResults(message)) return;
    if (message.role !== "assistant") continue;
    const content = contentOf(message);
    const isMissing = !content.some(isThinking) && content.some(({ id }) => hadThinking(toText(id)));
    if (isMissing)
      report(
        "thinking-removed",
        `messages.${index}.content.0.type`,
        `Expected \`thinking\` or \`redacted_thinking\`, but found \`${toText(content[0]?.type)}\`. The thinking of a turn whose tools are still running must remain as it was in the original response.`,
      );
  }
}

function hasResults(message: unknown): boolean {
  return contentOf(message).some(({ type }) => type === "tool_result");
}
