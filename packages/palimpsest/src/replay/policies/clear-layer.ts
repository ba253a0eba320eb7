import { clearedResultLabel, readToolPurpose } from "@palimpsest/core/internal";
import { type Facts, type Layer, ok, type View } from "@palimpsest/core/spec";
import { type StandingResult, standingResults } from "./tool-results.ts";

/** Which results go, of those that stand; none when it is not the time. */
export type ChooseResults = (
  results: readonly StandingResult[],
  view: View,
  facts: Facts,
) => readonly StandingResult[];

export interface ClearLayerOptions {
  readonly id: string;
  /** With a label by which a cleared result can be found again. */
  readonly hasHandles: boolean;
  readonly choose: ChooseResults;
}

interface Clearing {
  readonly results: readonly StandingResult[];
  readonly basis: number;
}

/** A placeholder takes about this many tokens, a label of its own about that many more. */
const placeholderTokens = 8;
export const labelTokens = 32;

const maxArgumentChars = 80;

/** A layer that clears, before a request, the results that `choose` names. */
export function createClearLayer({ id, hasHandles, choose }: ClearLayerOptions): Layer<Clearing> {
  const left = placeholderTokens + (hasHandles ? labelTokens : 0);
  const freedBy = (results: readonly StandingResult[]) =>
    Math.round(results.reduce((sum, { tokens }) => sum + Math.max(0, tokens - left), 0));
  return {
    id,
    moments: ["before-request"],
    decide(view, _moment, facts) {
      const results = choose(standingResults(view), view, facts);
      if (results.length === 0) return { verdict: "skip", reason: "nothing to clear" };
      const basis = view.head;
      const command = { results, basis };
      return { verdict: "act", command, run: "inline", reason: id, frees: freedBy(results), basis };
    },
    async apply({ results, basis }) {
      const parts = results.map((result) => ({
        toolUseId: result.toolUseId,
        part: "result" as const,
        label: hasHandles ? `${clearedResultLabel} ${handleOf(result)}` : clearedResultLabel,
      }));
      const head = { layer: id, reason: id, frees: freedBy(results), basis };
      return ok([{ kind: "decision", decision: { ...head, type: "clear", parts } }]);
    },
  };
}

/** Tool, main argument, size and recall id. */
function handleOf({ tool, input, tokens, toolUseId }: StandingResult): string {
  return `${tool} ${mainArgument(tool, input)}, about ${Math.round(tokens)} tokens, recall ${toolUseId}`;
}

function mainArgument(tool: string, input: unknown): string {
  const purpose = readToolPurpose({ name: tool, input });
  const text =
    purpose.purpose === "file"
      ? purpose.path
      : purpose.purpose === "command"
        ? purpose.command
        : (Object.values(input ?? {}).find((value): value is string => typeof value === "string") ?? "");
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > maxArgumentChars ? `${line.slice(0, maxArgumentChars)}…` : line;
}
