import type { Database } from "../database.ts";

const mailChannel = "palimpsest_mail";

/** The payload of the notification that a mail was sent. */
export function toWakePayload(schema: string, project: string, to: string): string {
  return [schema, project, to].join("\n");
}

/** Tells those who wait for mail, all over one connection: from the first who waits until the database is closed. */
interface MailWakes {
  /**
   * Says that a mail was sent; nobody waits for it. Not part of the sending, since commits that notify wait for each
   * other, and each for the disk. All that is told while one statement is
   * under way goes into the next.
   */
  tell(payload: string): void;
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
  /** Receivers still to be told, while somebody does so. */
  let telling: Set<string> | null = null;

  async function tellAll(): Promise<void> {
    while (telling !== null && telling.size > 0) {
      const payloads = [...telling];
      telling.clear();
      // Whoever misses it looks by itself.
      await database.query("select pg_notify($1, payload) from unnest($2::text[]) as payload", [
        mailChannel,
        payloads,
      ]);
    }
    telling = null;
  }

  /** An empty payload says that some may have been missed. */
  function wakeAll(payload: string): void {
    for (const watcher of [...watchers]) if (payload === "" || payload === watcher.payload) watcher.wake();
  }

  return {
    tell(payload) {
      const isUnderWay = telling !== null;
      telling ??= new Set();
      telling.add(payload);
      if (!isUnderWay) void tellAll();
    },
    watch(payload, wake, signal) {
      if (signal.aborted) return;
      const watcher = { payload, wake };
      watchers.add(watcher);
      signal.addEventListener("abort", () => watchers.delete(watcher), { once: true });
      if (isListening) return;
      isListening = true;
      database.listen(mailChannel, wakeAll, new AbortController().signal);
    },
  };
}
