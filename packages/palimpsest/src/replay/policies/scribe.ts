import { createCompactionWithNotes } from "@palimpsest/core/internal";
import type { Policy } from "../policy.ts";

/** Layer 4 alone, without a model and without notes: the scribe writes once the threshold of the window is reached. */
export const scribe: Policy = {
  name: "scribe",
  hasWindow: true,
  settings: { notesCompactionEnabled: false },
  createLayers: ({ restore }) => [createCompactionWithNotes({ restore })],
};
