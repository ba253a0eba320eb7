import { type FSWatcher, watch } from "node:fs";
import { fileStamp } from "../read/file-stamp.ts";

export interface WatchOptions {
  /** Changes within this time are told as one. */
  readonly settleMs?: number;
  /** How often is looked where the system does not tell; it does not for every file system. */
  readonly pollMs?: number;
}

/**
 * Tells once as soon as it watches, since a file may have changed before, and then whenever it has grown or was
 * replaced, until the function given back is called. Only looks: the file is not opened.
 */
export function watchFile(path: string, onChange: () => void, options: WatchOptions = {}): () => void {
  const { settleMs = 100, pollMs = 1_000 } = options;
  let watcher: FSWatcher | null = null;
  let settling: NodeJS.Timeout | null = null;
  let seen: string | null = null;
  let isEnded = false;

  async function look(): Promise<void> {
    const now = await fileStamp(path);
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
    watcher = watch(path, { persistent: false }, soon);
    watcher.on("error", () => watcher?.close());
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
