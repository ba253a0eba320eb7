import { createToolResultsLayer } from "../../../layers/1-tool-results/index.ts";
import { createMicrocompactLayer } from "../../../layers/2-microcompact/index.ts";
import { createCompactionLayer } from "../../../layers/4-compaction/index.ts";
import type { Layer } from "../../../spec/index.ts";
import { withLargeOnly } from "./with-large-only.ts";

/**
 * The layers that work on requests which others wrote: large results to disk, old ones cleared, the past summed up.
 * Notes and memory are the client's own affair.
 */
export function gatewayLayers(): readonly Layer[] {
  return [withLargeOnly(createToolResultsLayer()), createMicrocompactLayer(), createCompactionLayer()];
}
