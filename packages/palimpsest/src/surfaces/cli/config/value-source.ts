import {
  assignedSource,
  flagVariable,
  killSwitchesFlag,
  type ResolvedFlags,
  type SettingsSurvey,
  type SurveyedFile,
} from "@palimpsest/core/internal";
import type { FlagName } from "@palimpsest/core/spec";

/** Who decided a value. */
export type ValueSource =
  | { readonly kind: "kill-switch"; readonly flag: string; readonly variable: string }
  | { readonly kind: "kill-switch"; readonly flag: string; readonly store: string }
  /** The store's value, for everybody on it. */
  | { readonly kind: "store"; readonly store: string }
  | { readonly kind: "environment"; readonly variable: string }
  /** `--set` of this call. */
  | { readonly kind: "option" }
  /** A flag that a settings file turns on or off, and which rules a setting. */
  | { readonly kind: "flag"; readonly flag: string; readonly files: readonly SourceFile[] }
  /** More than one where they set parts of it. */
  | {
      readonly kind: "file";
      readonly files: readonly SourceFile[];
      /** Whoever sets parts of it besides: a variable, or `--set`. */
      readonly besides?: readonly string[];
    }
  | { readonly kind: "default" };

export interface SourceFile {
  readonly level: SurveyedFile["level"];
  readonly path: string;
}

const killSwitchesVariable = flagVariable(killSwitchesFlag);
const storePattern = /^store (.+)$/;

/** Finds out what the engine means by `default`, a variable, `flag x`, `kill switch x` or `settings.x`. */
export function toSource(
  said: string,
  survey: SettingsSurvey,
  flags: Pick<ResolvedFlags, "sources" | "killedBy">,
): ValueSource {
  if (said === "default") return { kind: "default" };
  const [, kill] = /^kill switch (.+)$/.exec(said) ?? [];
  if (kill !== undefined) {
    const [, killer] = storePattern.exec(flags.killedBy[kill as FlagName] ?? "") ?? [];
    const named = killer === undefined ? { variable: killSwitchesVariable } : { store: killer };
    return { kind: "kill-switch", flag: kill, ...named };
  }
  const [, store] = storePattern.exec(said) ?? [];
  if (store !== undefined) return { kind: "store", store };
  const [, flag] = /^flag (.+)$/.exec(said) ?? [];
  if (flag !== undefined) {
    const decided = toSource(flags.sources[flag as FlagName], survey, flags);
    return decided.kind === "file" ? { ...decided, kind: "flag", flag } : decided;
  }
  if (said.startsWith("options.")) return { kind: "option" };
  const [, setting] = /^settings\.(.+)$/.exec(said) ?? [];
  return setting === undefined ? { kind: "environment", variable: said } : fromSources(setting, survey);
}

/** The files that set it or parts of it, a variable, or an option; the default where nobody does. */
export function fromSources(setting: string, { files, sources }: SettingsSurvey): ValueSource {
  const isPart = (path: string) =>
    path === setting || path.startsWith(`${setting}.`) || path.startsWith(`${setting}[`);
  const names = new Set(
    Object.entries(sources)
      .filter(([path]) => isPart(path))
      .map(([, source]) => source),
  );
  const found = files
    .filter(({ file }) => names.has(file))
    .map(({ level, path }): SourceFile => ({ level, path }));
  const besides = [...names].filter((name) => !files.some(({ file }) => file === name));
  if (found.length > 0) return { kind: "file", files: found, ...(besides.length > 0 && { besides }) };
  const [other] = names;
  if (other === undefined) return { kind: "default" };
  return other === assignedSource ? { kind: "option" } : { kind: "environment", variable: other };
}

/** Where kill switches come from, if one of the sources is one. */
export function killSwitchLines(sources: readonly ValueSource[]): readonly string[] {
  const killers = sources.flatMap((source) => {
    if (source.kind !== "kill-switch") return [];
    return ["store" in source ? `on ${source.store}` : `in ${source.variable}`];
  });
  return killers.length === 0 ? [] : ["", `Kill switches are named ${[...new Set(killers)].join(" and ")}.`];
}

/** Who set it; `line` is that of the setting in the file, where one file alone sets it. */
export function sourceText(source: ValueSource, line?: number): string {
  switch (source.kind) {
    case "kill-switch":
      return `kill switch ${source.flag}`;
    case "environment":
      return source.variable;
    case "store":
      return "the store";
    case "flag":
      return `flag ${source.flag}, ${fileText(source.files)}`;
    case "option":
      return assignedSource;
    case "file":
      return [
        `${fileText(source.files)}${line === undefined ? "" : `, line ${line}`}`,
        ...(source.besides ?? []),
      ].join(" and ");
    case "default":
      return "default";
  }
}

function fileText(files: readonly SourceFile[]): string {
  const levels = files.map(({ level }) => level);
  return `${levels.join(" and ")} ${levels.length === 1 ? "file" : "files"}`;
}
