import { stat } from "node:fs/promises";
import type { LogDamage, StoreSessions } from "@palimpsest/core/spec";
import { escapeTerminal } from "../../terminal/escape-terminal.ts";
import { formatCount, formatNumber } from "../../terminal/format-amount.ts";

/** The part of a log that could not be read, in a line for a person. */
export function logDamage({ kind, offset, bytes, reason }: LogDamage): string {
  return `${kind}: ${formatNumber(bytes, "byte")} at byte ${formatCount(offset)}: ${escapeTerminal(reason)}`;
}

/** While it stays the same, so has the log: which one it is, how large, and when it was changed. */
export async function logStamp(sessions: StoreSessions, session: string): Promise<string> {
  const stamp = await sessions.stamp(session);
  if (!stamp.ok) return "absent";
  const { identity, bytes, modifiedAt } = stamp.value;
  return `${identity} ${bytes} ${modifiedAt}`;
}

/** While it stays the same, so has the file: which one it is, how large, and when it was changed. */
export async function fileStamp(path: string): Promise<string> {
  try {
    const { size, mtimeMs, ino } = await stat(path);
    return `${ino} ${size} ${mtimeMs}`;
  } catch {
    return "absent";
  }
}
