import {
  type ImportOptions,
  type ImportReport,
  importTranscript,
} from "../../packages/core/src/log/import/index.ts";
import type { Entry, PalimpsestError } from "../../packages/core/src/spec/index.ts";

type Json = Readonly<Record<string, unknown>>;

/** Cuts bytes at the given positions, in any order and out of range too. */
export async function* cutAt(
  bytes: Uint8Array,
  positions: readonly number[] = [],
): AsyncGenerator<Uint8Array> {
  const cuts = positions.map((at) => at % (bytes.length + 1)).sort((left, right) => left - right);
  let start = 0;
  for (const cut of [...cuts, bytes.length]) {
    yield bytes.slice(start, cut);
    start = cut;
  }
}

export interface Imported {
  readonly report?: ImportReport;
  readonly error?: PalimpsestError;
  readonly entries: readonly Entry[];
}

export async function importBytes(
  content: Uint8Array | string,
  options: ImportOptions = {},
  cuts: readonly number[] = [],
): Promise<Imported> {
  const entries: Entry[] = [];
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  const result = await importTranscript(cutAt(bytes, cuts), options, (entry) => entries.push(entry));
  return result.ok ? { report: result.value, entries } : { error: result.error, entries };
}

/** Imports what must be importable. */
export async function importOk(
  content: Uint8Array | string,
  options: ImportOptions = {},
): Promise<{ readonly report: ImportReport; readonly entries: readonly Entry[] }> {
  const { report, error, entries } = await importBytes(content, options);
  if (report === undefined) throw error;
  return { report, entries };
}

/** Lines that a report accounts for; equal to its `lines` or something is missing. */
export function accountedLines(report: ImportReport): number {
  const sum = (counts: Readonly<Record<string, number>>) =>
    Object.values(counts).reduce((total, count) => total + count, 0);
  return (
    report.messages +
    report.attachments +
    sum(report.otherTypes) +
    sum(report.unknownTypes) +
    report.skipped +
    report.duplicates +
    report.corrupt +
    report.torn
  );
}

export function jsonLines(...lines: readonly unknown[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

const envelope = { sessionId: "s-1", cwd: "/home/ada/orchard", version: "2.1.7", isSidechain: false };
const at = (uuid: string) => ({ uuid, timestamp: "2026-02-03T04:05:06.789Z" });

/** Lines as Claude Code writes them, with invented content. */
export const claudeLine = {
  user: (uuid: string, content: unknown, fields: Json = {}): Json => ({
    parentUuid: null,
    ...envelope,
    type: "user",
    message: { role: "user", content },
    ...at(uuid),
    ...fields,
  }),
  assistant: (uuid: string, content: unknown, message: Json = {}, fields: Json = {}): Json => ({
    parentUuid: null,
    ...envelope,
    message: { id: "msg_1", role: "assistant", model: "claude-x", content, ...message },
    type: "assistant",
    ...at(uuid),
    ...fields,
  }),
  system: (uuid: string, subtype: string, fields: Json = {}): Json => ({
    parentUuid: null,
    ...envelope,
    type: "system",
    subtype,
    ...at(uuid),
    ...fields,
  }),
  attachment: (uuid: string, attachment: unknown, fields: Json = {}): Json => ({
    parentUuid: null,
    ...envelope,
    type: "attachment",
    attachment,
    ...at(uuid),
    ...fields,
  }),
};
