import {
  allowsPath,
  type CommandPattern,
  couldReach,
  coversPath,
  escapeGlob,
  exitPlanTool,
  hostOf,
  isPlainPath,
  isWithin,
  matchUrl,
  type PathLocations,
  type PathPattern,
  type PermissionRule,
  parseRule,
  splitCommand,
  toExactCommand,
  toolFamilies,
  toPlainPath,
  trimCommand,
  type UrlPattern,
} from "@palimpsest/core/internal";
import type { PermissionQuestion, PermissionRules, ToolSubject } from "@palimpsest/core/spec";
import { matchWords, toWantedWords } from "./commands/match-words.ts";
import { type RunnableCommands, readRunnable } from "./commands/runnable-commands.ts";

/** A call as rules look at it. */
interface RuledCall {
  readonly tool: string;
  readonly subjects: readonly ToolSubject[];
}

/** The base of rules for paths, and how a command is read: once for all rules. */
export interface RuleSurroundings extends PathLocations {
  readonly readRunnable: (command: string) => RunnableCommands;
}

/** Why a rule that denies or asks is about a call. */
export type CallCover =
  | CommandCover
  /** A command would read, or could come upon, what the rule keeps from being read. */
  | { readonly kind: "read"; readonly path: string; readonly isCertain: boolean };

/** Whether a rule that denies or asks is about the call: one subject is enough, in any spelling. */
export function coversCall(
  rule: PermissionRule,
  call: RuledCall,
  around: RuleSurroundings,
): CallCover | undefined {
  const isNamed = namesTool(rule, call.tool, (name) => name.toLowerCase());
  if (rule.patterns === undefined) return isNamed ? { kind: "named" } : undefined;
  for (const given of call.subjects) {
    const subject = toFileSubject(given);
    const isMeant = isNamed || coversAccess(rule, subject) || readsWhatItChanges(rule, call.tool, subject);
    const cover = isMeant ? coversSubject(rule, subject, around) : coversReads(rule, subject, around);
    if (cover) return cover;
  }
  return undefined;
}

/** Whether the rule's name, or that of its family, is the tool's. */
export function namesTool(
  { tool, isBeginning }: PermissionRule,
  called: string,
  spell: (name: string) => string = (name) => name,
): boolean {
  const [ruled, name] = [spell(tool), spell(called)];
  if (isBeginning) return name.startsWith(ruled);
  const family = toolFamilies.find(({ tools: [first = ""] }) => spell(first) === ruled);
  return ruled === name || (family?.tools.some((one) => spell(one) === name) ?? false);
}

/** `Read(…)` and `Edit(…)` that say no are about every tool that would read or change such a path. */
function coversAccess({ tool }: PermissionRule, { kind, access }: ToolSubject): boolean {
  const family = toolFamilies.find(({ tools: [first = ""] }) => first.toLowerCase() === tool.toLowerCase());
  return family !== undefined && family.kind === kind && family.access === access;
}

/** Tools that change a part of a file show what stands around it. */
function readsWhatItChanges(
  { tool }: PermissionRule,
  called: string,
  { kind, access }: ToolSubject,
): boolean {
  return (
    kind === "path" &&
    access === "write" &&
    tool.toLowerCase() === readFamily &&
    toolFamilies.some(({ showing }) => showing.includes(called))
  );
}

/** The family, in small letters, that a command belongs to too: by what it reads. */
const readFamily = "read";

/** A resource of a server that is a file of the machine is judged as that file. */
function toFileSubject(subject: ToolSubject): ToolSubject {
  if (subject.kind !== "url" || !/^file:/i.test(subject.value)) return subject;
  try {
    return {
      kind: "path",
      value: decodeURIComponent(new URL(subject.value).pathname),
      access: subject.access,
    };
  } catch {
    return subject;
  }
}

function coversSubject(
  { patterns = [] }: PermissionRule,
  subject: ToolSubject,
  around: RuleSurroundings,
): CallCover | undefined {
  for (const pattern of patterns) {
    if (pattern.kind !== subject.kind) continue;
    if (pattern.kind === "command") {
      const cover = coversCommand(pattern, subject.value, around.readRunnable);
      if (cover) return cover;
    } else {
      const isCovered =
        pattern.kind === "url"
          ? matchUrl(pattern, subject.value)
          : spellingsOf(subject).some((path) => coversPath(pattern, path, around));
      if (isCovered) return { kind: "named" };
    }
  }
  return undefined;
}

/** Devices that can be read without a file. */
const device = /^\/dev\/(?:null|zero|full|u?random|stdin|tty)$/;

/** `Read(…)` is also about commands that read, and about all of which it cannot be told where it leads. */
function coversReads(
  rule: PermissionRule,
  { reads = [] }: ToolSubject,
  locations: PathLocations,
): CallCover | undefined {
  if (rule.tool.toLowerCase() !== readFamily) return undefined;
  for (const pattern of rule.patterns ?? []) {
    if (pattern.kind !== "path") continue;
    for (const read of reads) {
      const path = read.value;
      if (read.realPath === null && !device.test(path)) return { kind: "read", path, isCertain: false };
      const isCovered = spellingsOf(read).some((one) => coversPath(pattern, one, locations));
      if (isCovered) return { kind: "read", path, isCertain: true };
      const isOpen = read.isPattern === true || read.isRecursive === true;
      if (isOpen && spellingsOf(read).some((one) => couldReach(pattern, one, read, locations)))
        return { kind: "read", path, isCertain: false };
    }
  }
  return undefined;
}

