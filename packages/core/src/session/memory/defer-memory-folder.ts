import type { MemoryFolder, SearchMemories } from "../../spec/index.ts";
import type { MemoryUses } from "./memory-history.ts";

/** How many hits a search gives when the caller does not say. */
export const defaultSearchLimit = 10;

export interface DeferredParts {
  readonly search: SearchMemories | undefined;
  readonly uses: MemoryUses;
  /** Done behind everything else when the folder is closed. */
  readonly close?: () => Promise<void>;
}

/** A folder whose parts are loaded with the first call that needs them: an answer of the index needs none. */
export function deferMemoryFolder(
  load: () => Promise<MemoryFolder>,
  { search, uses, close }: DeferredParts,
): MemoryFolder {
  let loaded: Promise<MemoryFolder> | undefined;
  const folder = () => {
    loaded ??= load();
    return loaded;
  };

  return {
    list: async (options) => (await folder()).list(options),
    survey: async () => (await folder()).survey(),
    read: async (path, version) => (await folder()).read(path, version),
    write: async (path, text, options) => (await folder()).write(path, text, options),
    writeOwnLines: async (text, options) => (await folder()).writeOwnLines(text, options),
    remove: async (path, options) => (await folder()).remove(path, options),
    history: async (path) => (await folder()).history(path),
    diff: async (path, range) => (await folder()).diff(path, range),
    blame: async (path) => (await folder()).blame(path),
    revert: async (target) => (await folder()).revert(target),
    confirm: async (path) => (await folder()).confirm(path),
    reject: async (path) => (await folder()).reject(path),
    async search(query, { limit = defaultSearchLimit, kinds } = {}) {
      if (search === undefined) return (await folder()).search(query, { limit, kinds });
      const hits = await search(query, { limit, ...(kinds ? { kinds } : {}) });
      if (!hits.ok) throw hits.error;
      return hits.value;
    },
    index: async () => (await folder()).index(),
    loadIndex: async () => (await folder()).loadIndex(),
    reindex: async () => (await folder()).reindex(),
    use: (path) => uses.add(path),
    uses: () => uses.counts(),
    doctor: async () => (await folder()).doctor(),
    import: async (source, options) => (await folder()).import(source, options),
    export: async () => (await folder()).export(),
    async close() {
      await uses.settle();
      await close?.();
    },
  };
}
