import type { Entry } from "./entry.ts";
import type { LoopEvent, RunBudget, RunEnd, RunOptions } from "./loop.ts";
import type { Taint } from "./memory/taint.ts";
import type { ContentBlock, Usage } from "./message.ts";
import type { NoticeSource } from "./notice.ts";
import type { View } from "./view.ts";

export type ForkKind = "notes" | "compaction" | "memory" | "collapse" | "agent";

export interface ForkOptions {
  readonly kind: ForkKind;
  /** Names of the tools it may use; the others stay defined and are denied. Absent: all that only read. */
  readonly tools?: readonly string[];
  /**
   * Files by path that exist in this fork alone, in memory. It may Edit them and do nothing else: whatever `tools` says,
   * no other tool runs, and no other path is touched.
   */
  readonly files?: Readonly<Record<string, ForkFile>>;
  /**
   * A folder of which the fork gets a copy in memory: Write and Edit change the copy and no other file, Read sees it as
   * they have left it. The other tools are those of `tools`. Not together with `files`.
   */
  readonly folder?: ForkFolder;
  /** Who is asked for what no rule allows; absent: nobody, and it is denied. */
  readonly onPermission?: RunOptions["onPermission"];
  /** Requests at most. */
  readonly turns?: number;
  readonly budget?: RunBudget;
  /** Of each answer, where that is less than the parent's requests allow and thinking leaves room for it. */
  readonly maxOutputTokens?: number;
  /** Hears how many characters of the newest answer have come. */
  readonly onChars?: (chars: number) => void;
  /** Hears what happens in it. */
  readonly onEvent?: (event: LoopEvent) => void;
  /** What it is told meanwhile, oldest first: it hears it after the round of tools it is in, and takes it out. */
  readonly queued?: string[];
  /** Who tells it something after its rounds of tools; absent: nobody. */
  readonly notices?: (scene: ForkContext) => readonly NoticeSource[];
  /** Ends the fork; the parent's own abort ends it too. */
  readonly signal?: AbortSignal;
}

/** What those who tell a fork something may look at. */
export interface ForkContext {
  /** Its own log has this id. */
  readonly id: string;
  readonly entries: () => AsyncIterable<Entry>;
  readonly view: () => View;
}

export interface ForkFile {
  readonly text: string;
  /** What the model should be told about the file as an edit has left it; `undefined`: nothing. */
  readonly remark?: (text: string) => string | undefined;
}

export interface ForkFolder {
  /** Absolute: the model knows its files by it. */
  readonly path: string;
  /** Texts by path below it. */
  readonly files: Readonly<Record<string, string>>;
  /** Why a text may not stand at a path below it, as a sentence for the model; `undefined`: it may. */
  readonly refuse?: (path: string, text: string) => string | undefined;
}

export interface ForkResult {
  /** Its own log has this id. */
  readonly id: string;
  readonly end: RunEnd;
  /** Its last answer. */
  readonly content: readonly ContentBlock[];
  readonly text: string;
  readonly usage: Usage;
  readonly dollars: number;
  readonly requests: number;
  /** The files it was given, as it has left them; those of a folder by their paths below it, new ones included. */
  readonly files?: Readonly<Record<string, string>>;
  /** What untrusted it had before its eyes at its end, its directive among it; absent: nobody knows. */
  readonly taint?: Taint;
  /** How much of its first prompt came from the parent's cache. */
  readonly cache: { readonly promptTokens: number; readonly readTokens: number; readonly share: number };
}