function spellingsOf({ value, realPath }: Pick<ToolSubject, "value" | "realPath">): readonly string[] {
  return [value, ...(realPath ? [realPath] : [])].map(toPlainPath);
}

/** The place a path really leads to; `undefined` where that cannot be told. */
export function realPlace({ value, realPath }: ToolSubject): string | undefined {
  const place = realPath === undefined ? value : realPath;
  return place !== null && isPlainPath(place) ? place : undefined;
}

/** Whether a pattern names the path exactly; one that is protected has to be named as such. */
export function allowsSubjectPath(
  patterns: readonly PathPattern[],
  place: string,
  isProtected: boolean,
  locations: PathLocations,
): boolean {
  return patterns.some(
    (pattern) => (!isProtected || pattern.namesProtected) && allowsPath(pattern, place, locations),
  );
}

export function allowsSubjectUrl(patterns: readonly UrlPattern[], url: string): boolean {
  return patterns.some((pattern) => matchUrl(pattern, url));
}

/** Why a rule that says no is about a command. */
type CommandCover =
  | { readonly kind: "named" }
  /** It could turn out to be what the rule names; `why` says what cannot be known. */
  | { readonly kind: "possible"; readonly why: string };

const uncertainWord =
  "a variable, a pattern or another command's output stands where the program or one of its words would";

/**
 * Generously, for saying no: whether a command, or something that it would run, is what the pattern names, or could be.
 * Actions of a program by itself cannot be seen: scripts, makefiles, aliases of earlier commands.
 */
function coversCommand(
  pattern: CommandPattern,
  command: string,
  read: (command: string) => RunnableCommands = readRunnable,
): CommandCover | undefined {
  if (pattern.form === "exact" && pattern.text === trimCommand(command)) return { kind: "named" };
  const named = pattern.form === "prefix" ? pattern.words : soleWords(pattern.text);
  if (named === undefined) return undefined;
  const wanted = toWantedWords(named, pattern.form === "exact");
  const { commands, codes, unknown } = read(command);
  let isPossible = false;
  for (const words of commands) {
    const found = matchWords(wanted, words);
    if (found === "is") return { kind: "named" };
    isPossible ||= found === "could";
  }
  const isInCode = codes.some((words) =>
    words.some((_, position) => matchWords(wanted, words.slice(position, position + 40)) !== undefined),
  );
  if (isInCode) return { kind: "named" };
  const why = isPossible ? uncertainWord : unknown;
  return why === undefined ? undefined : { kind: "possible", why };
}

function soleWords(text: string): readonly string[] | undefined {
  const { parts } = splitCommand(text);
  return parts.length === 1 ? parts[0]?.words : undefined;
}

/**
 * The rule that “always allow” would add: just what the call touches, and nothing like it. `undefined` where no rule
 * can say that, and the answer holds for this call only.
 */
export function toRule(
  { tool, subjects }: Pick<PermissionQuestion, "tool" | "subjects">,
  workspace: readonly string[],
): PermissionRules | undefined {
  if (tool === exitPlanTool) return undefined;
  if (subjects.length === 0) return parseRule(tool).ok ? { allow: [tool] } : undefined;
  const allow = new Set<string>();
  for (const subject of subjects) {
    const rule = ruleFor(tool, subject, workspace);
    if (rule === undefined || !speaksOf(rule, subject)) return undefined;
    allow.add(rule);
  }
  return { allow: [...allow] };
}

function speaksOf(rule: string, { kind }: ToolSubject): boolean {
  const parsed = parseRule(rule);
  return parsed.ok && (parsed.value.patterns?.some((pattern) => pattern.kind === kind) ?? false);
}

function ruleFor(tool: string, subject: ToolSubject, workspace: readonly string[]): string | undefined {
  switch (subject.kind) {
    case "command": {
      const command = toExactCommand(subject.value);
      return command === "" ? undefined : `${tool}(${command})`;
    }
    case "url": {
      const host = hostOf(subject.value);
      return host === undefined ? undefined : `${tool}(domain:${host})`;
    }
    case "path": {
      const place = realPlace(subject)?.replace(/(.)\/$/, "$1");
      return place === undefined ? undefined : `${tool}(${pathPattern(place, workspace)})`;
    }
  }
}

function pathPattern(place: string, workspace: readonly string[]): string {
  const root = workspace.find((one) => isWithin(place, one) && place !== one && one !== "/");
  if (root === undefined) return `/${escapeGlob(place)}`;
  const inside = escapeGlob(place.slice(root.replace(/\/+$/, "").length + 1));
  return /^(?:~\/|domain:)/.test(inside) ? `./${inside}` : inside;
}
