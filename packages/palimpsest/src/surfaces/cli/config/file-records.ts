import type { SurveyedFile } from "@palimpsest/core/internal";

/** One of the settings files, for people and programs. */
export interface FileRecord {
  readonly level: SurveyedFile["level"];
  readonly path: string;
  /** `untrusted`: read, but for its restricted parts. */
  readonly state: "absent" | "read" | "untrusted" | "error";
  /** What is restricted in it; empty in the user's own files, which need no trust. */
  readonly restricted: readonly string[];
  /** What is wrong with it; `null` unless it is in error. */
  readonly problem: string | null;
}

export function fileRecords(files: readonly SurveyedFile[]): readonly FileRecord[] {
  return files.map(({ level, path, found }) => {
    if (!found.ok) return { level, path, state: "error", restricted: [], problem: found.error.message };
    const { restricted } = found.value ?? {};
    const state = restricted?.isTrusted === false ? "untrusted" : found.value ? "read" : "absent";
    return { level, path, state, restricted: restricted?.parts ?? [], problem: null };
  });
}
