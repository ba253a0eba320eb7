// Writes the log of a session that went through calls and results until its log had a size, and what was decided then.
import { closeSync, openSync, writeSync } from "node:fs";
import { encodeEntry } from "../packages/core/build/log/codec.js";

export const states = ["compacted", "cleared", "untouched"];

const source = `export function settle(entries) {\n  const live = entries.filter((entry) => entry.seq <= head && !dead.has(entry.id));\n  return live.map((entry) => ({ ...entry, text: "\\"quoted\\" - plain" }));\n}\n`;

/** Results have the mixture of sizes that coding sessions have: most of them short, one in ten of 30 kB. */
const linesOf = (seq) => source.repeat(1 + ((seq * 7919) % 97 < 10 ? 150 : (seq * 31) % 12));

/** Gives its entries and bytes, and those of the messages of its next request. */
export function writeLongLog(path, session, state, bytes) {
  const file = openSync(path, "w", 0o600);
  let seq = 0;
  let written = 0;
  const put = (kind, body) => {
    seq += 1;
    const at = new Date(1.77e12 + seq * 1000).toISOString();
    const head = { v: 1, seq, epoch: 1, id: `msg_01kbxyzabcdefgh${String(seq).padStart(10, "0")}`, at };
    written += writeSync(file, encodeEntry({ ...head, kind, [kind]: body }));
    return head.id;
  };
  put("session", { id: session, project: "", model: "claude-opus-4-5" });
  let covers = put("message", { type: "user", content: "Go through everything." });
  const calls = [];
  const sizeOf = (role, content) => Buffer.byteLength(JSON.stringify({ role, content })) + 1;
  let requestBytes = 0;
  while (written < bytes) {
    const id = `toolu_01${String(seq).padStart(20, "0")}`;
    const input = { file_path: `src/part-${seq % 40}.ts`, limit: 200 };
    const usage = { input: 3, output: 120, cacheRead: 50_000 + seq, cacheCreation: 900 };
    const content = [{ type: "tool_use", id, name: "Read", input }];
    put("message", { type: "assistant", content, responseId: `r_${seq}`, usage });
    const result = { type: "tool_result", tool_use_id: id, content: linesOf(seq) };
    covers = put("message", { type: "user", content: [result] });
    const label = `[Old tool result content cleared: Read ${input.file_path}; recall ${id}]`;
    calls.push({ id, label });
    const shown = state === "cleared" ? { ...result, content: label } : result;
    requestBytes += sizeOf("assistant", content) + sizeOf("user", [shown]);
  }
  const decision = { layer: "bench", reason: "for the bench", frees: 1_000, basis: seq };
  const parts = calls.map(({ id, label }) => ({ toolUseId: id, part: "result", label }));
  if (state === "cleared") put("decision", { ...decision, type: "clear", parts });
  if (state === "compacted") {
    const summary = { type: "user", content: "Everything was read.", isCompactSummary: true };
    const about = { trigger: "auto", strategy: "scribe", tokensBefore: 1e8, tokensAfter: 100 };
    const none = { attachments: [], discoveredTools: [] };
    put("decision", { ...decision, type: "compact", summary, covers, ...about, ...none });
  }
  closeSync(file);
  return { entries: seq, bytes: written, requestBytes: state === "compacted" ? 0 : requestBytes };
}
