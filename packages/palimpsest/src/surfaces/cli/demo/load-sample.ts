import { createReadStream } from "node:fs";
import { type Entry, fail, ok, type Result } from "@palimpsest/core/spec";
import { normalize, type RecordedSession } from "../../../replay/index.ts";
import { packageFile } from "../../local/package-folder.ts";
import { readTranscript, type TranscriptReport } from "../../local/sessions/read-transcript.ts";
import { createStoryWriter, type SessionStory } from "./session-story.ts";

/** Made by `npm run sample`; see docs/sample-session.md. */
export const sampleFile = packageFile("assets/sample-session.jsonl.gz");

export interface Sample {
  readonly story: SessionStory;
  readonly session: RecordedSession;
}

const fix =
  "Install the package again; in a copy of the repository, “npm run sample” makes the session anew.";

/** The bundled session, whole: part of one would be another story. */
export async function loadSample(file: string, signal: AbortSignal): Promise<Result<Sample>> {
  const writer = createStoryWriter();
  const entries: Entry[] = [];
  const visit = (entry: Entry) => {
    writer.visit(entry);
    entries.push(entry);
  };
  const source = { name: "the bundled session", isOwnPlace: true, signal };
  try {
    const read = await readTranscript(createReadStream(file), source, visit);
    if (!read.ok) return read.error.code === "aborted" ? read : refuseUnreadable(file, read.error);
    const damage = damageOf(read.value);
    if (damage !== null) return refuseUnreadable(file, new Error(damage));
  } catch (cause) {
    return refuseUnreadable(file, cause);
  }
  const session = normalize(entries, "sample-session");
  if (session.requests.length === 0)
    return fail("corrupt", `The bundled session has no request in it: ${file}.`, { path: file, fix });
  return ok({ story: writer.story(), session });
}

function damageOf(report: TranscriptReport): string | null {
  if (!("log" in report)) return `it is a transcript of ${report.format}`;
  const { corruptLines, tornBytes } = report.log;
  if (report.gzipDamage !== null) return report.gzipDamage;
  return corruptLines > 0 || tornBytes > 0 ? "some of its lines are damaged" : null;
}

function refuseUnreadable(file: string, cause: unknown): Result<never> {
  const why = cause instanceof Error ? cause.message : String(cause);
  const code = (cause as NodeJS.ErrnoException).code === "ENOENT" ? "not-found" : "corrupt";
  return fail(code, `The bundled session could not be read: ${file}: ${why}`, { path: file, cause, fix });
}
