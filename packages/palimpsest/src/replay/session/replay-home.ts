import { type LearnedStore, ok } from "@palimpsest/core/spec";

/** What the sessions of one machine leave to those after them: what is learned, in memory. */
export interface ReplayHome {
  readonly learned: LearnedStore;
  /** Another home that has what this one has now, and goes on by itself. */
  copy(): ReplayHome;
  /** The same for homes that have the same. */
  digest(): string;
}

/** `start`: values as JSON, by name. */
export function createReplayHome(start: ReadonlyMap<string, string> = new Map()): ReplayHome {
  const known = new Map(start);
  return {
    learned: {
      async read(name) {
        const value = known.get(name);
        return ok(value === undefined ? undefined : JSON.parse(value));
      },
      async write(name, value) {
        known.set(name, JSON.stringify(value));
        return ok();
      },
    },
    copy: () => createReplayHome(known),
    digest: () => JSON.stringify([...known].sort(([one], [other]) => (one < other ? -1 : 1))),
  };
}
