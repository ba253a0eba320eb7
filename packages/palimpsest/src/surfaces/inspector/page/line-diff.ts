export interface LineChange {
  readonly type: "same" | "added" | "removed";
  readonly text: string;
}

/** More than this many pairs of lines are not compared one by one: all of the middle went, all of it came. */
const maxPairs = 4_000_000;

/** How one text became another, line by line, with as few changes as there can be. */
export function diffLines(before: string, after: string): readonly LineChange[] {
  const old = toLines(before);
  const young = toLines(after);
  let start = 0;
  while (start < old.length && start < young.length && old[start] === young[start]) start += 1;
  let end = 0;
  const room = Math.min(old.length, young.length) - start;
  while (end < room && old[old.length - 1 - end] === young[young.length - 1 - end]) end += 1;
  return [
    ...old.slice(0, start).map((text) => ({ type: "same", text }) as const),
    ...diffMiddle(old.slice(start, old.length - end), young.slice(start, young.length - end)),
    ...old.slice(old.length - end).map((text) => ({ type: "same", text }) as const),
  ];
}

const toLines = (text: string) => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));

function diffMiddle(old: readonly string[], young: readonly string[]): LineChange[] {
  if (old.length * young.length > maxPairs || old.length === 0 || young.length === 0) {
    return [
      ...old.map((text) => ({ type: "removed", text }) as const),
      ...young.map((text) => ({ type: "added", text }) as const),
    ];
  }
  return walk(old, young, commonLengths(old, young));
}

/** At `i * width + j`: how many lines the texts from `i` and from `j` on have in common. */
function commonLengths(old: readonly string[], young: readonly string[]): Uint32Array {
  const width = young.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = young.length - 1; j >= 0; j -= 1) {
      const [same = 0, down = 0, right = 0] = [
        lengths[(i + 1) * width + j + 1],
        lengths[(i + 1) * width + j],
        lengths[i * width + j + 1],
      ];
      lengths[i * width + j] = old[i] === young[j] ? same + 1 : Math.max(down, right);
    }
  }
  return lengths;
}

function walk(old: readonly string[], young: readonly string[], lengths: Uint32Array): LineChange[] {
  const width = young.length + 1;
  const changes: LineChange[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < young.length) {
    const goesDown = (lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0);
    if (i < old.length && j < young.length && old[i] === young[j]) {
      changes.push({ type: "same", text: old[i] ?? "" });
      i += 1;
      j += 1;
    } else if (j >= young.length || (i < old.length && goesDown)) {
      changes.push({ type: "removed", text: old[i] ?? "" });
      i += 1;
    } else {
      changes.push({ type: "added", text: young[j] ?? "" });
      j += 1;
    }
  }
  return changes;
}
