import { memoryNumbers } from "../../memory/memory-numbers.ts";
import { memoryPathKind } from "../../memory/memory-path.ts";
import { parseMemory } from "../../memory/parse-memory.ts";
import {
  type FileTree,
  type InvalidMemory,
  type Memory,
  type MemorySurvey,
  ok,
  type Result,
  type TreeVersion,
} from "../../spec/index.ts";

export type SurveyMemories = () => Promise<Result<MemorySurvey>>;

type Read = { readonly memory: Memory } | { readonly invalid: InvalidMemory };

/** Looks at every file of a memory folder; what has not changed since the last look is not read again. */
export function createMemorySurvey(tree: FileTree): SurveyMemories {
  let known = new Map<string, Read>();

  /** `null` for a file that went away meanwhile. */
  async function read(version: TreeVersion): Promise<Result<Read | null>> {
    const key = `${version.path}\0${version.version}`;
    const before = known.get(key);
    if (before !== undefined) return ok(before);
    const file = await tree.read(version.path, version.version);
    if (!file.ok) return file.error.code === "not-found" ? ok(null) : file;
    return ok(readMemory(file.value.text, version));
  }

  return async () => {
    const listed = await tree.list();
    if (!listed.ok) return listed;
    const seen = new Map<string, Read>();
    for (const version of listed.value) {
      const kind = memoryPathKind(version.path);
      if (kind !== "memory" && kind !== "quarantined") continue;
      const one = await read(version);
      if (!one.ok) return one;
      if (one.value !== null) seen.set(`${version.path}\0${version.version}`, one.value);
    }
    known = seen;
    const all = [...seen.values()];
    const memories = all.flatMap((one) => ("memory" in one ? [one.memory] : []));
    const isIn = (kind: string) => memories.filter(({ path }) => memoryPathKind(path) === kind);
    return ok({
      memories: isIn("memory"),
      quarantined: isIn("quarantined"),
      invalid: all.flatMap((one) => ("invalid" in one ? [one.invalid] : [])),
    });
  };
}

function readMemory(text: string, version: TreeVersion): Read {
  const { path } = version;
  const isTooLarge = version.bytes > memoryNumbers.maxMemoryBytes;
  const parsed = parseMemory(text, version);
  if (parsed.ok && !isTooLarge) return { memory: parsed.value };
  const problem = parsed.ok
    ? `it has ${version.bytes} bytes, over ${memoryNumbers.maxMemoryBytes}: split it`
    : String(parsed.error.facts.problem);
  return { invalid: { path, version: version.version, problem, text } };
}
