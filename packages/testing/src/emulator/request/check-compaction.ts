import type { RequestContext, WireBody } from "../wire.ts";
import { contentOf } from "./content-of.ts";
import { isRecord } from "./is-record.ts";
import type { Report } from "./report.ts";

/** Compaction on demand: what may not stand beside it, and where a signed block it made may be replayed. */
export function checkCompaction(body: WireBody, { capabilities }: RequestContext, report: Report): void {
  const say = (path: string, sentence: string) => report("compaction", path, sentence);
  checkPlaces(body.messages, say);
  const { compaction } = body;
  if (compaction === undefined || compaction === null) return;
  if (!isRecord(compaction) || compaction.type !== "summarize") {
    say("compaction", "Input tag found using 'type' does not match any of the expected tags: 'summarize'");
    return;
  }
  if (!capabilities.nativeCompaction) say("compaction", "compaction is not supported by this model");
  const { instructions } = compaction;
  if (instructions !== undefined && instructions !== null && typeof instructions !== "string")
    say("compaction.instructions", "Input should be a valid string");
  const beside = companions(body);
  if (beside !== null) say("compaction", `compaction cannot be combined with \`${beside}\``);
  if (isSummedUp(body.messages)) say("messages", "there is nothing to summarize");
  if (isInTurn(body.messages))
    say("messages", "the conversation to compact ends on a turn that is not finished");
}

function companions(body: WireBody): string | null {
  const isGiven = (value: unknown) => value !== undefined && value !== null;
  if (isGiven(body.context_management)) return "context_management";
  if (Array.isArray(body.stop_sequences) && body.stop_sequences.length > 0) return "stop_sequences";
  if (isGiven(body.output_format)) return "output_format";
  if (isRecord(body.output_config) && isGiven(body.output_config.format)) return "output_config.format";
  const choice = isRecord(body.tool_choice) ? body.tool_choice.type : undefined;
  return choice === "any" || choice === "tool" ? "tool_choice" : null;
}

/** A conversation that is nothing but the summary of one. */
function isSummedUp(messages: unknown): boolean {
  const content = Array.isArray(messages) ? messages.flatMap(contentOf) : [];
  return content.length > 0 && content.every(({ type }) => type === "compaction");
}

function isInTurn(messages: unknown): boolean {
  const content = contentOf(Array.isArray(messages) ? messages.at(-1) : undefined);
  return content.some(({ type }) => type === "tool_use" || type === "tool_result");
}

function checkPlaces(messages: unknown, say: (path: string, sentence: string) => void): void {
  if (!Array.isArray(messages)) return;
  let signed = 0;
  for (const [index, message] of messages.entries()) {
    for (const [at, { type, signature }] of contentOf(message).entries()) {
      if (type !== "compaction" || typeof signature !== "string") continue;
      signed += 1;
      if (signed === 1 && (index > 0 || at > 0))
        say(
          `messages.${index}.content.${at}`,
          "the `compaction` block is not the first block of the conversation",
        );
      if (signed === 2) say("messages", "`messages` holds more than one `compaction` block with content");
    }
  }
}
