import { indexPath } from "../../memory/check-memory.ts";
import { mergeMemories } from "../../memory/merge-memories.ts";
import {
  fail,
  type MemoryRevertReport,
  type MemoryRevertTarget,
  ok,
  type Result,
  type TreeVersion,
} from "../../spec/index.ts";
import type { IndexKeeper } from "./index-keeper.ts";
import { historyOf, refuseVersion, textOfVersion } from "./memory-history.ts";
import { type MemorySurroundings, withPresent } from "./memory-surroundings.ts";

type RevertSurroundings = Pick<MemorySurroundings, "tree" | "onProblem">;
type RevertedMemory = MemoryRevertReport["reverted"][number];

/** Takes changes back by new versions: nothing is lost, and a revert can be reverted. */
export async function revertMemories(
  around: RevertSurroundings,
  keeper: IndexKeeper,
  target: MemoryRevertTarget,
): Promise<Result<MemoryRevertReport>> {
  const report =
    "path" in target
      ? await revertFile(around, target.path, target.version)
      : await revertMatching(around, matcherOf(target), sourceOf(target));
  if (!report.ok) return report;
  const rebuilt = await keeper.rebuild({ author: "user", source: "revert" });
  if (!rebuilt.ok) around.onProblem(rebuilt.error);
  return report;
}

type ManyTarget = Exclude<MemoryRevertTarget, { readonly path: string }>;

function matcherOf(target: ManyTarget): (version: TreeVersion) => boolean {
  if ("session" in target) return ({ session }) => session === target.session;
  return ({ source }) => source === `dream:${target.group}`;
}

function sourceOf(target: ManyTarget): string {
  return "session" in target ? `revert session:${target.session}` : `revert dream:${target.group}`;
}

async function revertFile(
  around: RevertSurroundings,
  path: string,
  wanted?: number,
): Promise<Result<MemoryRevertReport>> {
  const history = await historyOf(around.tree, path);
  if (!history.ok) return history;
  const newest = history.value.at(-1) as TreeVersion;
  const to =
    wanted === undefined ? history.value.at(-2) : history.value.find(({ version }) => version === wanted);
  if (to === undefined && wanted !== undefined) return refuseVersion(path, wanted, newest.version);
  if (to?.version === newest.version) {
    return fail("invalid-input", `${path} is at version ${newest.version} already.`, {
      path,
      fix: "Name an earlier version.",
    });
  }
  const text = to === undefined || to.removed ? ok(null) : await textOfVersion(around.tree, to);
  if (!text.ok) return text;
  const put = await putText(around, newest, text.value, `revert ${to?.version ?? 0}`);
  return put.ok ? ok({ reverted: put.value === null ? [] : [put.value], skipped: [] }) : put;
}

async function revertMatching(
  around: RevertSurroundings,
  isMatching: (version: TreeVersion) => boolean,
  source: string,
): Promise<Result<MemoryRevertReport>> {
  const { tree } = around;
  const listed = await tree.list({ removed: true });
  if (!listed.ok) return listed;
  const reverted: RevertedMemory[] = [];
  const skipped: { path: string; why: string }[] = [];
  for (const { path } of listed.value) {
    if (path === indexPath) continue;
    const history = await tree.history(path);
    if (!history.ok) return history;
    if (!history.value.some(isMatching)) continue;
    const text = await textWithout(around, history.value, isMatching);
    if (!text.ok) {
      skipped.push({ path, why: text.error.message.replace(/\.$/, "") });
      continue;
    }
    const put = await putText(around, history.value.at(-1) as TreeVersion, text.value, source);
    if (!put.ok) skipped.push({ path, why: put.error.message.replace(/\.$/, "") });
    else if (put.value !== null) reverted.push(put.value);
  }
  return ok({ reverted, skipped });
}

/** The file as if the matching versions had not been; `null` for "not there". */
async function textWithout(
  { tree }: RevertSurroundings,
  history: readonly TreeVersion[],
  isMatching: (version: TreeVersion) => boolean,
): Promise<Result<string | null>> {
  const first = history.findIndex(isMatching);
  const before = history[first - 1];
  if (history.slice(first).every(isMatching)) {
    return before === undefined || before.removed ? ok(null) : textOfVersion(tree, before);
  }
  const newest = history.at(-1) as TreeVersion;
  const present = await textOfVersion(tree, newest);
  if (!present.ok) return present;
  let text: string | null = newest.removed ? null : present.value;
  for (const [index, version] of [...history.entries()].reverse()) {
    if (!isMatching(version)) continue;
    const was = history[index - 1];
    const [made, base] = [await stateOf(tree, version), await stateOf(tree, was)];
    if (!made.ok) return made;
    if (!base.ok) return base;
    const merged = mergeMemories(version.path, made.value, text, base.value);
    if (merged === undefined) {
      const other = history.slice(index + 1).find((one) => !isMatching(one));
      const author = other?.author === "outside" ? "user" : other?.author;
      return fail("conflict", `the same lines were changed since by ${author}, in version ${other?.version}`);
    }
    text = merged;
  }
  return ok(text);
}

async function stateOf(
  tree: RevertSurroundings["tree"],
  version: TreeVersion | undefined,
): Promise<Result<string | null>> {
  return version === undefined || version.removed ? ok(null) : textOfVersion(tree, version);
}

/** `null` where the file is so already. */
async function putText(
  { tree }: RevertSurroundings,
  newest: TreeVersion,
  text: string | null,
  source: string,
): Promise<Result<RevertedMemory | null>> {
  const { path } = newest;
  const present = await stateOf(tree, newest);
  if (present.ok && present.value === text) return ok(null);
  const words = { author: "user", source, expect: newest.version };
  const put = text === null ? await tree.remove(path, words) : await tree.write(path, text, words);
  if (!put.ok) return withPresent(tree, path, put.error);
  return ok({ path, version: put.value.version, isRemoved: text === null });
}
