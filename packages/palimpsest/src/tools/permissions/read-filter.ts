import {
  coversPath,
  isPlainPath,
  type PathLocations,
  type PermissionRule,
  parseRule,
} from "@palimpsest/core/internal";
import type { Disk, PermissionMode, PermissionRules, ToolSubject } from "@palimpsest/core/spec";
import { namesTool } from "./rule-match.ts";

interface WalkInput {
  readonly tool: string;
  /** Real paths that the call itself was judged for. */
  readonly paths: readonly string[];
  readonly mode: PermissionMode;
  readonly rules: PermissionRules;
}

/**
 * The files a call may read: none that a rule denies, and none that a rule asks about, unless that rule was asked for
 * the call. Rules without a path are about the call as a whole. `undefined`: no rule says anything.
 */
export function readFilter(
  { tool, paths, mode, rules }: WalkInput,
  locations: PathLocations,
): ((path: string) => boolean) | undefined {
  const covers = (rule: PermissionRule, path: string) =>
    rule.patterns?.some((pattern) => pattern.kind === "path" && coversPath(pattern, path, locations)) ??
    false;
  const asked = (rule: PermissionRule) => paths.some((path) => covers(rule, path));
  const denying = parseRules(rules.deny, tool);
  const asking = mode === "bypass" ? [] : parseRules(rules.ask, tool).filter((rule) => !asked(rule));
  const keeping = [...denying, ...asking];
  return keeping.length === 0 ? undefined : (path) => !keeping.some((rule) => covers(rule, path));
}

function parseRules(texts: readonly string[] = [], tool: string): readonly PermissionRule[] {
  const lower = (name: string) => name.toLowerCase();
  return texts.flatMap((text) => {
    const rule = parseRule(text);
    const isMeant = rule.ok && rule.value.patterns !== undefined;
    return isMeant && (namesTool(rule.value, tool, lower) || lower(rule.value.tool) === "read")
      ? [rule.value]
      : [];
  });
}

/** Says of every path where it really leads, so that a link does not carry a call out of the workspace. */
export async function withRealPaths(
  disk: Pick<Disk, "realPath" | "stat">,
  subjects: readonly ToolSubject[],
): Promise<readonly ToolSubject[]> {
  return Promise.all(
    subjects.map(async (subject) =>
      subject.kind === "path"
        ? { ...subject, realPath: await leadsTo(disk, subject.value.replace(/(.)\/+$/, "$1")) }
        : subject,
    ),
  );
}

/** What is not there yet will be made in the folder that is. A link to nothing leads nowhere that can be told. */
async function leadsTo(disk: Pick<Disk, "realPath" | "stat">, path: string): Promise<string | null> {
  if (!isPlainPath(path)) return null;
  let folder = path;
  let missing = "";
  for (;;) {
    const real = await disk.realPath(folder);
    if (real.ok) return real.value === "/" ? missing || "/" : real.value + missing;
    if (real.error.code !== "not-found" || folder === "/") return null;
    if ((await disk.stat(folder)).ok) return null;
    const slash = folder.lastIndexOf("/");
    missing = folder.slice(slash) + missing;
    folder = folder.slice(0, slash) || "/";
  }
}

export interface Workspace {
  /** Real, absolute paths; the working folder first. */
  readonly roots: readonly string[];
  /** Folders that were named and are not there. */
  readonly warnings: readonly string[];
}

/** The folders that the agent works in: its own, and what `additionalFolders` names, each where it really is. */
export async function openWorkspace(input: {
  readonly disk: Pick<Disk, "realPath">;
  readonly cwd: string;
  readonly homeFolder: string;
  /** Absolute, below home (`~/…`) or from the working folder on. */
  readonly additionalFolders?: readonly string[];
}): Promise<Workspace> {
  const { disk, cwd, homeFolder, additionalFolders = [] } = input;
  const own = await disk.realPath(cwd);
  const roots = new Set([own.ok ? own.value : cwd]);
  const warnings: string[] = [];
  for (const folder of additionalFolders) {
    const real = await disk.realPath(absolute(folder));
    if (real.ok) roots.add(real.value);
    else warnings.push(`additionalFolders: ${folder} cannot be used. ${real.error.message}`);
  }
  return { roots: [...roots], warnings };

  function absolute(folder: string): string {
    if (folder === "~" || folder.startsWith("~/")) return homeFolder + folder.slice(1);
    return folder.startsWith("/") ? folder : `${cwd}/${folder}`;
  }
}
