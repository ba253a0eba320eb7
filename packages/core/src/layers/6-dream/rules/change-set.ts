import { isCount, isFilledText, isRecord } from "../../../json/json-values.ts";
import type { DreamAuthor } from "../../../spec/index.ts";
import type { Snapshot } from "./snapshot.ts";

interface ChangeHead {
  readonly path: string;
  /** The version that was seen; 0: no file. */
  readonly expect: number;
  readonly reason: string;
  /** Reasons against the memory as it was, where it is more than tidying up. */
  readonly contradiction?: string;
}

/** A change of one file. */
export type Change = ChangeHead &
  ({ readonly kind: "write"; readonly text: string } | { readonly kind: "remove" });

/** Something that a person should look at; nothing is changed for it. */
export interface DreamFlag {
  readonly kind: "dead-link" | "missing-path" | "duplicate";
  readonly path: string;
  /** The link, path or duplicate found. */
  readonly target: string;
}

/** Everything a dream wants to change, applied whole or not at all. Each path once, sorted. */
export interface ChangeSet {
  readonly id: string;
  readonly at: string;
  readonly by: DreamAuthor;
  readonly changes: readonly Change[];
  readonly flags: readonly DreamFlag[];
}

export interface ChangeReason {
  readonly reason: string;
  readonly contradiction?: string;
}

interface ChangeSetOptions extends Pick<ChangeSet, "id" | "at" | "by"> {
  readonly before: Snapshot;
  /** Every file as the dream leaves it, by path. */
  readonly after: ReadonlyMap<string, string>;
  readonly reasonOf: (path: string) => ChangeReason;
  readonly flags?: readonly DreamFlag[];
}

/** The changes from one state of the memory folder to another. */
export function toChangeSet({ before, after, reasonOf, flags = [], ...head }: ChangeSetOptions): ChangeSet {
  const seen = new Map(before.map((file) => [file.path, file]));
  const changes: Change[] = [];
  for (const path of [...new Set([...seen.keys(), ...after.keys()])].sort()) {
    const text = after.get(path);
    const file = seen.get(path);
    if (text === file?.text) continue;
    const common = { path, expect: file?.version ?? 0, ...reasonOf(path) };
    changes.push(text === undefined ? { ...common, kind: "remove" } : { ...common, kind: "write", text });
  }
  return { ...head, changes, flags };
}

/** In the order they are made: what is written before what is removed, so that nothing is missing in between. */
export function toMakingOrder({ changes }: Pick<ChangeSet, "changes">): readonly Change[] {
  const of = (kind: Change["kind"]) => changes.filter((change) => change.kind === kind);
  return [...of("write"), ...of("remove")];
}

/** The folder as the change set would leave it. */
export function afterChanges(before: Snapshot, { changes }: Pick<ChangeSet, "changes">): Map<string, string> {
  const files = new Map(before.map(({ path, text }) => [path, text]));
  for (const change of changes) {
    if (change.kind === "remove") files.delete(change.path);
    else files.set(change.path, change.text);
  }
  return files;
}

/** A change set from outside the program; `null` where it is none. */
export function readChangeSet(value: unknown): ChangeSet | null {
  if (!isRecord(value)) return null;
  const { id, at, by, changes, flags } = value;
  const isHead = isFilledText(id) && isFilledText(at) && (by === "scribe" || by === "model");
  if (!isHead || !Array.isArray(changes) || !Array.isArray(flags)) return null;
  if (!changes.every(isChange) || !flags.every(isFlag)) return null;
  if (new Set(changes.map(({ path }) => path)).size !== changes.length) return null;
  return { id, at, by, changes, flags };
}

function isChange(value: unknown): value is Change {
  if (!isRecord(value)) return false;
  const { kind, path, expect, reason, contradiction, text } = value;
  if (!isFilledText(path) || !isFilledText(reason) || !isCount(expect)) return false;
  if (contradiction !== undefined && typeof contradiction !== "string") return false;
  return kind === "remove" || (kind === "write" && typeof text === "string");
}

function isFlag(value: unknown): value is DreamFlag {
  return isRecord(value) && [value.kind, value.path, value.target].every(isFilledText);
}
