import { ok, type Result, type Store } from "../../spec/index.ts";
import { type DreamRecord, listRecordIds } from "./dream-record.ts";

/**
 * Finishes what a dream that died has begun, so that memory is as before or as after it; gives the dreams concerned. For
 * everybody who opens a memory folder: where nothing was interrupted, it is one listing. None while another one dreams.
 */
export async function recoverDreams(store: Store): Promise<Result<readonly DreamRecord[]>> {
  const { consolidateLock: lock } = store;
  if (!lock) return ok([]);
  const interrupted = await listRecordIds(store.tree("dreams"), "interrupted");
  if (!interrupted.ok) return interrupted;
  if (interrupted.value.length === 0) return ok([]);
  const { openChanges } = await import("./open-changes.ts");
  return openChanges(store, lock).changes.recover();
}
