import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { version } from "@palimpsest/core";
import { encodeEntry } from "@palimpsest/core/internal";
import type { DemoWord } from "./runs/demo-word.ts";
import type { SessionStory } from "./session-story.ts";

export interface EngineSession {
  readonly story: SessionStory;
  /** Where the recorded agent worked. */
  readonly cwd: string;
  readonly log: Extract<DemoWord, { readonly word: "log" }>;
}

export interface EngineSessionFile {
  readonly path: string;
  /** With the folder that it is in. */
  remove(): Promise<void>;
}

/**
 * Writes the session that the engine made, decisions included, as a log in a folder of its own; `null` where there is
 * no room for it: the demo has nothing to lose by that.
 */
export async function writeEngineSession(made: EngineSession): Promise<EngineSessionFile | null> {
  try {
    const place = await mkdtemp(join(tmpdir(), "palimpsest-demo-"));
    const path = join(place, "session.jsonl");
    await writeFile(path, encodeSession(made), { mode: 0o600 });
    return { path, remove: () => rm(place, { recursive: true, force: true }) };
  } catch {
    return null;
  }
}

/** The whole log: a header, what the engine wrote, and the title. */
export function encodeSession({ story, cwd, log }: EngineSession): Uint8Array {
  const { model, title, startedAt, endedAt } = story;
  const writer = { pid: process.pid, host: "demo", version };
  const header = encodeEntry({
    v: 1,
    seq: 1,
    epoch: 1,
    id: "session_1",
    at: startedAt,
    kind: "session",
    session: { id: "demo", project: "demo", cwd, model, writer },
  });
  const note = encodeEntry({
    v: 1,
    seq: log.lastSeq + 1,
    epoch: 1,
    id: "note_title",
    at: endedAt,
    kind: "note",
    note: { topic: "title", title: `${title} (as the engine keeps it)` },
  });
  return Buffer.concat([header, log.lines, note]);
}
