import {
  type Ids,
  ok,
  type Result,
  type SpendingClaim,
  type SpendingLedger,
  type SpendingToken,
} from "../../../spec/index.ts";
import {
  checkDay,
  overBudget,
  toAmount,
  toClaimedAmount,
  toDollars,
  usualHeldMs,
} from "../../../view/spending-claim.ts";
import type { Database } from "../database.ts";

export interface PostgresSpendingOptions {
  readonly database: Database;
  readonly ids: Ids;
  readonly heldMs?: number;
}

interface ClaimRow {
  readonly is_given: boolean;
  readonly has_row: boolean;
}

const again = { isRepeatable: true } as const;
/** How long a reservation that is over is remembered, for somebody who says late what it came to. */
const rememberedDays = 2;
/** A row that is not there, one whose dead are not swept, and the same statement twice at once: each is met once. */
const mostTries = 4;

/** A row for each scope and day decides: whoever changes it waits for the one before, and looks again. */
export function createPostgresSpendingLedger(options: PostgresSpendingOptions): SpendingLedger {
  const { database, ids, heldMs = usualHeldMs } = options;
  const { schema } = database;

  /** Asked again after a lost answer it finds its own reservation, and takes nothing more. */
  const claimSql = `
    with present as (select 1 from ${schema}.spending_reservation where id = $1),
    taken as (
      update ${schema}.spending set held = held + $4
      where scope = $2 and day = $3::date and spent + held + $4 <= $5 and not exists (select 1 from present)
      returning 1
    ),
    made as (
      insert into ${schema}.spending_reservation (id, scope, day, amount, until)
      select $1, $2, $3::date, $4, clock_timestamp() + $6 * interval '1 millisecond' from taken
      returning 1
    )
    select exists (select 1 from present) or exists (select 1 from made) as is_given,
      exists (select 1 from ${schema}.spending where scope = $2 and day = $3::date) as has_row`;

  const sweepSql = `
    with dead as (
      select id from ${schema}.spending_reservation
      where until < clock_timestamp() and not is_over order by id for update skip locked
    ),
    over as (
      update ${schema}.spending_reservation r set is_over = true from dead where r.id = dead.id
      returning r.scope, r.day, r.amount
    ),
    sums as (select scope, day, sum(amount) as amount from over group by scope, day),
    forgotten as (
      delete from ${schema}.spending_reservation
      where is_over and until < clock_timestamp() - interval '${rememberedDays} days'
    )
    update ${schema}.spending s set held = s.held - sums.amount
    from sums where s.scope = sums.scope and s.day = sums.day`;

  /** Its own row is the sign that it was not settled yet. */
  const settleSql = `
    with settled as (
      delete from ${schema}.spending_reservation where id = $1
      returning scope, day, case when is_over then 0 else amount end as amount
    )
    update ${schema}.spending s set held = s.held - settled.amount, spent = s.spent + $2
    from settled where s.scope = settled.scope and s.day = settled.day`;

  async function claimOnce(
    id: string,
    claim: SpendingClaim,
    values: readonly unknown[],
  ): Promise<Result<ClaimRow>> {
    const done = await database.query<ClaimRow>(
      claimSql,
      [id, bytesOf(claim.scope), claim.day, ...values],
      again,
    );
    return done.ok ? ok(done.value.rows[0] ?? { is_given: false, has_row: true }) : done;
  }

  async function sumsOf(scope: string, day: string) {
    return database.query<{ readonly spent: number; readonly held: number }>(
      `select s.spent, s.held - coalesce((
         select sum(amount) from ${schema}.spending_reservation r
         where r.scope = s.scope and r.day = s.day and not r.is_over and r.until < clock_timestamp()), 0)::bigint as held
       from ${schema}.spending s where s.scope = $1 and s.day = $2::date`,
      [bytesOf(scope), day],
      again,
    );
  }

  async function prepare({ scope, day }: SpendingClaim, hasRow: boolean): Promise<Result<unknown>> {
    if (hasRow) return database.query(sweepSql, [], again);
    const sql = `insert into ${schema}.spending (scope, day) values ($1, $2::date) on conflict do nothing`;
    return database.query(sql, [bytesOf(scope), day], again);
  }

  return {
    async reserve(claim) {
      const { scope, day, dollars } = claim;
      const claimed = toClaimedAmount(claim);
      if (!claimed.ok) return claimed;
      const { amount, limit } = claimed.value;
      const id = ids.next("spend");
      let isSwept = false;
      for (let tries = 1; tries <= mostTries; tries += 1) {
        const done = await claimOnce(id, claim, [amount, limit, heldMs]);
        if (!done.ok && isSameTwice(done)) continue;
        if (!done.ok) return done;
        if (done.value.is_given) return ok({ id, scope, day, dollars });
        if (done.value.has_row && isSwept) break;
        const prepared = await prepare(claim, done.value.has_row);
        if (!prepared.ok) return prepared;
        isSwept = done.value.has_row;
      }
      const sums = await sumsOf(scope, day);
      return sums.ok ? overBudget(claim, sums.value.rows[0] ?? { spent: 0, held: 0 }) : sums;
    },
    async settle({ id }: SpendingToken, dollars) {
      const amount = toAmount(dollars);
      if (!amount.ok) return amount;
      const done = await database.query(settleSql, [id, amount.value], again);
      return done.ok ? ok() : done;
    },
    async spent(scope, day) {
      const checked = checkDay(day);
      if (!checked.ok) return checked;
      const sums = await sumsOf(scope, day);
      if (!sums.ok) return sums;
      const { spent, held } = sums.value.rows[0] ?? { spent: 0, held: 0 };
      return ok({ dollars: toDollars(spent), reserved: toDollars(held) });
    },
  };
}

/** A statement whose answer was lost may still be at work when it is sent again. */
function isSameTwice(result: Result<unknown>): boolean {
  return !result.ok && result.error.facts.database === "23505";
}

const bytesOf = (text: string) => Buffer.from(text, "utf8");
