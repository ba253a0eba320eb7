import { afterChanges } from "../../context/dream/change-set.ts";
import type { DreamNumbers } from "../../context/dream/dream-numbers.ts";
import { pathsIn } from "../../context/dream/memory-links.ts";
import { dreamAsScribe } from "../../context/dream/scribe-dream.ts";
import { memoriesOf } from "../../context/dream/snapshot.ts";
import { ok } from "../../spec/index.ts";
import type { Dreamer } from "./dreamer.ts";

export interface ScribeDreamerOptions {
  readonly numbers: Pick<DreamNumbers, "maxRemovedPercent" | "nearPercent">;
  /** Whether a path that a memory names is there; absent: nobody looks. */
  readonly hasPath?: (path: string) => Promise<boolean>;
}

/** Dreams without a model. */
export function createScribeDreamer({ numbers, hasPath }: ScribeDreamerOptions): Dreamer {
  return {
    by: "scribe",
    async dream({ id, at, snapshot, formats }) {
      const { format, index } = formats;
      const missing = new Set<string>();
      for (const { body } of memoriesOf(snapshot, format.parse)) {
        for (const path of pathsIn(body)) if (hasPath && !(await hasPath(path))) missing.add(path);
      }
      const pathExists = (path: string) => !missing.has(path);
      const dreamt = dreamAsScribe({ id, at, snapshot, format, index, pathExists, numbers });
      const reasons = new Map(dreamt.changes.map(({ path, reason }) => [path, { reason }]));
      return ok({
        after: afterChanges(snapshot, dreamt),
        reasonOf: (path) => reasons.get(path) ?? { reason: "put in order" },
        flags: dreamt.flags,
      });
    },
  };
}
