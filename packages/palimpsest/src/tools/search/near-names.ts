/** The known names that are most like this one, best first; none that has little in common with it. */
export function nearNames(name: string, known: readonly string[], limit: number): readonly string[] {
  const wanted = pairsOf(name);
  return known
    .map((candidate) => ({ candidate, likeness: likeness(wanted, pairsOf(candidate)) }))
    .filter(({ likeness }) => likeness >= 0.25)
    .sort((one, other) => other.likeness - one.likeness)
    .slice(0, limit)
    .map(({ candidate }) => candidate);
}

/** Two letters each that follow one another, case and marks aside. */
function pairsOf(name: string): ReadonlySet<string> {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "")
    .slice(0, 200);
  return new Set(Array.from({ length: Math.max(1, plain.length - 1) }, (_, at) => plain.slice(at, at + 2)));
}

function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((pair) => other.has(pair)).length;
  return (2 * shared) / (one.size + other.size);
}
