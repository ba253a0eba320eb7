import type { CatalogRow } from "./capability-rows.ts";

/** The catalog's row for one model, and how far it can be believed. */
export interface Found<Value> {
  /** False when the defaults for unknown models stand in, wholly or for what matters most. */
  readonly known: boolean;
  /** Id of the row, or `unknown`. */
  readonly row: string;
  /** The month in which the row was last checked; absent for an unknown model. */
  readonly asOf?: string;
  readonly value: Value;
  /** Fields that rest on no source: chosen in the row, or the defaults for unknown models. */
  readonly assumed: readonly string[];
  /** Fields that the overrides gave. */
  readonly overridden: readonly string[];
  readonly note?: string;
}

export interface CatalogTable<Value extends object> {
  readonly rows: readonly CatalogRow<Value>[];
  readonly unknown: Value;
  /** The fields that make a model known when the overrides give them. */
  readonly essential: readonly (keyof Value & string)[];
  readonly overrides: Readonly<Record<string, object>>;
  merge(value: Value, override: object): Value;
}

/** So many names are remembered; a log may name any number of them. */
const rememberedNames = 64;

/** `findRow`, once a name: every layer and every response asks for the same few. What it gives is frozen. */
export function createRowFinder<Value extends object>(
  table: CatalogTable<Value>,
): (model: string) => Found<Value> {
  const known = new Map<string, Found<Value>>();
  return (model) => {
    const before = known.get(model);
    if (before) return before;
    const found = findRow(table, model);
    Object.freeze(found.value);
    if (known.size >= rememberedNames) known.clear();
    known.set(model, Object.freeze(found));
    return found;
  };
}

/** The row of a model, with the first override that names it laid over it. */
function findRow<Value extends object>(table: CatalogTable<Value>, model: string): Found<Value> {
  const name = normalizeModelName(model);
  const row = table.rows.find(({ pattern }) => pattern.test(name));
  const override = overrideFor(table.overrides, model) ?? {};
  const overridden = Object.entries(override).flatMap(([field, value]) => (value === undefined ? [] : field));
  const assumed = row?.assumed ?? Object.keys(table.unknown);
  return {
    known: row !== undefined || table.essential.every((field) => overridden.includes(field)),
    row: row?.id ?? "unknown",
    ...(row && { asOf: row.asOf }),
    value: table.merge(row?.value ?? table.unknown, override),
    assumed: assumed.filter((field) => !overridden.includes(field)),
    overridden,
    ...(row?.note !== undefined && { note: row.note }),
  };
}

function overrideFor(overrides: Readonly<Record<string, object>>, model: string): object | undefined {
  const keys = Object.keys(overrides);
  const exact = keys.filter((key) => !key.includes("*"));
  const key =
    exact.find((candidate) => withoutSuffix(candidate) === withoutSuffix(model)) ??
    exact.find((candidate) => normalizeModelName(candidate) === normalizeModelName(model)) ??
    keys.find((candidate) => candidate.includes("*") && matchesGlob(candidate, model));
  return key === undefined ? undefined : overrides[key];
}

function matchesGlob(glob: string, model: string): boolean {
  const parts = withoutSuffix(glob)
    .split("*")
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  const pattern = new RegExp(`^${parts.join(".*")}$`);
  return pattern.test(withoutSuffix(model)) || pattern.test(normalizeModelName(model));
}

const claude = /claude|^(?:opus|sonnet|haiku|fable)-\d/;
const known = new Map<string, string>();

/**
 * One spelling for the many names of a model: lower case, without the `[1m]` suffix, the vendor's path or region,
 * router variants, dates and deployment versions. Versions of Claude are written with a dot, and without a zero behind it:
 * `claude-opus-4.5`, and `claude-opus-4` for `claude-opus-4-0`.
 */
export function normalizeModelName(name: string): string {
  const before = known.get(name);
  if (before !== undefined) return before;
  if (known.size >= rememberedNames) known.clear();
  const normalised = normalise(name);
  known.set(name, normalised);
  return normalised;
}

function normalise(name: string): string {
  const whole = withoutSuffix(name);
  const own = whole
    .slice(whole.lastIndexOf("/") + 1)
    .replace(/^ft:/, "")
    .replace(/^(?:[a-z-]+\.)?anthropic\./, "")
    .replace(/:(?:beta|exacto|extended|floor|free|nitro|online|thinking)$/, "");
  return claude.test(own) ? claudeName(own) : own.replace(/-(?:20\d{2}-\d{2}-\d{2}|latest)$/, "");
}

/** Lower case, and without what a user adds in brackets to ask for a larger window. */
function withoutSuffix(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/\[[^\]]*\]$/, "")
    .trimEnd();
}

function claudeName(name: string): string {
  return name
    .replace(/@.*$/, "")
    .replace(/-v\d+(?::\d+k?)*$/, "")
    .replace(/-(?:20\d{6}|latest)/, "")
    .replace(/(\d)-(\d{1,2})(?!\d)/, "$1.$2")
    .replace(/(\d)\.0(?!\d)/, "$1");
}
