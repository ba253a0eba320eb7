// Recorded sessions as what counting sees of them: items with features, in order of session start.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { importTranscript } from "../packages/core/build/log/import/index.js";
import { featuresOf } from "../packages/core/build/view/tokens/index.js";
import { signedText } from "./signed-text.mjs";

/** Reads every transcript of a folder; what is no transcript, or the same session again, is in `left` with the reason. */
export async function readSessions(folder) {
  const sessions = [];
  const left = [];
  for (const file of readdirSync(folder).sort()) {
    if (!/\.jsonl(\.gz)?$/.test(file)) continue;
    const entries = [];
    const imported = await importTranscript(signedBytes(join(folder, file)), { file }, (entry) =>
      entries.push(entry),
    );
    const id = entries[0]?.session?.id;
    const twin = sessions.find((session) => session.id === id);
    if (!imported.ok) left.push({ file, reason: imported.error.message });
    else if (twin) left.push({ file, reason: `the same session as ${twin.file}` });
    else
      sessions.push({
        file,
        id,
        at: entries.find(isSent)?.at ?? "",
        entries,
        steps: entries.flatMap(stepsOf),
      });
  }
  return { sessions: sessions.sort((a, b) => (a.at < b.at ? -1 : 1)), left };
}

async function* signedBytes(path) {
  const bytes = readFileSync(path);
  const text = (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  yield Buffer.from(signedText(text));
}

function isSent(entry) {
  const { message } = entry;
  if (entry.kind !== "message" || message.isSidechain || message.isApiErrorMessage) return false;
  return message.type !== "system" && message.type !== "progress";
}

function stepsOf(entry) {
  if (isSent(entry)) {
    const { content, responseId, model, usage } = entry.message;
    return [{ content, item: { features: featuresOf(content), responseId, model, usage } }];
  }
  if (entry.kind !== "decision") return [];
  if (entry.decision.type !== "compact") return [{}];
  const content = entry.decision.summary?.content ?? "";
  return [{ content, item: { features: featuresOf(content), isBoundary: true } }];
}
