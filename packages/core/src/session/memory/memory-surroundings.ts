import {
  type Clock,
  type FileTree,
  fail,
  type JudgeMemory,
  type MaskSecrets,
  type PalimpsestError,
  type Result,
  type TreeVersion,
} from "../../spec/index.ts";
import type { MemoryUses } from "./memory-history.ts";
import type { SurveyMemories } from "./survey-memories.ts";

export interface MemoryText {
  readonly path: string;
  readonly text: string;
}

/** The common needs of everything that works on one memory folder. */
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
  /** Problems that stopped nothing: an index that could not be written. */
  readonly onProblem: (problem: PalimpsestError) => void;
}

export interface FolderTexts {
  readonly files: readonly MemoryText[];
  readonly skipped: readonly { readonly path: string; readonly why: string }[];
}

/** A conflict with what stands there now, so that the change can be planned again. */
export async function withPresent(
  tree: FileTree,
  path: string,
  error: PalimpsestError,
): Promise<{ readonly ok: false; readonly error: PalimpsestError }> {
  if (error.code !== "conflict") return { ok: false, error };
  const present = await tree.read(path);
  const facts: Record<string, unknown> = present.ok
    ? {
        text: present.value.text,
        version: present.value.version.version,
        author: toAuthor(present.value.version),
      }
    : { text: null, version: 0 };
  return fail("conflict", error.message, { path, fix: error.fix, facts: { ...error.facts, ...facts } });
}

function toAuthor({ author }: TreeVersion): string {
  return author === "outside" ? "user" : author;
}
