import { createMicrocompactLayer, createToolResultsLayer } from "@palimpsest/core";
import {
  createCompactionWithNotes,
  type ResultChoice,
  type ToolResultsCommand,
} from "@palimpsest/core/internal";
import type { Layer } from "@palimpsest/core/spec";

/**
 * The layers that work on requests which others wrote: large results to disk, old ones cleared, the past summed up.
 * Notes and memory are the client's own affair.
 */
export function gatewayLayers(): readonly Layer[] {
  return [
    withLargeOnly(createToolResultsLayer()),
    createMicrocompactLayer(),
    asRelayed(createCompactionWithNotes()),
  ];
}

/** A layer that knows that the agent is somebody else's: nothing is taken from it early, which it might not recall. */
function asRelayed<Command>(layer: Layer<Command>): Layer<Command> {
  return {
    ...layer,
    decide: (view, moment, facts) => layer.decide(view, moment, { ...facts, isRelayed: true }),
  };
}

/** Layer 1 without what it does for small results: an empty one, or one that repeats another, stays the client's own. */
function withLargeOnly(layer: Layer<ToolResultsCommand>): Layer<ToolResultsCommand> {
  return {
    ...layer,
    decide(view, moment, facts) {
      const verdict = layer.decide(view, moment, facts);
      if (verdict.verdict === "skip") return verdict;
      const { prompts } = verdict.command;
      const choices = verdict.command.choices.map(largeOnly);
      const isQuiet = prompts.length === 0 && choices.every(({ choice }) => choice === "whole");
      return { ...verdict, command: { ...verdict.command, choices }, ...(isQuiet && { frees: 0 }) };
    },
  };
}

function largeOnly(choice: ResultChoice): ResultChoice {
  return choice.choice === "offload" ? choice : { choice: "whole", toolUseId: choice.toolUseId };
}
