import type { CompactionRecords, Facts, View } from "../../spec/index.ts";
import type { CompactPlan } from "./rules/compaction-plan.ts";

/** What the layer does, with all that was known when it was decided. */
export type CompactionCommand =
  | CompactCommand
  | {
      readonly act: "prepare";
      readonly view: View;
      readonly facts: Facts;
      readonly records: CompactionRecords;
    };

export interface CompactCommand {
  readonly act: "compact";
  readonly plan: CompactPlan;
  readonly view: View;
  readonly facts: Facts;
  readonly records: CompactionRecords;
}
