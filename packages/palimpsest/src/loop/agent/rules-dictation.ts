import { rulesNames } from "@palimpsest/core/internal";
import { isBlock, ok } from "@palimpsest/core/spec";
import { nodeFileSystem } from "../../tools/files/index.ts";
import { walkFolder } from "../../tools/files/walking/walk-folder.ts";
import type { ShellTasks } from "../../tools/shell/index.ts";
import type { NoticeScene } from "../open-session.ts";

export interface Dictation {
  /**
   * Whether the model may have written something since it was asked last, with untrusted text before its eyes: by a call,
   * also one that was interrupted, or by a command in the background. Else a person has.
   */
  readonly isDictated: () => boolean;
  /** Whether it ever may have; from here on it is said to. */
  readonly end: () => boolean;
}

export function createDictation(handle: NoticeScene["handle"], tasks: ShellTasks): Dictation {
  let lastCall: string | undefined;
  let wasRunning = false;
  let wasDictated = false;
  let isEnding = false;
  const isDictated = () => {
    const { items, taint } = handle.view();
    const call = items.findLast(({ block }) => block.type === "tool_use")?.block;
    const id = call && isBlock(call, "tool_use") ? call.id : undefined;
    const isRunning = tasks.tasks().some((task) => task.isRunning);
    const mayHaveWritten = id !== lastCall || isRunning || wasRunning;
    lastCall = id;
    wasRunning = isRunning;
    const isNow = mayHaveWritten && taint?.trust === "untrusted";
    wasDictated ||= isNow;
    return isNow || isEnding;
  };
  return {
    isDictated,
    end() {
      isDictated();
      isEnding = wasDictated;
      return wasDictated;
    },
  };
}

/** So many names are looked at for rules files. */
const maxWalkedNames = 50_000;

/** Rules files of a project that were written since then, but for those in folders that version control ignores. */
export async function writtenRules(
  root: string,
  sinceMs: number,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const found: string[] = [];
  const options = { root, showsHidden: true, obeysIgnoreFiles: true, maxNames: maxWalkedNames, signal };
  await walkFolder(nodeFileSystem, options, async ({ path, name, kind }) => {
    if (kind !== "folder" && rulesNames.includes(name)) {
      const facts = await nodeFileSystem.stat(path);
      if (!facts.ok || facts.value.modifiedMs >= sinceMs) found.push(path);
    }
    return ok("go-on");
  });
  return found;
}
