import { createToolResultsLayer } from "../layers/1-tool-results/index.ts";
import { createMicrocompactLayer } from "../layers/2-microcompact/index.ts";
import type { Layer } from "../spec/index.ts";

/** The layers a session has unless it is given others, in the order in which they decide. */
export function defaultLayers(): readonly Layer[] {
  return [createToolResultsLayer(), createMicrocompactLayer()];
}
