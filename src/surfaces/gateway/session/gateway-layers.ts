import { createToolResultsLayer } from "../../../layers/1-tool-results/index.ts";
import { createMicrocompactLayer } from "../../../layers/2-microcompact/index.ts";
import { createCompactionLayer } from "../../../layers/4-compaction/index.ts";
import type { Layer } from "../../../spec/index.ts";
import { withLargeOnly } from "./with-large-only.ts";
import { withPathHandles } from "./with-path-handles.ts";

export interface GatewayLayersOptions {
  /** The client has our tool for reading back what was taken out. */
  readonly hasRecall: boolean;
  /** Where everything is that was taken out, for clients without it. */
  readonly logPath: string;
}

/**
 * The layers that work on requests which others wrote: large results to disk, old ones cleared, the past summed up.
 * Notes and memory are the client's own affair.
 */
export function gatewayLayers({ hasRecall, logPath }: GatewayLayersOptions): readonly Layer[] {
  const layers: readonly Layer[] = [
    withLargeOnly(createToolResultsLayer()),
    createMicrocompactLayer(),
    createCompactionLayer(),
  ];
  return hasRecall ? layers : layers.map((layer) => withPathHandles(layer, logPath));
}
