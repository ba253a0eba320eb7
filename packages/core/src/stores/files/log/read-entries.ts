import { type DiskFile, type Entry, type EntryPlace, ok, type Result } from "../../../spec/index.ts";
import { type ReadLogOptions, readLog } from "./read-log.ts";

/** Called once per entry, in order; the next one waits. A failure ends the reading. */
export type EntryUse = (entry: Entry, place: EntryPlace) => Promise<Result<void>>;

/** As `readLog`, for work on each entry that takes time: no more than one chunk's entries are held at once. */
export async function readEntries(
  file: DiskFile,
  use: EntryUse,
  options: ReadLogOptions = {},
): ReturnType<typeof readLog> {
  let waiting: { readonly entry: Entry; readonly place: EntryPlace }[] = [];

  async function useWaiting(): Promise<Result<void>> {
    const batch = waiting;
    waiting = [];
    for (const { entry, place } of batch) {
      const used = await use(entry, place);
      if (!used.ok) return used;
    }
    return ok();
  }

  const paced: DiskFile = {
    ...file,
    async read(position, into) {
      const used = await useWaiting();
      return used.ok ? file.read(position, into) : used;
    },
  };
  const read = await readLog(paced, (entry, place) => void waiting.push({ entry, place }), options);
  if (!read.ok) return read;
  const used = await useWaiting();
  return used.ok ? read : used;
}
