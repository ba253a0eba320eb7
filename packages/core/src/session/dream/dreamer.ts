import { afterChanges, type ChangeReason, type DreamFlag } from "../../layers/6-dream/rules/change-set.ts";
import type { DreamEvent } from "../../layers/6-dream/rules/dream-task.ts";
import { pathsIn } from "../../layers/6-dream/rules/memory-links.ts";
import { dreamAsScribe } from "../../layers/6-dream/rules/scribe-dream.ts";
import { memoriesOf } from "../../layers/6-dream/rules/snapshot.ts";
import type { DreamNumbers } from "../../layers/6-dream/settings.ts";
import { type DreamAuthor, ok, type Result } from "../../spec/index.ts";
import type { ReviewReason } from "./dream-record.ts";
import type { MemoryFormats, TakenFile } from "./memory-formats.ts";

/** The input of a dreamer. */
export interface DreamInput {
  readonly id: string;
  readonly at: string;
  readonly snapshot: readonly TakenFile[];
  readonly formats: MemoryFormats;
  /** When memory was put in order before, in milliseconds; `null`: never. */
  readonly previousMs: number | null;
  /** Tells what is being done, for people to see. */
  readonly report: (happening: Exclude<DreamEvent, { readonly kind: "end" }>) => void;
}

/** The memory folder as a dream would leave it. Nothing of it is written yet. */
export interface DreamWork {
  readonly after: ReadonlyMap<string, string>;
  reasonOf(path: string): ChangeReason;
  readonly flags?: readonly DreamFlag[];
  /** Why a person has to look at it first, besides what the guards find. */
  readonly doubts?: readonly ReviewReason[];
  /** For a person: that it was stopped by its budget, what it cost. */
  readonly message?: string;
}

/** One who puts memories in order. It changes nothing itself. */
export interface Dreamer {
  readonly by: DreamAuthor;
  dream(input: DreamInput, signal: AbortSignal): Promise<Result<DreamWork>>;
}

interface ScribeDreamerOptions {
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
