import { fail } from "../../../src/spec/index.ts";
import type { Database } from "../../../src/stores/postgres/database.ts";

/**
 * The same database behind a line that loses the answer to everything the first time it is sent: it is done, nobody
 * hears so, and it is sent again if it says that it may be.
 */
export function loseAnswers(database: Database): Database {
  const lost = () =>
    fail("disconnected", "The answer was lost.", { retryable: true, facts: { outcome: "unknown" } });
  return {
    ...database,
    async query(text, values, options = {}) {
      const first = await database.query<never>(text, values, options);
      if (!first.ok) return first;
      return options.isRepeatable ? database.query(text, values, options) : lost();
    },
    async transaction(work, options = {}) {
      const answered = await database.transaction(work, options);
      if (!answered.ok) return answered;
      return options.isRepeatable ? database.transaction(work, options) : lost();
    },
  };
}
