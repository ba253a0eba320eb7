import type { ProjectStore } from "@palimpsest/core/spec";

/** More than a dream reads; what is older is found by its search. */
export const maxSessionBytes = 64 * 1024 * 1024;

/** The newest logs as the files they would be, for a shell, where the store has no folder: read once. */
export async function loadSessionTexts(
  { logs, sessions }: Pick<ProjectStore, "logs" | "sessions">,
  maxBytes = maxSessionBytes,
): Promise<() => ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  const listed = await (logs.sizes?.() ?? logs.list());
  const newest = listed.ok
    ? [...listed.value].sort((one, other) => (one.modifiedAt < other.modifiedAt ? 1 : -1))
    : [];
  let left = maxBytes;
  for (const { session, bytes } of newest) {
    if (bytes > left) break;
    left -= bytes;
    const text = await readLog(sessions, session);
    if (text !== null) texts.set(`${session}.jsonl`, text);
  }
  return () => texts;
}

/** `null` for a log that is gone or cannot be read. */
async function readLog(sessions: ProjectStore["sessions"], session: string): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of sessions.lines(session)) {
    if (!chunk.ok) return null;
    chunks.push(chunk.value);
  }
  return Buffer.concat(chunks).toString("utf8");
}
