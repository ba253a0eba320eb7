// Recorded sessions ready to replay.
import { createReadStream, readdirSync } from "node:fs";
import { join } from "node:path";
import { importTranscript } from "../packages/core/build/log/import/index.js";
import { normalize, prepareRecording, withoutDuplicates } from "../packages/palimpsest/build/replay/index.js";

/** Reads the transcripts of a folder, at most `limit` of them; in the order in which they began. */
export async function readRecordings(folder, limit) {
  const unreadable = [];
  const read = [];
  const files = readdirSync(folder)
    .filter((name) => /\.jsonl(\.gz)?$/.test(name))
    .sort()
    .slice(0, limit);
  for (const file of files) {
    const entries = [];
    const chunks = createReadStream(join(folder, file));
    const imported = await importTranscript(chunks, { file, keepsUnsignedThinking: true }, (entry) =>
      entries.push(entry),
    );
    if (imported.ok) read.push(normalize(entries, file));
    else unreadable.push({ name: file, reason: imported.error.message });
  }
  const { sessions, duplicates } = withoutDuplicates(read);
  const begunMs = ({ requests }) => requests[0]?.sentMs ?? 0;
  const inOrder = [...sessions].sort((one, other) => begunMs(one) - begunMs(other));
  return { files: files.length, unreadable, duplicates, recordings: inOrder.map(prepareRecording) };
}
