import { dollarsOf, promptTokens } from "@palimpsest/core/internal";
import type { Prices, Usage } from "@palimpsest/core/spec";
import type { CacheBreak, RequestColumns, ViewChange } from "../inspected.ts";

/** One request as it is put into the columns. */
export interface RequestRow {
  readonly at: number;
  readonly seq: number;
  readonly turn: number;
  readonly usage: Usage | undefined;
  /** The view's tokens by its items, by category. */
  readonly sums: readonly number[];
  readonly prices: Prices | null;
  readonly broken: CacheBreak | null;
  readonly view: ViewChange;
}

/** The requests so far, as columns. */
export interface RequestLog {
  readonly length: number;
  add(row: RequestRow): void;
  /** A later line of the newest response says more of its usage. Whether anything is different now. */
  amend(usage: Usage, prices: Prices | null, broken: CacheBreak | null): boolean;
  from(request: number): RequestColumns;
}

type Columns = { [Name in keyof RequestColumns]: RequestColumns[Name][number][] };

export function createRequestLog(): RequestLog {
  const columns: Columns = {
    at: [],
    seq: [],
    turn: [],
    tokens: [],
    byCategory: [],
    cacheRead: [],
    cacheWrite: [],
    uncached: [],
    output: [],
    dollars: [],
    breaks: [],
    views: [],
  };
  let sums: readonly number[] = [];

  function put(
    at: number,
    usage: Usage | undefined,
    prices: Prices | null,
    broken: CacheBreak | null,
  ): boolean {
    const tokens = usage ? promptTokens(usage) : sums.reduce((all, one) => all + one, 0);
    const next = {
      tokens,
      cacheRead: usage?.cacheRead ?? 0,
      cacheWrite: usage?.cacheCreation ?? 0,
      uncached: usage?.input ?? 0,
      output: usage?.output ?? 0,
    };
    const names = Object.keys(next) as (keyof typeof next)[];
    const isSame = names.every((name) => columns[name][at] === next[name]);
    for (const name of names) columns[name][at] = next[name];
    columns.byCategory[at] = shareTokens(tokens, sums);
    columns.dollars[at] = usage && prices ? dollarsOf(usage, prices) : null;
    columns.breaks[at] = broken;
    return !isSame;
  }

  return {
    get length() {
      return columns.at.length;
    },
    add({ at, seq, turn, usage, sums: now, prices, broken, view }) {
      sums = [...now];
      columns.at.push(at);
      columns.seq.push(seq);
      columns.turn.push(turn);
      columns.views.push(view);
      put(columns.at.length - 1, usage, prices, broken);
    },
    amend: (usage, prices, broken) => put(columns.at.length - 1, usage, prices, broken),
    from(request) {
      const entries = Object.entries(columns).map(([name, values]) => [name, values.slice(request)] as const);
      return Object.fromEntries(entries) as unknown as RequestColumns;
    },
  };
}

/**
 * Splits a whole number of tokens by weights: whole numbers that add up to it exactly. Where nothing weighs anything,
 * the last has all of it.
 */
export function shareTokens(total: number, weights: readonly number[]): readonly number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  if (sum <= 0) return weights.map((_, at) => (at === weights.length - 1 ? total : 0));
  const exact = weights.map((weight) => (total * weight) / sum);
  const shares = exact.map(Math.floor);
  const missing = total - shares.reduce((all, share) => all + share, 0);
  const byRest = exact
    .map((value, at) => ({ at, rest: value - Math.floor(value) }))
    .sort((one, other) => other.rest - one.rest || one.at - other.at);
  for (const { at } of byRest.slice(0, missing)) shares[at] = (shares[at] as number) + 1;
  return shares;
}
