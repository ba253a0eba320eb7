import type { BlamedLine, TreeVersion } from "../spec/index.ts";

interface UnifiedDiff {
  /** Empty where nothing differs. */
  readonly text: string;
  readonly added: number;
  readonly removed: number;
}

const contextLines = 3;

/** The difference of two texts in the form that `patch` and people read. */
export function unifiedDiff(
  before: string,
  after: string,
  labels: { readonly before: string; readonly after: string },
): UnifiedDiff {
  const [old, fresh] = [toLines(before), toLines(after)];
  const changes = diffLines(old, fresh);
  if (changes.length === 0) return { text: "", added: 0, removed: 0 };
  const hunks = groupChanges(changes).map((group) => renderHunk(group, old, fresh));
  return {
    text: `${[`--- ${labels.before}`, `+++ ${labels.after}`, ...hunks.flat()].join("\n")}\n`,
    added: changes.reduce((sum, { to, toEnd }) => sum + toEnd - to, 0),
    removed: changes.reduce((sum, { from, fromEnd }) => sum + fromEnd - from, 0),
  };
}

/** Changes whose surroundings meet are shown together. */
function groupChanges(changes: readonly LineChange[]): readonly LineChange[][] {
  const groups: LineChange[][] = [];
  for (const change of changes) {
    const last = groups.at(-1)?.at(-1);
    if (last !== undefined && change.from - last.fromEnd <= 2 * contextLines) groups.at(-1)?.push(change);
    else groups.push([change]);
  }
  return groups;
}

function renderHunk(
  group: readonly LineChange[],
  old: readonly string[],
  fresh: readonly string[],
): readonly string[] {
  const first = group[0] as LineChange;
  const last = group.at(-1) as LineChange;
  const start = Math.max(0, first.from - contextLines);
  const end = Math.min(old.length, last.fromEnd + contextLines);
  const freshStart = first.to - (first.from - start);
  const freshEnd = last.toEnd + (end - last.fromEnd);
  const lines: string[] = [];
  let at = start;
  for (const { from, fromEnd, to, toEnd } of group) {
    lines.push(...old.slice(at, from).map((line) => ` ${line}`));
    lines.push(...old.slice(from, fromEnd).map((line) => `-${line}`));
    lines.push(...fresh.slice(to, toEnd).map((line) => `+${line}`));
    at = fromEnd;
  }
  lines.push(...old.slice(at, end).map((line) => ` ${line}`));
  return [`@@ -${range(start, end)} +${range(freshStart, freshEnd)} @@`, ...lines];
}

function range(start: number, end: number): string {
  const count = end - start;
  return `${count === 0 ? start : start + 1}${count === 1 ? "" : `,${count}`}`;
}

export interface VersionText {
  readonly version: TreeVersion;
  /** Empty for a removal. */
  readonly text: string;
}

/** Which version brought each line of the newest text. `history` is oldest first. */
export function blameLines(history: readonly VersionText[]): readonly BlamedLine[] {
  let blamed: readonly BlamedLine[] = [];
  for (const { version, text } of history) {
    const lines = toLines(text);
    const changes = diffLines(
      blamed.map(({ line }) => line),
      lines,
    );
    const next: BlamedLine[] = [];
    let at = 0;
    for (const { from, fromEnd, to, toEnd } of changes) {
      next.push(...blamed.slice(at, from));
      next.push(...lines.slice(to, toEnd).map((line) => ({ line, version })));
      at = fromEnd;
    }
    blamed = [...next, ...blamed.slice(at)];
  }
  return blamed;
}

/** Lines `from`…`fromEnd` of the one text stand where the other has `to`…`toEnd`; ends are exclusive. */
export interface LineChange {
  readonly from: number;
  readonly fromEnd: number;
  readonly to: number;
  readonly toEnd: number;
}

/** Beyond so many differing lines no shortest way is looked for: the differing part counts as replaced whole. */
const maxDifferences = 1_500;

/** The changes that make one list of lines the other, in order, as few lines as possible. */
export function diffLines(before: readonly string[], after: readonly string[]): readonly LineChange[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let beforeEnd = before.length;
  let afterEnd = after.length;
  while (beforeEnd > start && afterEnd > start && before[beforeEnd - 1] === after[afterEnd - 1]) {
    beforeEnd -= 1;
    afterEnd -= 1;
  }
  if (start === beforeEnd && start === afterEnd) return [];
  const kept = commonLines(before.slice(start, beforeEnd), after.slice(start, afterEnd));
  return changesBetween(kept, start, beforeEnd, afterEnd);
}

export function toLines(text: string): readonly string[] {
  const lines = text.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

type Pair = readonly [before: number, after: number];

function changesBetween(
  kept: readonly Pair[],
  start: number,
  beforeEnd: number,
  afterEnd: number,
): readonly LineChange[] {
  const changes: LineChange[] = [];
  let [from, to] = [start, start];
  for (const [before, after] of [
    ...kept.map(([a, b]) => [a + start, b + start] as const),
    [beforeEnd, afterEnd] as const,
  ]) {
    if (before > from || after > to) changes.push({ from, fromEnd: before, to, toEnd: after });
    [from, to] = [before + 1, after + 1];
  }
  return changes;
}

/** Myers' greedy way through the edit graph: for each number of differences, how far each diagonal reaches. */
function commonLines(before: readonly string[], after: readonly string[]): readonly Pair[] {
  const trace: Map<number, number>[] = [];
  let reach = new Map<number, number>([[1, 0]]);
  for (
    let differences = 0;
    differences <= Math.min(maxDifferences, before.length + after.length);
    differences += 1
  ) {
    const next = new Map<number, number>();
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      let x = firstColumn(reach, diagonal, differences);
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x += 1;
      next.set(diagonal, x);
      if (x >= before.length && x - diagonal >= after.length)
        return walkBack([...trace, reach], before.length, after.length);
    }
    trace.push(reach);
    reach = next;
  }
  return [];
}

function firstColumn(reach: ReadonlyMap<number, number>, diagonal: number, differences: number): number {
  const above = reach.get(diagonal + 1) ?? -1;
  const left = reach.get(diagonal - 1) ?? -1;
  const isDown = diagonal === -differences || (diagonal !== differences && left < above);
  return isDown ? above : left + 1;
}

function walkBack(
  trace: readonly ReadonlyMap<number, number>[],
  beforeCount: number,
  afterCount: number,
): readonly Pair[] {
  const pairs: Pair[] = [];
  let [x, y] = [beforeCount, afterCount];
  for (let differences = trace.length - 1; differences >= 0; differences -= 1) {
    const reach = trace[differences] as ReadonlyMap<number, number>;
    const diagonal = x - y;
    const startX = firstColumn(reach, diagonal, differences);
    const startY = startX - diagonal;
    while (x > Math.max(startX, 0) && y > Math.max(startY, 0)) {
      x -= 1;
      y -= 1;
      pairs.push([x, y]);
    }
    if (differences === 0) break;
    const isDown =
      diagonal === -differences ||
      (diagonal !== differences && (reach.get(diagonal - 1) ?? -1) < (reach.get(diagonal + 1) ?? -1));
    [x, y] = isDown ? [startX, startY - 1] : [startX - 1, startY];
  }
  return pairs.reverse();
}
