// Writes a log of about that many bytes, with the mixture of sizes that coding sessions have.
import { closeSync, openSync, writeSync } from "node:fs";
import { encodeEntry } from "../packages/core/build/log/codec.js";

const source = `export function settle(entries) {\n  const live = entries.filter((entry) => entry.seq <= head && !dead.has(entry.id));\n  return live.map((entry) => ({ ...entry, text: "\\"quoted\\" — naïve" }));\n}\n`;

export function writeLog(path, bytes) {
  const file = openSync(path, "w", 0o600);
  const head = (seq) => ({
    v: 1,
    seq,
    epoch: 1,
    id: `msg_${seq}`,
    at: new Date(1.77e12 + seq * 1000).toISOString(),
  });
  let written = writeSync(
    file,
    encodeEntry({ ...head(1), kind: "session", session: { id: "bench", project: "bench-00000000" } }),
  );
  let seq = 1;
  while (written < bytes) {
    seq += 1;
    const isResult = seq % 2 === 0;
    const repeat = (seq * 7919) % 97 < 10 ? 150 : (seq * 31) % 12;
    const block = isResult
      ? { type: "tool_result", tool_use_id: `toolu_${seq - 1}`, content: source.repeat(1 + repeat) }
      : {
          type: "tool_use",
          id: `toolu_${seq}`,
          name: "Read",
          input: { file_path: `src/part-${seq % 40}.ts`, limit: 200 },
        };
    const usage = { input: 3, output: 120, cacheRead: 50_000 + seq, cacheCreation: 900 };
    const message = isResult
      ? { type: "user", content: [block] }
      : { type: "assistant", content: [block], responseId: `r_${seq}`, usage };
    written += writeSync(file, encodeEntry({ ...head(seq), kind: "message", message }));
  }
  closeSync(file);
  return seq;
}
