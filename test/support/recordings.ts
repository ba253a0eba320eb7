import type { ContentBlock, Entry, EntryBody, Message, Usage } from "../../packages/core/src/spec/index.ts";
import { estimatedTokens } from "../../packages/palimpsest/src/replay/sizes/prompt-content.ts";

const overheadTokens = 40_000;
const startMs = Date.UTC(2026, 0, 1);

/** Writes the entries of a recorded session, a minute apart, with the usage that its requests really had. */
export function createRecording() {
  const entries: Entry[] = [];
  let nowMs = startMs;
  let prompt = overheadTokens;
  let responses = 0;

  function write(body: EntryBody): void {
    nowMs += 60_000;
    const seq = entries.length + 1;
    entries.push({ v: 1, seq, epoch: 1, id: `e${seq}`, at: new Date(nowMs).toISOString(), ...body });
  }

  function message(content: readonly ContentBlock[], more: Partial<Message> & Pick<Message, "type">): void {
    write({ kind: "message", message: { content, ...more } });
    if (!more.isSidechain) prompt += 1.1 * content.reduce((sum, block) => sum + estimatedTokens(block), 0);
  }

  function usage(): Usage {
    return { input: 0, cacheRead: 0, cacheCreation: Math.round(prompt), output: 10 };
  }

  write({ kind: "session", session: { id: "recorded", project: "p", cwd: "/home/me/project" } });
  return {
    entries,
    wait(minutes: number) {
      nowMs += minutes * 60_000;
    },
    says(text: string, more: Partial<Message> = {}) {
      message([{ type: "text", text }], { type: "user", ...more });
    },
    /** A response in as many lines as it has blocks, and the results of its calls behind it. */
    round(blocks: readonly ContentBlock[], results: readonly ContentBlock[] = []) {
      responses += 1;
      const traits = { type: "assistant", responseId: `r${responses}`, model: "claude-opus-4-5" } as const;
      const measured = usage();
      for (const block of blocks) message([block], { ...traits, usage: measured });
      if (results.length > 0) message(results, { type: "user" });
    },
    /** What a harness writes when it is started again. */
    synthetic(text: string) {
      const traits = { type: "assistant", responseId: `s${entries.length}`, model: "<synthetic>" } as const;
      message([{ type: "text", text }], traits);
    },
    sidechain(text: string) {
      message([{ type: "text", text }], { type: "assistant", responseId: "side", isSidechain: true });
    },
    compacts(summary: string, strategy = "other") {
      const last = entries.at(-1) as Entry;
      write({
        kind: "decision",
        decision: {
          type: "compact",
          layer: "imported",
          reason: "recorded",
          frees: 0,
          basis: last.seq,
          trigger: "imported",
          strategy,
          tokensBefore: 0,
          tokensAfter: 0,
          summary: { type: "user", content: summary, isCompactSummary: true },
          covers: last.id,
          attachments: [],
          discoveredTools: [],
        },
      });
      prompt = overheadTokens + 1.1 * estimatedTokens({ type: "text", text: summary });
    },
  };
}

export function call(id: string, name: string, input: unknown): ContentBlock {
  return { type: "tool_use", id, name, input };
}

export function result(id: string, content: string): ContentBlock {
  return { type: "tool_result", tool_use_id: id, content };
}

/** A file of about that many tokens whose every line is its own. */
export function fileText(name: string, lines: number): string {
  return Array.from(
    { length: lines },
    (_, line) => `${String(line + 1).padStart(6)}→const ${name}Value${line} = compute(${name}, ${line});`,
  ).join("\n");
}
