/** One line of a day's file. Amounts are whole billionths of a dollar. */
export type SpendingLine =
  | {
      readonly reserve: string;
      readonly scope: string;
      readonly amount: number;
      readonly limit: number;
      readonly atMs: number;
      readonly heldMs: number;
    }
  | { readonly settle: string; readonly scope: string; readonly amount: number; readonly atMs: number };

interface Held {
  readonly amount: number;
  readonly untilMs: number;
}

/** Goes through the lines of a day in their order: what each came to is the same for everybody who reads them. */
export interface SpendingLines {
  add(line: SpendingLine): void;
  /** Whether a reservation was given; `undefined` before its line was seen. */
  outcome(id: string): boolean | undefined;
  sums(scope: string, nowMs: number): { readonly spent: number; readonly held: number };
}

interface Scope {
  spent: number;
  readonly held: Map<string, Held>;
}

export function createSpendingLines(): SpendingLines {
  const scopes = new Map<string, Scope>();
  const outcomes = new Map<string, boolean>();
  const settled = new Set<string>();

  function scopeOf(name: string): Scope {
    const known = scopes.get(name) ?? { spent: 0, held: new Map() };
    scopes.set(name, known);
    return known;
  }

  return {
    add(line) {
      const scope = scopeOf(line.scope);
      if ("settle" in line) {
        if (settled.has(line.settle)) return;
        settled.add(line.settle);
        scope.held.delete(line.settle);
        scope.spent += line.amount;
        return;
      }
      const { reserve: id, amount, limit, atMs, heldMs } = line;
      if (outcomes.has(id)) return;
      const isGiven = scope.spent + heldAt(scope, atMs) + amount <= limit;
      outcomes.set(id, isGiven);
      if (isGiven && !settled.has(id)) scope.held.set(id, { amount, untilMs: atMs + heldMs });
    },
    outcome: (id) => outcomes.get(id),
    sums(name, nowMs) {
      const scope = scopeOf(name);
      return { spent: scope.spent, held: heldAt(scope, nowMs) };
    },
  };
}

/** What the dead have held is free again. */
function heldAt({ held }: Scope, nowMs: number): number {
  let sum = 0;
  for (const { amount, untilMs } of held.values()) if (untilMs > nowMs) sum += amount;
  return sum;
}

const isAmount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;

/** What nobody can read, such as half a line, is no line. */
export function parseSpendingLine(text: string): SpendingLine | null {
  try {
    const line = JSON.parse(text) as Partial<Record<string, unknown>> | null;
    if (!line || typeof line.scope !== "string" || !isAmount(line.amount) || !Number.isFinite(line.atMs))
      return null;
    if (typeof line.settle === "string") return line as unknown as SpendingLine;
    const isWhole = typeof line.reserve === "string" && isAmount(line.limit) && isAmount(line.heldMs);
    return isWhole ? (line as unknown as SpendingLine) : null;
  } catch {
    return null;
  }
}
