import { createToolResultsLayer } from "../layers/1-tool-results/index.ts";
import { createMicrocompactLayer } from "../layers/2-microcompact/index.ts";
import { createSessionNotesLayer } from "../layers/3-session-notes/index.ts";
import { createFoldingLayer } from "../layers/4-compaction/folding/index.ts";
import type { Layer } from "../spec/index.ts";
import { writeNotes } from "../view/scribe/index.ts";
import { estimateContent } from "../view/tokens/index.ts";
import { createCompactionWithNotes } from "./compaction-with-notes.ts";

/** The layers a session has unless it is given others, in the order in which they decide. */
export function defaultLayers(): readonly Layer[] {
  return [
    createToolResultsLayer(),
    createMicrocompactLayer(),
    createSessionNotesLayer({
      write: ({ fileTokens, ...question }) =>
        writeNotes({ ...question, budgetTokens: fileTokens, estimate: estimateContent }),
    }),
    createFoldingLayer(),
    createCompactionWithNotes(),
  ];
}
