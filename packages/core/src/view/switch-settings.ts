import { toggle } from "../settings/declare.ts";

/** Parts of a session that can be on or off. */
export const switchSettings = {
  compactEnabled: toggle(true, "every kind of compaction, also by hand", {
    disabledBy: "DISABLE_COMPACT",
    flag: "compact",
  }),
  autoCompactEnabled: toggle(
    true,
    "compaction without being asked, when the window is nearly full or the provider refuses a prompt; off whenever `compactEnabled` is",
    { disabledBy: "DISABLE_AUTO_COMPACT" },
  ),
  microcompactEnabled: toggle(true, "old tool results are replaced by short labels when that saves money", {
    disabledBy: "DISABLE_MICROCOMPACT",
    flag: "clear",
  }),
  sessionNotesEnabled: toggle(true, "notes about the session are kept, also while compaction is off", {
    variables: ["ENABLE_SESSION_MEMORY"],
    flag: "session-notes",
  }),
  notesCompactionEnabled: toggle(
    true,
    "compaction by the session notes, without a model call; needs the notes and `compactEnabled`",
    { variables: ["ENABLE_NOTES_COMPACTION"], flag: "notes-compaction" },
  ),
  foldingEnabled: toggle(
    false,
    "finished work is replaced by short summaries, instead of automatic compaction; needs `compactEnabled`",
    { variables: ["PALIMPSEST_CONTEXT_COLLAPSE", "CLAUDE_CONTEXT_COLLAPSE"], flag: "fold" },
  ),
};
