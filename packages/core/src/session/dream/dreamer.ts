import type { ChangeReason, DreamFlag } from "../../layers/6-dream/rules/change-set.ts";
import type { DreamHappening } from "../../layers/6-dream/rules/dream-task.ts";
import type { DreamAuthor, Result } from "../../spec/index.ts";
import type { ReviewReason } from "./dream-record.ts";
import type { MemoryFormats } from "./memory-formats.ts";
import type { TakenFile } from "./take-snapshot.ts";

/** What somebody who dreams is given. */
export interface DreamInput {
  readonly id: string;
  readonly at: string;
  readonly snapshot: readonly TakenFile[];
  readonly formats: MemoryFormats;
  /** When memory was put in order before, in milliseconds; `null`: never. */
  readonly previousMs: number | null;
  /** Tells what is being done, for people to see. */
  readonly report: (happening: Exclude<DreamHappening, { readonly kind: "end" }>) => void;
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
  dream(question: DreamInput, signal: AbortSignal): Promise<Result<DreamWork>>;
}
