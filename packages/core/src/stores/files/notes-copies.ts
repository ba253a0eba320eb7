import { type Disk, type Ids, type NotesCopies, ok } from "../../spec/index.ts";
import type { Layout } from "../shared/layout.ts";
import { folderOf, writeWholeFile } from "./disk/whole-file.ts";
import { notesPath } from "./upkeep/session-files.ts";

/** `session-notes/<id>.md` in the project's folder. Seen whole or not at all; goes with its session. */
export function createFileNotesCopies({
  disk,
  layout,
  ids,
}: {
  readonly disk: Disk;
  readonly layout: Layout;
  readonly ids: Ids;
}): NotesCopies {
  return {
    async write(session, text) {
      const log = layout.log(session);
      if (!log.ok) return log;
      const path = notesPath(layout, log.value);
      const folder = folderOf(path);
      const made = await disk.makeDirectory(folder);
      if (!made.ok) return made;
      const temporary = `${folder}/${ids.next("notes")}.tmp`;
      const written = await writeWholeFile(disk, path, Buffer.from(text), {
        temporary,
        durable: false,
        when: "replace",
      });
      return written.ok ? ok(path) : written;
    },
  };
}
