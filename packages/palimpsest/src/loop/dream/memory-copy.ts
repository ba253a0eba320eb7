import {
  type ChangeReason,
  isMemoryPath,
  type MemoryFormat,
  memoryNumbers,
  type Snapshot,
} from "@palimpsest/core/internal";
import { fail, ok, type Result } from "@palimpsest/core/spec";

/** The folder as the model sees it, and why it changed what it did. */
export interface MemoryCopy {
  readonly texts: ReadonlyMap<string, string>;
  /** `texts` without what the model may not see. */
  shown(): ReadonlyMap<string, string>;
  /** Paths of all files, sorted. */
  paths(): readonly string[];
  read(path: string): Result<string>;
  write(path: string, text: string, why: ChangeReason): Result<void>;
  remove(path: string, why: ChangeReason): Result<void>;
  reasonOf(path: string): ChangeReason;
}

const plainPath =
  /^(?:[\p{L}\p{M}\p{N}_-][\p{L}\p{M}\p{N}._ -]*\/){0,4}[\p{L}\p{M}\p{N}_-][\p{L}\p{M}\p{N}._ -]*\.md$/u;

/** A copy in memory: nothing of the disk is ever touched. What waits in quarantine is not part of it. */
export function createMemoryCopy(
  snapshot: Snapshot,
  parse: MemoryFormat["parse"],
  onChange: (path: string) => void,
): MemoryCopy {
  const hidden = snapshot.filter(({ path }) => path.startsWith("quarantine/"));
  const texts = new Map(snapshot.map(({ path, text }) => [path, text]));
  const reasons = new Map<string, ChangeReason>();
  const isHidden = (path: string) => hidden.some((file) => file.path === path);

  function check(path: string): Result<void> {
    if (plainPath.test(path) && isMemoryPath(path) && !/^(?:quarantine|logs)\//i.test(path)) return ok();
    return fail("denied", `${path} cannot be changed.`, { fix: "Change files such as topic.md." });
  }

  function changed(path: string, why: ChangeReason): Result<void> {
    const former = reasons.get(path)?.contradiction;
    reasons.set(path, former !== undefined && !why.contradiction ? { ...why, contradiction: former } : why);
    onChange(path);
    return ok();
  }

  return {
    texts,
    shown: () => new Map([...texts].filter(([path]) => !isHidden(path))),
    paths: () => [...texts.keys()].filter((path) => !isHidden(path)).sort(),
    read(path) {
      const text = isHidden(path) ? undefined : texts.get(path);
      return text === undefined ? refuseAbsent(path) : ok(text);
    },
    write(path, text, why) {
      const checked = check(path);
      if (!checked.ok) return checked;
      if (Buffer.byteLength(text) > memoryNumbers.maxMemoryBytes)
        return fail("too-large", `${path} would be too large.`, { fix: "Split it by topic." });
      if (parse(path, text) === null)
        return fail("invalid-input", `${path} was not written: this is no memory.`, {
          fix: "Begin it with front matter of name, description and type; feedback and project need **Why:** and **How to apply:**.",
        });
      texts.set(path, text);
      return changed(path, why);
    },
    remove(path, why) {
      const checked = check(path);
      if (!checked.ok) return checked;
      return texts.delete(path) ? changed(path, why) : refuseAbsent(path);
    },
    reasonOf: (path) =>
      reasons.get(path) ?? reasons.get(path.replace(/^quarantine\//, "")) ?? { reason: "put in order" },
  };
}

function refuseAbsent(path: string): Result<never> {
  return fail("not-found", `There is no ${path}.`, { fix: "List shows what there is." });
}
