import { buildIndex, checkIndexGrowth, splitIndex, toFittingIndexLine } from "../../memory/build-index.ts";
import { indexPath, memoryPathKind } from "../../memory/check-memory.ts";
import {
  fail,
  type Memory,
  ok,
  type Result,
  type TreeVersion,
  type TreeWriteOptions,
} from "../../spec/index.ts";
import { type MemorySurroundings, withPresent } from "./memory-surroundings.ts";

type Writer = Pick<TreeWriteOptions, "author" | "session" | "source">;

/** Tries to get an index on top, each lost to another writer's index. */
const maxTries = 500;

/** Keeps `MEMORY.md` in step with the memories. */
export interface IndexKeeper {
  /** `too-large` if a change would make the index larger than it may be. `after` is `null` for a removal. */
  checkChange(path: string, before: Memory | null, after: Memory | null): Promise<Result<void>>;
  /** After a change; a failure is a problem and none of the change. */
  follow(path: string, before: Memory | null, after: Memory | null, writer: Writer): Promise<void>;
  /** Writes the index if it is not as it should be. */
  rebuild(writer: Writer): Promise<Result<boolean>>;
  /** The index as it should be. */
  build(): Promise<Result<string>>;
  /** Takes the lines above the marker of a text, or all of it, as the user's own. */
  writeOwn(text: string, expect?: number): Promise<Result<TreeVersion>>;
}

export function createIndexKeeper(
  around: Pick<MemorySurroundings, "tree" | "survey" | "mask" | "onProblem">,
): IndexKeeper {
  const { tree, survey, mask, onProblem } = around;
  /** This handle has seen the whole index in step: from then on it is enough to look after its own lines. */
  let isInStep = false;

  async function stored(): Promise<Result<{ readonly text: string; readonly version: number } | null>> {
    const read = await tree.read(indexPath);
    if (!read.ok) return read.error.code === "not-found" ? ok(null) : read;
    return ok({ text: read.value.text, version: read.value.version.version });
  }

  /** The index is read before the memories: whoever writes a memory later then sees this index, or wins over it. */
  async function compare() {
    const before = await stored();
    if (!before.ok) return before;
    const surveyed = await survey();
    if (!surveyed.ok) return surveyed;
    const { memories } = surveyed.value;
    const paths = new Set(memories.map(({ path }) => path));
    const { own } = splitIndex(before.value?.text ?? "", (path) => paths.has(path));
    const isNone = before.value === null && memories.length === 0;
    return ok({ before: before.value, own, memories, text: isNone ? "" : buildIndex(own, memories) });
  }

  async function rebuild(writer: Writer): Promise<Result<boolean>> {
    let isWritten = false;
    for (let tries = 0; tries < maxTries; tries += 1) {
      const compared = await compare();
      if (!compared.ok) return compared;
      const { before, text } = compared.value;
      if (text === (before?.text ?? "")) {
        isInStep = true;
        return ok(isWritten);
      }
      const written = await tree.write(indexPath, text, { ...writer, expect: before?.version ?? 0 });
      if (!written.ok && written.error.code !== "conflict") return written;
      isWritten ||= written.ok;
    }
    return fail("conflict", `Others keep writing ${indexPath} faster than it can be rebuilt.`, {
      path: indexPath,
      retryable: true,
    });
  }

  async function hasLine(line: string): Promise<boolean> {
    const read = await stored();
    return read.ok && (read.value?.text.split("\n").includes(line) ?? false);
  }

  return {
    rebuild,
    async build() {
      const compared = await compare();
      return compared.ok ? ok(compared.value.text) : compared;
    },
    async writeOwn(given, expect) {
      const { text } = mask === undefined ? { text: given } : await mask(given);
      const compared = await compare();
      if (!compared.ok) return compared;
      const { before, memories, text: present } = compared.value;
      const paths = new Set(memories.map(({ path }) => path));
      const next = buildIndex(splitIndex(text, (path) => paths.has(path)).own, memories);
      const fits = checkIndexGrowth(present, next, memories);
      if (!fits.ok) return fits;
      const written = await tree.write(indexPath, next, {
        author: "user",
        source: "own lines",
        expect: expect ?? before?.version ?? 0,
      });
      if (!written.ok) return withPresent(tree, indexPath, written.error);
      const rebuilt = await rebuild({ author: "user" });
      return rebuilt.ok ? written : rebuilt;
    },
    async checkChange(path, before, after) {
      if (after === null || lineOf(before) === lineOf(after) || memoryPathKind(path) !== "memory")
        return ok();
      const compared = await compare();
      if (!compared.ok) return compared;
      const { own, memories } = compared.value;
      const next = [...memories.filter((one) => one.path !== path), after];
      return checkIndexGrowth(buildIndex(own, memories), buildIndex(own, next), next);
    },
    async follow(path, before, after, writer) {
      const kind = memoryPathKind(path);
      if (kind !== "memory" && kind !== "index") return;
      const line = lineOf(after);
      const isSame = line !== null && line === lineOf(before);
      if (isInStep && isSame && (await hasLine(line))) return;
      const rebuilt = await rebuild(writer);
      if (!rebuilt.ok) onProblem(rebuilt.error);
    },
  };
}

function lineOf(memory: Memory | null): string | null {
  return memory === null ? null : toFittingIndexLine(memory);
}
