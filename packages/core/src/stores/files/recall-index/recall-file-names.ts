const digits = 12;
const manifestName = /^manifest-(\d{12})$/;
const anyName = /^[a-z]+-(\d{12})(?:-[\w-]+)?(?:\.tmp)?$/;

export function manifestFileName(generation: number): string {
  return `manifest-${String(generation).padStart(digits, "0")}`;
}

/** Names the generation it is made for, so that nobody clears it away before that one is there or lost. */
export function partFileName(what: "segment" | "vectors", generation: number, id: string): string {
  return `${what}-${String(generation).padStart(digits, "0")}-${id}`;
}

/** The generations whose manifests are among the names, newest first. */
export function generationsIn(names: readonly string[]): readonly number[] {
  return names
    .flatMap((name) => manifestName.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => b - a);
}

/** The generation a file was made for; `undefined` for a file that is not of an index. */
export function generationOf(name: string): number | undefined {
  const found = anyName.exec(name)?.[1];
  return found === undefined ? undefined : Number(found);
}
