import type {
  Memory,
  MemoryDoctorReport,
  MemoryFinding,
  MemoryFindingKind,
  MemoryRate,
  MemorySurvey,
} from "../spec/index.ts";
import { indexSize, isOverIndexLimits, linkedPath, splitIndex } from "./build-index.ts";
import { indexPath, namedPaths } from "./check-memory.ts";
import { memoryNumbers } from "./memory-numbers.ts";
import { similarPairs, toWords } from "./merge-memories.ts";

/** The doctor's facts, from those who can look. Without it the part is reported as unchecked. */
export interface DoctorFacts {
  readonly survey: MemorySurvey;
  /** Paths that memories name and that are not there, each with the memory's path before it and a NUL between. */
  readonly missing?: ReadonlySet<string>;
  /** Secrets in a memory or another file, by its path. */
  readonly secrets?: ReadonlyMap<string, readonly string[]>;
}

/** The tags around texts that were recalled, and around memories that are shown to a model. */
const recalledMark = /<(?:recalled|memory)\s[^<>]*>/i;

/** The problems of a folder of memories. Pure: what needs a look at the machine is handed in. */
export function doctorMemories(facts: DoctorFacts): MemoryDoctorReport {
  const { survey } = facts;
  const { memories, invalid, index = "" } = survey;
  const duplicates = findDuplicates(memories);
  const findings: readonly MemoryFinding[] = [
    ...duplicates,
    ...findNearDuplicates(memories, duplicates),
    ...findRecallLoops(memories),
    ...findStalePaths(memories, facts.missing),
    ...findSecrets(facts.secrets),
    ...findOrphans(survey),
    ...invalid.map(({ path, problem }): MemoryFinding => ({ kind: "invalid", path, detail: problem })),
  ];
  const unchecked: MemoryFindingKind[] = [
    ...(facts.missing === undefined ? ["stale-path" as const] : []),
    ...(facts.secrets === undefined ? ["secret" as const] : []),
  ];
  const size = indexSize(index);
  return {
    memories: memories.length,
    rates: ratesOf(findings, unchecked, survey),
    findings,
    unchecked,
    index: { ...size, isOverLimit: isOverIndexLimits(size) },
  };
}

function findDuplicates(memories: readonly Memory[]): readonly MemoryFinding[] {
  const first = new Map<string, string>();
  return memories.flatMap(({ path, body }): readonly MemoryFinding[] => {
    const key = toWords(body).join(" ") || body.trim();
    const other = first.get(key);
    if (other === undefined) {
      first.set(key, path);
      return [];
    }
    return [{ kind: "duplicate", path, other, detail: `says the same as ${other}` }];
  });
}

function findNearDuplicates(
  memories: readonly Memory[],
  duplicates: readonly MemoryFinding[],
): readonly MemoryFinding[] {
  const isDuplicate = new Set(duplicates.map(({ path }) => path));
  const distinct = memories.filter(({ path }) => !isDuplicate.has(path));
  const pairs = similarPairs(
    distinct.map(({ body }) => body),
    memoryNumbers.nearDuplicateShare,
  );
  return pairs.flatMap(({ first, second, share }): readonly MemoryFinding[] => {
    const [other, path] = [distinct[first]?.path, distinct[second]?.path];
    if (other === undefined || path === undefined) return [];
    const detail = `shares ${Math.round(share * 100)} % of its text with ${other}`;
    return [{ kind: "near-duplicate", path, other, detail }];
  });
}

function findRecallLoops(memories: readonly Memory[]): readonly MemoryFinding[] {
  return memories
    .filter(({ body }) => recalledMark.test(body))
    .map(({ path }) => ({ kind: "recall-loop", path, detail: "holds text that was recalled from memory" }));
}

function findStalePaths(
  memories: readonly Memory[],
  missing: DoctorFacts["missing"],
): readonly MemoryFinding[] {
  if (missing === undefined) return [];
  return memories.flatMap(({ path, body }) =>
    namedPaths(body)
      .filter((named) => missing.has(missingKey(path, named)))
      .map(
        (named): MemoryFinding => ({
          kind: "stale-path",
          path,
          detail: `names ${named}, which is not there`,
        }),
      ),
  );
}

/** A memory and a path it names, as one key. */
export function missingKey(memory: string, named: string): string {
  return `${memory}\0${named}`;
}

function findSecrets(secrets: DoctorFacts["secrets"]): readonly MemoryFinding[] {
  return [...(secrets ?? [])].flatMap(([path, kinds]) =>
    kinds.map((kind): MemoryFinding => ({ kind: "secret", path, detail: `holds a secret: ${kind}` })),
  );
}

function findOrphans({ memories, index = "" }: MemorySurvey): readonly MemoryFinding[] {
  const listed = new Set(
    splitIndex(index)
      .generated.map(linkedPath)
      .filter((path) => path !== null),
  );
  const present = new Set(memories.map(({ path }) => path));
  return [
    ...[...listed]
      .filter((path) => !present.has(path))
      .map(
        (path): MemoryFinding => ({
          kind: "orphan",
          path,
          detail: `${indexPath} lists it, and it is not there`,
        }),
      ),
    ...[...present]
      .filter((path) => !listed.has(path))
      .map((path): MemoryFinding => ({ kind: "orphan", path, detail: `${indexPath} does not list it` })),
  ];
}

const kinds: readonly MemoryFindingKind[] = [
  "duplicate",
  "near-duplicate",
  "recall-loop",
  "stale-path",
  "secret",
  "orphan",
  "invalid",
];

function ratesOf(
  findings: readonly MemoryFinding[],
  unchecked: readonly MemoryFindingKind[],
  { memories, quarantined, invalid }: MemorySurvey,
): Readonly<Record<MemoryFindingKind, MemoryRate>> {
  const files = memories.length + quarantined.length + invalid.length;
  const rates = kinds.map((kind) => {
    const count = new Set(findings.filter((one) => one.kind === kind).map(({ path }) => path)).size;
    const of = unchecked.includes(kind)
      ? 0
      : kind === "secret" || kind === "invalid"
        ? files
        : memories.length;
    return [kind, { count, of, rate: of === 0 ? null : Math.min(1, count / of) }] as const;
  });
  return Object.fromEntries(rates) as Record<MemoryFindingKind, MemoryRate>;
}
