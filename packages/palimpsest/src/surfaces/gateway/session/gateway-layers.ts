import { createMicrocompactLayer, createToolResultsLayer } from "@palimpsest/core";
import { createCompactionWithNotes } from "@palimpsest/core/internal";
import type { Layer } from "@palimpsest/core/spec";
import { withLargeOnly } from "./with-large-only.ts";

/**
 * The layers that work on requests which others wrote: large results to disk, old ones cleared, the past summed up.
 * Notes and memory are the client's own affair.
 */
export function gatewayLayers(): readonly Layer[] {
  return [withLargeOnly(createToolResultsLayer()), createMicrocompactLayer(), createCompactionWithNotes()];
}
