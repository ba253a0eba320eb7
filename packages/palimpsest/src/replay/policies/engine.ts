import { defaultLayers } from "@palimpsest/core";
import { createCompactionWithNotes } from "@palimpsest/core/internal";
import type { Settings } from "@palimpsest/core/spec";
import type { Policy } from "../policy.ts";

/** A session as it is opened with these settings and no others; where a model would be asked, the scribe writes. */
function asOpened(name: string, settings: Settings): Policy {
  return {
    name,
    isPriceSensitive: true,
    choosesTtl: true,
    hasWindow: true,
    settings,
    createLayers: ({ restore }) =>
      defaultLayers().map((layer) =>
        layer.id === "compaction" ? createCompactionWithNotes({ restore }) : layer,
      ),
  };
}

/** The engine as it ships. */
export const faithful: Policy = asOpened("faithful", {});

/** The engine as it is for somebody who has set `economy` and nothing else. */
export const thrifty: Policy = asOpened("thrifty", { economy: "thrifty" });

/** The default by the name it has whichever mode that is. */
export const engine: Policy = { ...faithful, name: "engine", sameAs: faithful.name };

/** Layer 4 alone, without a model and without notes: the scribe writes once the threshold of the window is reached. */
export const scribe: Policy = {
  name: "scribe",
  hasWindow: true,
  settings: { notesCompactionEnabled: false },
  createLayers: ({ restore }) => [createCompactionWithNotes({ restore })],
};
