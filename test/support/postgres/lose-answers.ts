import { fail, type Result } from "../../../packages/core/src/spec/index.ts";
import type { Database, SendOptions } from "../../../packages/core/src/stores/postgres/database.ts";

/**
 * A database whose connection is cut after each write was committed and before its answer came. What may be repeated is
 * sent again, as the pool does; the others fail. `lost` counts the answers that were lost.
 */
export function losingAnswers(database: Database): Database & { readonly lost: () => number } {
  let lost = 0;

  async function twice<T>(send: () => Promise<Result<T>>, options: SendOptions = {}): Promise<Result<T>> {
    const first = await send();
    if (!first.ok) return first;
    lost += 1;
    if (options.isRepeatable) return send();
    return fail("disconnected", "The answer was lost.", { facts: { outcome: "unknown" } });
  }

  return {
    ...database,
    lost: () => lost,
    query: (text, values, options) => twice(() => database.query(text, values, options), options),
    transaction: (work, options) => twice(() => database.transaction(work, options), options),
  };
}

/** Does `between` after the first write is committed and before it is sent again. */
export function losingAnswerOnce(database: Database, between: () => Promise<unknown>): Database {
  let isLost = false;
  return {
    ...database,
    async query<Row extends object>(text: string, values?: readonly unknown[], options: SendOptions = {}) {
      const first = await database.query<Row>(text, values, options);
      if (isLost || !first.ok || !options.isRepeatable) return first;
      isLost = true;
      await between();
      return database.query<Row>(text, values, options);
    },
  };
}
