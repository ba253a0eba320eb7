import { diffLines, type LineChange, toLines } from "./diff-lines.ts";

export interface UnifiedDiff {
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
