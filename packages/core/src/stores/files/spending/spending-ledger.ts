import { isCount, isObject, parseJson } from "../../../json/json-values.ts";
import {
  type Clock,
  type Disk,
  type DiskFile,
  type Ids,
  ok,
  type Result,
  type SpendingLedger,
} from "../../../spec/index.ts";
import {
  checkDay,
  overBudget,
  toAmount,
  toClaimedAmount,
  toDollars,
  usualHeldMs,
} from "../../../view/spending-claim.ts";

export interface FileSpendingOptions {
  /** The data root. */
  readonly home: string;
  readonly disk: Disk;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly heldMs?: number;
}

interface Day {
  readonly path: string;
  readonly lines: SpendingLines;
  /** Bytes that were read; they end with a line's end. */
  end: number;
}

/**
 * One file a day, to which everybody only appends. Who gets what is decided by the order of the lines, which is the same
 * for all who read them: nobody waits for a lock, and nobody who dies leaves one.
 */
export function createFileSpendingLedger(options: FileSpendingOptions): SpendingLedger {
  const { disk, clock, ids, heldMs = usualHeldMs } = options;
  const folder = `${options.home}/spending`;
  let known: Day | null = null;
  let turn: Promise<unknown> = Promise.resolve();

  /** Readers of one process go one after another: they share what was read. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = turn.then(work);
    turn = done.catch(() => undefined);
    return done;
  }

  function dayOf(day: string): Day {
    const path = `${folder}/${day}.jsonl`;
    if (known?.path !== path) known = { path, lines: createSpendingLines(), end: 0 };
    return known;
  }

  async function write(day: string, line: SpendingLine): Promise<Result<void>> {
    const file = await openForAppend(disk, folder, `${folder}/${day}.jsonl`);
    if (!file.ok) return file;
    // The rest of a line that a crash has cut ends before this one.
    const written = await file.value.append(new TextEncoder().encode(`\n${JSON.stringify(line)}\n`));
    await file.value.close();
    return written;
  }

  return {
    async reserve(claim) {
      const { scope, day, dollars } = claim;
      const claimed = toClaimedAmount(claim);
      if (!claimed.ok) return claimed;
      const id = ids.next("spend");
      const atMs = clock.now();
      const written = await write(day, { reserve: id, scope, ...claimed.value, atMs, heldMs });
      if (!written.ok) return written;
      return inTurn(async () => {
        const { lines } = dayOf(day);
        const read = await readOn(disk, dayOf(day));
        if (!read.ok) return read;
        if (lines.outcome(id)) return ok({ id, scope, day, dollars });
        return overBudget(claim, lines.sums(scope, atMs));
      });
    },
    async settle({ id, scope, day }, dollars) {
      const amount = toAmount(dollars);
      if (!amount.ok) return amount;
      return write(day, { settle: id, scope, amount: amount.value, atMs: clock.now() });
    },
    async spent(scope, day) {
      const checked = checkDay(day);
      if (!checked.ok) return checked;
      return inTurn(async () => {
        const { lines } = dayOf(day);
        const read = await readOn(disk, dayOf(day));
        if (!read.ok && read.error.code !== "not-found") return read;
        const { spent, held } = lines.sums(scope, clock.now());
        return ok({ dollars: toDollars(spent), reserved: toDollars(held) });
      });
    },
  };
}

/** Takes in the whole lines that came since. */
async function readOn(disk: Disk, day: Day): Promise<Result<void>> {
  const file = await disk.open(day.path, "read");
  if (!file.ok) return file;
  try {
    const stat = await file.value.stat();
    if (!stat.ok) return stat;
    const bytes = new Uint8Array(Math.max(0, stat.value.bytes - day.end));
    const read = await file.value.read(day.end, bytes);
    if (!read.ok) return read;
    const whole = bytes.subarray(0, bytes.subarray(0, read.value).lastIndexOf(0x0a) + 1);
    for (const text of new TextDecoder().decode(whole).split("\n")) {
      const line = text === "" ? null : parseSpendingLine(text);
      if (line) day.lines.add(line);
    }
    day.end += whole.length;
    return ok();
  } finally {
    await file.value.close();
  }
}

/** Several processes may make the file at once: whoever comes second opens it. */
async function openForAppend(disk: Disk, folder: string, path: string): Promise<Result<DiskFile>> {
  const there = await disk.open(path, "append");
  if (there.ok || there.error.code !== "not-found") return there;
  const made = await disk.makeDirectory(folder);
  if (!made.ok) return made;
  const created = await disk.open(path, "create");
  return !created.ok && created.error.code === "exists" ? disk.open(path, "append") : created;
}

/** One line of a day's file. Amounts are whole billionths of a dollar. */
type SpendingLine =
  | {
      readonly reserve: string;
      readonly scope: string;
      readonly amount: number;
      readonly limit: number;
      readonly atMs: number;
      readonly heldMs: number;
    }
  | { readonly settle: string; readonly scope: string; readonly amount: number; readonly atMs: number };

interface HeldAmount {
  readonly amount: number;
  readonly untilMs: number;
}

/** Goes through the lines of a day in their order: what each came to is the same for everybody who reads them. */
interface SpendingLines {
  add(line: SpendingLine): void;
  /** Whether a reservation was given; `undefined` before its line was seen. */
  outcome(id: string): boolean | undefined;
  sums(scope: string, nowMs: number): { readonly spent: number; readonly held: number };
}

interface Scope {
  spent: number;
  readonly held: Map<string, HeldAmount>;
}

function createSpendingLines(): SpendingLines {
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

/** Amounts held by the dead are free again. */
function heldAt({ held }: Scope, nowMs: number): number {
  let sum = 0;
  for (const { amount, untilMs } of held.values()) if (untilMs > nowMs) sum += amount;
  return sum;
}

/** An unreadable text, such as half a line, is no line. */
function parseSpendingLine(text: string): SpendingLine | null {
  const line = parseJson(text);
  if (
    !isObject(line) ||
    typeof line.scope !== "string" ||
    !isCount(line.amount) ||
    !Number.isFinite(line.atMs)
  )
    return null;
  if (typeof line.settle === "string") return line as unknown as SpendingLine;
  const isWhole = typeof line.reserve === "string" && isCount(line.limit) && isCount(line.heldMs);
  return isWhole ? (line as unknown as SpendingLine) : null;
}
