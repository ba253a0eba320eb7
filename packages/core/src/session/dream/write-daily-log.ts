import { appendToDailyLog, type DailyLogEntry, dailyLogPath } from "../../layers/6-dream/rules/daily-log.ts";
import { type FileTree, fail, type Result, type TreeVersion } from "../../spec/index.ts";

/** Tries to get a line in, each lost to another line that got in. */
const maxTries = 100;

/** Adds one line to a day's log by compare-and-swap: of several writers at once none loses a line. */
export async function writeDailyLog(
  memory: FileTree,
  entry: DailyLogEntry,
  author = "agent",
): Promise<Result<TreeVersion>> {
  const path = dailyLogPath(entry.at);
  if (!path.ok) return path;
  for (let tries = 0; tries < maxTries; tries += 1) {
    const read = await memory.read(path.value);
    if (!read.ok && read.error.code !== "not-found") return read;
    const text = appendToDailyLog(read.ok ? read.value.text : null, entry);
    if (!text.ok) return text;
    const session = entry.session === undefined ? {} : { session: entry.session };
    const expect = read.ok ? read.value.version.version : 0;
    const written = await memory.write(path.value, text.value, { author, ...session, expect });
    if (written.ok || written.error.code !== "conflict") return written;
  }
  return fail("conflict", `Others keep writing ${path.value}.`, { path: path.value, retryable: true });
}
