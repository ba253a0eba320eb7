/** One edit that the API reports with a response: what it left out of the request before the model read it. */
interface AppliedEdit {
  readonly type: string;
  /** How many tool results, turns of thinking or other things it left out. */
  readonly things: number;
  readonly tokens: number;
}

/** Content left out of a request by the API itself. */
export interface AppliedEdits {
  /** The same for requests of which the same was left out; empty where nothing was. */
  readonly key: string;
  /** For people; empty where nothing was left out. */
  readonly words: string;
}

export const nothingApplied: AppliedEdits = { key: "", words: "" };

/** Reads `context_management.applied_edits`. Deletions that the session has asked for itself are no news. Total. */
export function readAppliedEdits(edits: unknown): AppliedEdits {
  const applied = (Array.isArray(edits) ? edits : []).flatMap(readEdit);
  return {
    key: applied.map(({ type, things }) => `${type} ${things}`).join(", "),
    words: applied.map(describe).join(", "),
  };
}

const askedByBlocks = "cache_edits";

function readEdit(edit: unknown): readonly AppliedEdit[] {
  if (typeof edit !== "object" || edit === null) return [];
  const { type, cleared_input_tokens: tokens, ...counts } = edit as Readonly<Record<string, unknown>>;
  if (typeof type !== "string" || type === askedByBlocks) return [];
  const numbers = Object.values(counts).filter((count): count is number => typeof count === "number");
  const things = numbers.reduce((sum, count) => sum + count, 0);
  const isNone = things === 0 && (tokens === 0 || tokens === undefined) && numbers.length > 0;
  return isNone ? [] : [{ type, things, tokens: typeof tokens === "number" ? tokens : 0 }];
}

function describe({ type, things, tokens }: AppliedEdit): string {
  if (type.startsWith("clear_tool_uses")) return `the API cleared ${things} tool results, ${tokens} tokens`;
  if (type.startsWith("clear_thinking"))
    return `the API cleared the thinking of ${things} turns, ${tokens} tokens`;
  return `the API applied ${type}`;
}
