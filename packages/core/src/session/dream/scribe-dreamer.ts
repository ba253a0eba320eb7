import { afterChanges } from "../../layers/6-dream/rules/change-set.ts";
import { pathsIn } from "../../layers/6-dream/rules/memory-links.ts";
import { dreamAsScribe } from "../../layers/6-dream/rules/scribe-dream.ts";
import { memoriesOf } from "../../layers/6-dream/rules/snapshot.ts";
import type { DreamNumbers } from "../../layers/6-dream/settings.ts";
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
