import { fail, ok, type Result } from "../../../spec/index.ts";

/** Something that happened on a day, in one line. */
export interface DailyLogEntry {
  /** ISO 8601; day and minute are those of UTC. */
  readonly at: string;
  readonly text: string;
  readonly session?: string;
}

/** Over this a log takes nothing more: one topic of a memory folder has no more either. */
export const maxDailyLogBytes = 100 * 1024;

const entryLine = /^- (\d{2}:\d{2})(?: \[([^\]\s]+)\])? (.+)$/;

/** `logs/YYYY/MM/YYYY-MM-DD.md`; `invalid-input` for what is no time. */
export function dailyLogPath(at: string): Result<string> {
  const ms = Date.parse(at);
  if (Number.isNaN(ms)) return fail("invalid-input", `“${at}” is no time.`, { fix: "Give it as ISO 8601." });
  const day = new Date(ms).toISOString().slice(0, 10);
  const [year, month] = day.split("-");
  return ok(`logs/${year}/${month}/${day}.md`);
}

/** The day's log with one more line; `null`: there is none yet. What is there already stays byte for byte. */
export function appendToDailyLog(present: string | null, entry: DailyLogEntry): Result<string> {
  const path = dailyLogPath(entry.at);
  if (!path.ok) return path;
  const text = entry.text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
  if (text === "") return fail("invalid-input", "There is nothing to log.", { path: path.value });
  const time = new Date(entry.at).toISOString();
  const session = entry.session?.replaceAll(/[\s[\]]/g, "");
  const head = present ?? `# ${time.slice(0, 10)}\n\n`;
  const line = `- ${time.slice(11, 16)}${session ? ` [${session}]` : ""} ${text}\n`;
  const whole = `${head}${head === "" || head.endsWith("\n") ? "" : "\n"}${line}`;
  if (new TextEncoder().encode(whole).length <= maxDailyLogBytes) return ok(whole);
  return fail("too-large", `${path.value} would have more than ${maxDailyLogBytes} bytes.`, {
    path: path.value,
    fix: "Log less, or shorten what is there.",
  });
}

/** The entries of a log, for the day that its path names; lines that are none are passed over. */
export function readDailyLog(path: string, text: string): readonly DailyLogEntry[] {
  const day = /(\d{4}-\d{2}-\d{2})\.md$/.exec(path)?.[1];
  if (day === undefined) return [];
  return text.split("\n").flatMap((line) => {
    const [, time, session, words] = entryLine.exec(line) ?? [];
    if (time === undefined || words === undefined) return [];
    return [{ at: `${day}T${time}:00.000Z`, text: words, ...(session ? { session } : {}) }];
  });
}
