import type { Database } from "../database.ts";

export const mailChannel = "palimpsest_mail";

/** What is notified when a mail was sent. */
export function toWakePayload(schema: string, project: string, to: string): string {
  return [schema, project, to].join("\n");
}

/** Tells those who wait for mail, all over one connection: from the first who waits until the database is closed. */
export interface MailWakes {
  watch(payload: string, wake: () => void, signal: AbortSignal): void;
}

const wakesOf = new WeakMap<Database, MailWakes>();

/** One for all mailboxes of a database. */
export function mailWakes(database: Database): MailWakes {
  const known = wakesOf.get(database) ?? createMailWakes(database);
  wakesOf.set(database, known);
  return known;
}

interface Watcher {
  readonly payload: string;
  readonly wake: () => void;
}

function createMailWakes(database: Database): MailWakes {
  const watchers = new Set<Watcher>();
  let isListening = false;

  /** An empty payload says that some may have been missed. */
  function tell(payload: string): void {
    for (const watcher of [...watchers]) if (payload === "" || payload === watcher.payload) watcher.wake();
  }

  return {
    watch(payload, wake, signal) {
      if (signal.aborted) return;
      const watcher = { payload, wake };
      watchers.add(watcher);
      signal.addEventListener("abort", () => watchers.delete(watcher), { once: true });
      if (isListening) return;
      isListening = true;
      database.listen(mailChannel, tell, new AbortController().signal);
    },
  };
}
