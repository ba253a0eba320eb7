import { compactByNotes } from "../layers/3-session-notes/index.ts";
import { createCompactionLayer } from "../layers/4-compaction/index.ts";

/** Layer 4, which takes the notes of layer 3 for a summary where they can stand for the past. */
export const createCompactionWithNotes: typeof createCompactionLayer = (given = {}) =>
  createCompactionLayer({ decideNotesCompaction: compactByNotes, ...given });
