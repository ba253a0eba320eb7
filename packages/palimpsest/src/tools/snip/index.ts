import type { Result, Tool } from "@palimpsest/core/spec";

/** The result of taking rounds out of the conversation. */
export interface SnipResult {
  readonly freedTokens: number;
  readonly rounds: number;
  /** Ids that were named and whose rounds stay, with the reason. */
  readonly refused?: readonly { readonly id: string; readonly reason: string }[];
}

/** Takes finished rounds out of the conversation: those of the entries and calls named, or all that nothing needs. */
export type Snip = (entries?: readonly string[]) => Promise<Result<SnipResult>>;

export interface SnipToolOptions {
  /** Shortens the session's own conversation. */
  readonly snip: Snip;
}

/**
 * Lets the model take rounds of tool calls out of its conversation. A fork has the tool too, and shortens nothing with
 * it: what it would take away is its parent's.
 */
export function createSnipTool({ snip }: SnipToolOptions): Tool {
  return {
    name: "Snip",
    description:
      "Takes finished rounds of tool calls out of the conversation to make room; one line stays in their place, and Recall gives them back. Without ids it takes all that nothing later refers to. With ids of tool uses or entries it takes their rounds only. The newest rounds and what the user said always stay.",
    input_schema: {
      type: "object",
      properties: {
        entries: {
          type: "array",
          maxItems: 200,
          items: { type: "string", minLength: 1, maxLength: 200 },
          description: "Ids of tool uses or entries whose rounds are no longer needed.",
        },
      },
      additionalProperties: false,
    },
    isReadOnly: true,
    async run(input, { session }) {
      if (isFork(session.id)) return { content: forkText, isError: true };
      const { entries } = (input ?? {}) as { readonly entries?: readonly string[] };
      const snipped = await (entries && entries.length > 0 ? snip(entries) : snip());
      if (snipped.ok) return { content: answer(snipped.value) };
      const { message, fix } = snipped.error;
      return { content: oneLine(fix === undefined ? message : `${message} ${fix}`), isError: true };
    },
  };
}

const forkText = "Nothing was removed: this conversation is a fork, and Snip works in the one it came from.";

/** The id of a fork has its parent's before a slash; other ids have none. */
const isFork = (id: string) => id.includes("/");

function answer({ freedTokens, rounds, refused = [] }: SnipResult): string {
  const done =
    rounds === 0
      ? "Nothing was removed."
      : `Removed ${rounds === 1 ? "1 round" : `${rounds} rounds`}, about ${freedTokens} tokens.`;
  if (refused.length === 0)
    return rounds === 0 ? `${done} Every round is new or referred to by a later one.` : done;
  return oneLine(`${done} Kept: ${refused.map(({ id, reason }) => `${id} (${reason})`).join("; ")}.`);
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, " ").trim();
