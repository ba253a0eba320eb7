import type { Clock, FileTree, JudgeMemory, MaskSecrets, PalimpsestError, Result } from "../../spec/index.ts";
import type { MemoryUses } from "./memory-uses.ts";
import type { SurveyMemories } from "./survey-memories.ts";

export interface MemoryText {
  readonly path: string;
  readonly text: string;
}

/** What everything that works on one memory folder needs. */
export interface MemorySurroundings {
  readonly tree: FileTree;
  readonly clock: Clock;
  readonly uses: MemoryUses;
  readonly survey: SurveyMemories;
  readonly judge?: JudgeMemory;
  readonly mask?: MaskSecrets;
  /** As `mask`, for looking only: writes nothing at all. */
  readonly detect?: MaskSecrets;
  /** Texts to search through, where they can be had without looking at versions. */
  readonly texts?: () => Promise<Result<readonly MemoryText[]>>;
  /** Whether a path that a memory names is there; without it nobody looks. */
  readonly hasPath?: (path: string) => Promise<boolean>;
  readonly readFolder: (folder: string) => Promise<Result<FolderTexts>>;
  /** What went wrong and stopped nothing: an index that could not be written. */
  readonly onProblem: (problem: PalimpsestError) => void;
}

export interface FolderTexts {
  readonly files: readonly MemoryText[];
  readonly skipped: readonly { readonly path: string; readonly why: string }[];
}
