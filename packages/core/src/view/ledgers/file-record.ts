import type { FileAction, FileRange, FileRecord } from "../../spec/index.ts";

/** One successful action on a file. */
export interface FileTouch {
  readonly action: FileAction;
  readonly path: string;
  readonly range?: FileRange;
  readonly at: string;
  readonly seq: number;
  readonly toolUseId: string;
}

/** A file's record after an action: an edit leaves known what was known of it, a read or a write says it anew. */
export function touchedFile(known: FileRecord | undefined, touch: FileTouch): FileRecord {
  const { action, path, at, seq, toolUseId } = touch;
  const range = action === "edited" ? known?.range : touch.range;
  const readSeq = action === "read" ? seq : known?.readSeq;
  const writtenSeq = action === "written" ? seq : known?.writtenSeq;
  const editedSeq = action === "edited" ? seq : known?.editedSeq;
  return {
    path,
    lastAction: action,
    at,
    seq,
    toolUseId,
    ...(range && { range }),
    ...(readSeq !== undefined && { readSeq }),
    ...(writtenSeq !== undefined && { writtenSeq }),
    ...(editedSeq !== undefined && { editedSeq }),
    changedSinceRead: action !== "read" && readSeq !== undefined,
  };
}
