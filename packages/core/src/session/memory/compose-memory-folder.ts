import { resolve } from "node:path";
import type { Runtime } from "../../runtime.ts";
import type {
  Ids,
  JudgeMemory,
  MaskSecrets,
  Memory,
  MemoryEvidence,
  MemoryFolder,
} from "../../spec/index.ts";
import { createNodeDisk } from "../../stores/files/index.ts";
import { judgeMemory } from "../../view/trust/index.ts";
import { createMemoryFolder } from "./create-memory-folder.ts";
import { createFileMaskKey, createLearnedMaskKey, createMemoryMask } from "./create-memory-mask.ts";
import { createHasPath, type MemoryLocation } from "./find-memory-location.ts";
import type { MemoryUses } from "./memory-history.ts";
import type { OpenMemoryOptions } from "./open-memory.ts";
import { createMemorySurvey, readFolder } from "./survey-memories.ts";

interface Parts {
  readonly options: OpenMemoryOptions;
  readonly location: MemoryLocation;
  readonly uses: MemoryUses;
  readonly runtime: Runtime;
}

/** The folder of a place, with the mask and the judge that the options ask for. */
export function composeMemoryFolder({ options, location, uses, runtime }: Parts): MemoryFolder {
  const { clock = runtime.clock, ids = runtime.ids, cwd, onProblem = () => undefined } = options;
  const disk = createNodeDisk();
  const judge = options.judgeMemory ?? judgeByRules;
  return createMemoryFolder({
    tree: location.tree,
    clock,
    uses,
    survey: createMemorySurvey(location.tree),
    readFolder: (folder) => readFolder(disk, resolve(runtime.workingFolder(), folder)),
    onProblem,
    ...(judge ? { judge } : {}),
    ...maskOptions(options.maskSecrets, location, ids),
    ...(location.texts === undefined ? {} : { texts: location.texts }),
    ...(cwd === undefined ? {} : { hasPath: createHasPath(disk, resolve(cwd), runtime.homeFolder) }),
  });
}

function maskOptions(
  given: OpenMemoryOptions["maskSecrets"],
  { maskKey, learned }: MemoryLocation,
  ids: Ids,
): { readonly mask?: MaskSecrets; readonly detect?: MaskSecrets } {
  if (given === false) return {};
  if (given !== undefined) return { mask: given, detect: given };
  return createMemoryMask(
    maskKey ? createFileMaskKey({ ...maskKey, ids }) : createLearnedMaskKey(learned, ids),
  );
}

/**
 * Memories a person writes, confirms or vouches for are theirs. All else is judged on the evidence; where none is
 * handed in, the user has said nothing, and what was in view is as the memory says.
 */
const judgeByRules: JudgeMemory = (memory, evidence = noEvidence(memory)) => {
  if (isOfPerson(memory)) return { verdict: "accept" };
  const { verdict, trust, reason } = judgeMemory(memory, evidence);
  const label = trust === "untrusted" || memory.trust === "untrusted" ? "untrusted" : "trusted";
  return verdict === "accept" ? { verdict, trust: label } : { verdict, reason, trust: label };
};

function isOfPerson({ author, trust, isConfirmed }: Memory): boolean {
  return author === "user" || isConfirmed === true || (author === "import" && trust === "trusted");
}

function noEvidence({ trust }: Memory): MemoryEvidence {
  return { taint: { trust, because: [] }, userMessages: [] };
}
