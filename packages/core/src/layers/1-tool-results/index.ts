import type { Layer } from "../../spec/index.ts";
import { applyToolResults, toolResultsLayerId } from "./apply.ts";
import type { ToolResultsCommand } from "./command.ts";
import { decideToolResults } from "./decide.ts";

/**
 * Layer 1: every result passes a budget before it enters the context, and a prompt that no window takes is stored. It acts once a round, before the first request
 * that carries the round, so that all choices of a round are one decision and are frozen before anything is sent.
 */
export function createToolResultsLayer(): Layer<ToolResultsCommand> {
  return {
    id: toolResultsLayerId,
    moments: ["before-request"],
    decide: (view, moment, facts) => decideToolResults(view, moment, facts),
    apply: (command, io) => applyToolResults(command, io),
  };
}
