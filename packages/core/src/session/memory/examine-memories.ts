import { indexPath, namedPaths } from "../../memory/check-memory.ts";
import { doctorMemories, missingKey } from "../../memory/doctor-memories.ts";
import {
  type MemoryDoctorReport,
  type MemorySurvey,
  ok,
  PalimpsestError,
  type Result,
} from "../../spec/index.ts";
import type { MemorySurroundings } from "./memory-surroundings.ts";

type ExamineSurroundings = Pick<MemorySurroundings, "tree" | "survey" | "detect" | "hasPath" | "onProblem">;

/** Looks at everything the doctor has to know, and asks it. */
export async function examineMemories(around: ExamineSurroundings): Promise<Result<MemoryDoctorReport>> {
  const survey = await surveyWithIndex(around);
  if (!survey.ok) return survey;
  const missing = await findMissing(around, survey.value);
  const secrets = await findSecrets(around, survey.value);
  return ok(
    doctorMemories({
      survey: survey.value,
      ...(missing === undefined ? {} : { missing }),
      ...(secrets === undefined ? {} : { secrets }),
    }),
  );
}

export async function surveyWithIndex({
  tree,
  survey,
}: Pick<ExamineSurroundings, "tree" | "survey">): Promise<Result<MemorySurvey>> {
  const surveyed = await survey();
  if (!surveyed.ok) return surveyed;
  const index = await tree.read(indexPath);
  if (!index.ok && index.error.code !== "not-found") return index;
  return ok({ ...surveyed.value, ...(index.ok ? { index: index.value.text } : {}) });
}

async function findMissing(
  { hasPath }: ExamineSurroundings,
  survey: MemorySurvey,
): Promise<ReadonlySet<string> | undefined> {
  if (hasPath === undefined) return undefined;
  const files = new Set(survey.memories.map(({ path }) => path));
  const missing = new Set<string>();
  for (const { path, body } of survey.memories) {
    const folder = path.slice(0, path.lastIndexOf("/") + 1);
    for (const named of namedPaths(body)) {
      const plain = named.replace(/^\.\//, "");
      const isThere = files.has(plain) || files.has(folder + plain) || (await hasPath(named));
      if (!isThere) missing.add(missingKey(path, named));
    }
  }
  return missing;
}

async function findSecrets(
  { detect, onProblem }: ExamineSurroundings,
  { memories, quarantined, invalid }: MemorySurvey,
): Promise<ReadonlyMap<string, readonly string[]> | undefined> {
  if (detect === undefined) return undefined;
  const found = new Map<string, readonly string[]>();
  const texts = [
    ...[...memories, ...quarantined].map(({ path, name, description, body }) => ({
      path,
      text: `${name}\n${description}\n${body}`,
    })),
    ...invalid,
  ];
  try {
    for (const { path, text } of texts) {
      const { masked, kinds } = await detect(text);
      if (masked > 0) found.set(path, kinds ?? [`${masked} found`]);
    }
  } catch (error) {
    if (!PalimpsestError.isInstance(error)) throw error;
    onProblem(error);
    return undefined;
  }
  return found;
}
