// Recorded sessions ready to replay, and what of them cannot be measured.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { importTranscript } from "../dist/log/import/index.js";
import { normalize, prepareRecording, wholeSessionError, withoutDuplicates } from "../dist/replay/index.js";
import { signedText } from "./signed-text.mjs";

/** Reads the transcripts of a folder, at most `limit` of them. */
export async function readRecordings(folder, limit) {
  const unreadable = [];
  const read = [];
  const files = readdirSync(folder)
    .filter((name) => /\.jsonl(\.gz)?$/.test(name))
    .sort()
    .slice(0, limit);
  for (const file of files) {
    const entries = [];
    const imported = await importTranscript(chunksOf(join(folder, file)), { file }, (entry) =>
      entries.push(entry),
    );
    if (imported.ok) read.push(normalize(entries, file));
    else unreadable.push({ name: file, reason: imported.error.message });
  }
  const { sessions, duplicates } = withoutDuplicates(read);
  const prepared = sessions.map(prepareRecording);
  const isMeasured = ({ segments }) => segments.some(({ excluded }) => excluded === undefined);
  const recordings = prepared.filter(isMeasured);
  const strict = sessions.filter((session) => (wholeSessionError(session) ?? 1) <= 0.03).length;
  const segments = prepared.flatMap((recording) =>
    recording.segments.map((one) => ({ ...one, session: recording.session.name })),
  );
  const leftOut = { novel: 0, fixed: 0, given: 0 };
  let needs = 0;
  for (const recording of recordings) {
    for (const name of Object.keys(leftOut)) leftOut[name] += recording.needs.leftOut[name];
    needs += recording.needs.byRequest.flat().length;
  }
  const report = {
    files: files.length,
    unreadable,
    duplicates,
    sessions: sessions.length,
    measured: recordings.length,
    segments: segments.length,
    excludedSegments: segments.filter(({ excluded }) => excluded !== undefined),
    strict,
    needs,
    leftOut,
  };
  return { recordings, report };
}

async function* chunksOf(path) {
  const bytes = readFileSync(path);
  yield Buffer.from(signedText((path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8")));
}
