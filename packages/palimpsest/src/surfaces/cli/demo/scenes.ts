import { type ContentBlock, isBlock } from "@palimpsest/core/spec";
import type { RecordedMessage, RecordedSession } from "../../../replay/recorded-session.ts";

/** A request as a person would have seen it, whatever a policy does. */
export interface Scene {
  /** The user's prompts since the request before, oldest first. */
  readonly prompts: readonly string[];
  /** Since the response before it was whole. */
  readonly idleMs: number;
  readonly calls: readonly { readonly tool: string; readonly input: unknown }[];
}

/** One scene a request. */
export function toScenes({ requests }: RecordedSession): readonly Scene[] {
  return requests.map(({ before, sentMs, response }, index) => {
    const formerMs = requests[index - 1]?.response.endMs;
    return {
      prompts: before.flatMap((step) => (step.kind === "message" ? promptOf(step) : [])),
      idleMs: formerMs === undefined ? 0 : Math.max(0, sentMs - formerMs),
      calls: response.content.flatMap((block) =>
        isBlock(block, "tool_use") ? [{ tool: block.name, input: block.input }] : [],
      ),
    };
  });
}

/** The user's own words: neither results nor what the program adds. */
function promptOf({ role, flags, content }: RecordedMessage): readonly string[] {
  if (role !== "user" || flags.isMeta || content.some((block) => isBlock(block, "tool_result"))) return [];
  const text = content.flatMap(textsOfBlock).join(" ");
  return text === "" ? [] : [text];
}

function textsOfBlock(block: ContentBlock): readonly string[] {
  return isBlock(block, "text") ? [block.text] : [];
}
