import { type FSWatcher, watch } from "node:fs";
import type { Watched } from "../read/opened-session.ts";

export interface WatchOptions {
  /** Changes within this time are told as one. */
  readonly settleMs?: number;
  /** How often is looked where the system does not tell: not for every file system, and for no database. */
  readonly pollMs?: number;
}

/**
 * Tells once as soon as it watches, since a session may have changed before, and then whenever it has grown or was
 * replaced, until the function given back is called. Only looks: nothing of it is read.
 */
export function watchSession(
  { file, stamp }: Watched,
  onChange: () => void,
  options: WatchOptions = {},
): () => void {
  const { settleMs = 100, pollMs = 1_000 } = options;
  let watcher: FSWatcher | null = null;
  let settling: NodeJS.Timeout | null = null;
  let seen: string | null = null;
  let isEnded = false;
  let isLooking = false;

  async function look(): Promise<void> {
    // A database may take longer to answer than the time between two looks.
    if (isLooking) return;
    isLooking = true;
    const now = await stamp();
    isLooking = false;
    if (isEnded || now === seen) return;
    seen = now;
    onChange();
  }

  function soon(): void {
    settling ??= setTimeout(() => {
      settling = null;
      void look();
    }, settleMs).unref();
  }

  try {
    watcher = file === undefined ? null : watch(file, { persistent: false }, soon);
    watcher?.on("error", () => watcher?.close());
  } catch {
    watcher = null;
  }
  void look();
  const poll = setInterval(() => void look(), pollMs).unref();
  return () => {
    isEnded = true;
    watcher?.close();
    clearInterval(poll);
    if (settling) clearTimeout(settling);
  };
}
