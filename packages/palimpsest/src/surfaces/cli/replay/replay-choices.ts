import { catalogRowName, modelRow, type PriceRow, ratioRow, ratioRows } from "../../../replay/index.ts";
import { UsageError } from "../usage-error.ts";

export interface ReplayFlags {
  readonly discover?: boolean;
  readonly policies?: string;
  readonly policy?: readonly string[];
  readonly prices?: string;
  readonly ttl: string;
  readonly jobs?: string;
  readonly json?: boolean;
  readonly markdown?: string;
  readonly html?: string;
}

/** What was asked for, checked. */
export interface ReplayChoices {
  readonly ttl: "5m" | "1h";
  readonly priceRows: readonly PriceRow[];
  readonly hasCatalogRow: boolean;
  readonly jobs: number;
}

const maxJobs = 256;

export function readChoices(flags: ReplayFlags, cores: number): ReplayChoices {
  const { ttl } = flags;
  if (ttl !== "5m" && ttl !== "1h")
    throw new UsageError(`--ttl is “${ttl}”, but must be 5m or 1h; use: palimpsest replay FILES… --ttl 1h`);
  return { ttl, jobs: readJobs(flags.jobs, cores), ...readPrices(flags.prices) };
}

function readJobs(jobs: string | undefined, cores: number): number {
  if (jobs === undefined) return Math.max(1, cores);
  const count = /^\d+$/.test(jobs) ? Number(jobs) : 0;
  if (count >= 1 && count <= maxJobs) return count;
  throw new UsageError(
    `--jobs is “${jobs}”, but must be a number from 1 to ${maxJobs}; use: palimpsest replay FILES… --jobs 2`,
  );
}

function readPrices(given: string | undefined): Pick<ReplayChoices, "priceRows" | "hasCatalogRow"> {
  if (given === undefined) return { priceRows: ratioRows, hasCatalogRow: true };
  const names = [...new Set(given.split(",").map((name) => name.trim()))];
  const rows = names.filter((name) => name !== catalogRowName).map(readRow);
  return { priceRows: rows, hasCatalogRow: names.includes(catalogRowName) };
}

function readRow(name: string): PriceRow {
  const ratio = /^\d*\.?\d+$/.test(name) ? Number(name) : Number.NaN;
  if (ratio > 0 && ratio <= 1) return ratioRow(ratio);
  const row = Number.isNaN(ratio) ? modelRow(name) : null;
  if (row) return row;
  throw new UsageError(
    `--prices: “${name}” is neither a part of input (over 0, up to 1), nor a known model, nor catalog; use: palimpsest replay FILES… --prices 0.1,0.05,catalog`,
  );
}
