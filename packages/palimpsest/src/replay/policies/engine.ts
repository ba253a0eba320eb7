import { defaultLayers } from "@palimpsest/core";
import { createCompactionWithNotes } from "@palimpsest/core/internal";
import type { Settings } from "@palimpsest/core/spec";
import type { Policy } from "../policy.ts";

/**
 * Everything that works without a model, on. What stands after a compaction is small, so that an early one pays soon;
 * of it, the user's own words have what they need.
 */
const settings: Settings = {
  flags: { "compact-early": true, "read-references": true },
};

/** All layers as a session has them, with the scribe as the writer: nobody is asked. */
export const engine: Policy = {
  name: "engine",
  isPriceSensitive: true,
  hasWindow: true,
  settings,
  createLayers: ({ restore }) =>
    defaultLayers().map((layer) =>
      layer.id === "compaction" ? createCompactionWithNotes({ restore }) : layer,
    ),
};

/** Layer 4 alone, without a model and without notes: the scribe writes once the threshold of the window is reached. */
export const scribe: Policy = {
  name: "scribe",
  hasWindow: true,
  settings: { notesCompactionEnabled: false },
  createLayers: ({ restore }) => [createCompactionWithNotes({ restore })],
};
