import type { Change, ChangeSet, DreamFlag } from "./change-set.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A change set from outside the program; `null` where it is none. */
export function readChangeSet(value: unknown): ChangeSet | null {
  if (!isFields(value)) return null;
  const { id, at, by, changes, flags } = value;
  const isHead = isText(id) && isText(at) && (by === "scribe" || by === "model");
  if (!isHead || !Array.isArray(changes) || !Array.isArray(flags)) return null;
  if (!changes.every(isChange) || !flags.every(isFlag)) return null;
  if (new Set(changes.map(({ path }) => path)).size !== changes.length) return null;
  return { id, at, by, changes, flags };
}

function isChange(value: unknown): value is Change {
  if (!isFields(value)) return false;
  const { kind, path, expect, reason, contradiction, text } = value;
  if (!isText(path) || !isText(reason) || !Number.isSafeInteger(expect) || (expect as number) < 0)
    return false;
  if (contradiction !== undefined && typeof contradiction !== "string") return false;
  return kind === "remove" || (kind === "write" && typeof text === "string");
}

function isFlag(value: unknown): value is DreamFlag {
  return isFields(value) && [value.kind, value.path, value.target].every(isText);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
