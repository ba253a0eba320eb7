import type { LearnedStore } from "../../spec/index.ts";

/** Under which name it is kept, for all projects together. */
export const usesName = "memory-uses";

type Counts = ReadonlyMap<string, number>;

/** How often memories were of use. Losing a count costs accuracy and nothing else. */
export interface MemoryUses {
  add(path: string): void;
  /** What was stored, and what was added since. */
  counts(): Promise<Counts>;
  /** Stores what was added. */
  settle(): Promise<void>;
}

export function createMemoryUses(store: LearnedStore | undefined, project: string): MemoryUses {
  let added = new Map<string, number>();

  return {
    add(path) {
      added.set(path, (added.get(path) ?? 0) + 1);
    },
    async counts() {
      const stored = await store?.read(usesName);
      return sum(readProject(stored?.ok ? stored.value : undefined, project), added);
    },
    async settle() {
      if (store === undefined || added.size === 0) return;
      const own = added;
      added = new Map();
      const stored = await store.read(usesName);
      const value = stored.ok ? stored.value : undefined;
      const counts = sum(readProject(value, project), own);
      const projects = { ...projectsOf(value), [project]: Object.fromEntries(counts) };
      await store.write(usesName, { version: 1, projects });
    },
  };
}

function sum(counts: Counts, more: Counts): Counts {
  const total = new Map(counts);
  for (const [path, count] of more) total.set(path, (total.get(path) ?? 0) + count);
  return total;
}

/** Anything may stand in the file: what is no count is passed over. */
function readProject(value: unknown, project: string): Counts {
  const projects = projectsOf(value);
  const counts = Object.hasOwn(projects, project) ? projects[project] : undefined;
  return new Map(
    Object.entries(isObject(counts) ? counts : {}).filter(
      (pair): pair is [string, number] => Number.isSafeInteger(pair[1]) && Number(pair[1]) > 0,
    ),
  );
}

function projectsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) && isObject(value.projects) ? value.projects : {};
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
