import type { Clock, Disk, Ids, PalimpsestError } from "../../../spec/index.ts";
import type { DurableFolders } from "../disk/durable-folders.ts";
import type { TreeHistory } from "./tree-history.ts";

/** What everything that works on one tree needs. */
export interface TreeSurroundings {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly durable: boolean;
  readonly folder: string;
  readonly folders: DurableFolders;
  readonly history: TreeHistory;
  /** What went wrong and stopped nothing: a visible file that could not be brought up to date, a file left out. */
  readonly onProblem: (problem: PalimpsestError) => void;
}
