import type { SurveyedFile } from "@palimpsest/core/internal";

/** One of the settings files, for people and programs. */
export interface FileRecord {
  readonly level: SurveyedFile["level"];
  readonly path: string;
  /** `untrusted`: read, but for its restricted parts. */
  readonly state: "absent" | "read" | "untrusted" | "error";
  /** Its restricted settings; empty in the user's own files, which need no trust. */
  readonly restricted: readonly string[];
  /** Its problems, one a line; `null` unless it is in error. */
  readonly problem: string | null;
  /** On which line each of its settings stands. */
  readonly lines: Readonly<Record<string, number>>;
}

export function fileRecords(files: readonly SurveyedFile[]): readonly FileRecord[] {
  return files.map(({ level, path, found }) => {
    if (!found.ok)
      return { level, path, state: "error", restricted: [], problem: found.error.message, lines: {} };
    const { restricted } = found.value ?? {};
    const state = restricted?.isTrusted === false ? "untrusted" : found.value ? "read" : "absent";
    const names = [...(found.value?.places?.names ?? [])].map(([name, { line }]) => [name, line] as const);
    return {
      level,
      path,
      state,
      restricted: restricted?.parts ?? [],
      problem: null,
      lines: Object.fromEntries(names),
    };
  });
}

/** Where a setting, or a part of it, stands in a file that waits for trust: it has no effect there. */
export function ignoredPlaces(setting: string, files: readonly SurveyedFile[]): readonly string[] {
  return files.flatMap(({ file, found }) => {
    if (!found.ok || found.value?.restricted?.isTrusted !== false) return [];
    const { restricted, places } = found.value;
    const isRestricted = restricted.parts.some((part) => setting === part || setting.startsWith(`${part}.`));
    const place = places?.names.get(setting);
    if (!isRestricted || place === undefined) return [];
    return [`set in ${file}:${place.line}, ignored until trusted (palimpsest config trust)`];
  });
}
