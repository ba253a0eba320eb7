const barColumns = 24;

/** A bar, what is counted and how far it is. */
export function progressBar(what: string, done: number, all: number): string {
  const filled = all === 0 ? barColumns : Math.floor((Math.min(done, all) / all) * barColumns);
  return `${what} ${"█".repeat(filled)}${"░".repeat(barColumns - filled)} ${done}/${all}`;
}
