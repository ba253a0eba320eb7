import { isWithin } from "../../permissions/plain-path.ts";
import type { Disk, Notice, NoticeMoment, NoticeSource } from "../../spec/index.ts";
import { folderOf } from "../../stores/files/disk/whole-file.ts";
import { foldersBetween, type RulesLocations, realLocations } from "./load-rules.ts";
import { createRulesCollector } from "./rules-collector.ts";
import { type RulesFile, rulesNames } from "./rules-file.ts";
import { type RulesHeader, toRulesNotice } from "./rules-notice.ts";
import type { UnconfirmedRules } from "./unconfirmed-rules.ts";

export interface RulesSourceOptions extends RulesLocations {
  /**
   * Rules in the model's view, as `parseRulesHeader` reads them; of one path the last counts. A function is asked each
   * time: what has left the view since is given again.
   */
  readonly given?: readonly RulesHeader[] | (() => readonly RulesHeader[]);
  /** Which versions count as data; absent: none does. */
  readonly unconfirmed?: UnconfirmedRules;
  /** When the session was opened, by the files' own clock: what nobody looked at before may be older. Absent: it is not. */
  readonly openedMs?: number;
  /** Whether what has changed since it was asked last may have been dictated by untrusted text. */
  readonly isDictated?: (moment: Pick<NoticeMoment, "kind">) => boolean;
  /** Files left out and why, each once: for the person. */
  readonly onNote?: (note: string) => void;
}

export interface RulesSource extends NoticeSource {
  /** Every file in force, as the model was given it: what is given again, to the letter, after a compaction. */
  currentRules(): readonly RulesFile[];
}

/**
 * Tells the rules that hold from the start, those of deeper folders once something in them is touched, and each file
 * again when it has changed. A file that the session has been given in this version is not given again.
 */
export function createRulesSource(options: RulesSourceOptions): RulesSource {
  const given = new Map<string, string>();
  lookAtGiven(typeof options.given === "function" ? options.given() : options.given);
  const nested = new Set<string>();
  const noted = new Set<string>();
  /** The versions that were found at the last look; `null` before the first. */
  let found: ReadonlyMap<string, string> | null = null;
  const { openedMs = 0 } = options;
  let current: readonly RulesFile[] = [];
  let locations: RulesLocations | undefined;

  function lookAtGiven(headers: readonly RulesHeader[] = []): void {
    given.clear();
    for (const { path, sha256 } of headers) given.set(path, sha256);
  }

  async function open(): Promise<RulesLocations> {
    const real = await realLocations(options);
    if (!real.ok) throw real.error;
    for (const [path, sha256] of given) {
      if (sha256 !== "" && isRules(path)) addNested([folderOf(path)], real.value);
    }
    return real.value;
  }

  function addNested(folders: readonly string[], { projectRoot, cwd }: RulesLocations): void {
    const start = foldersBetween(projectRoot, cwd);
    for (const folder of folders) {
      if (isWithin(folder, projectRoot) && !start.includes(folder)) nested.add(folder);
    }
  }

  /** Rules for the path itself first, then those of the folders above it. */
  async function addTouched(touched: string, at: RulesLocations): Promise<void> {
    const path = await realPathOf(at.disk, touched);
    if (path === undefined) return;
    const stat = await at.disk.stat(path);
    const own = stat.ok && stat.value.kind === "directory" ? [path] : isRules(path) ? [folderOf(path)] : [];
    addNested([...own, ...foldersBetween(at.projectRoot, folderOf(path))], at);
  }

  async function collect(
    at: RulesLocations,
  ): Promise<{ readonly start: number; readonly files: readonly RulesFile[] }> {
    const collector = createRulesCollector(at);
    await collector.addFolder(at.home, "user");
    for (const folder of foldersBetween(at.projectRoot, at.cwd)) await collector.addFolder(folder, "project");
    const start = collector.loaded().files.length;
    for (const folder of nested) await collector.addFolder(folder, "project");
    const { files, notes } = collector.loaded();
    for (const text of notes) note(text);
    return { start, files };
  }

  function note(text: string): void {
    if (noted.has(text)) return;
    noted.add(text);
    options.onNote?.(text);
  }

  /** Since the last look; of one that nobody looked at before its time tells. */
  async function isChanged(
    { path, sha256 }: RulesFile,
    before: ReadonlyMap<string, string>,
  ): Promise<boolean> {
    const known = before.get(path);
    if (known !== undefined) return known !== sha256;
    const stat = await options.disk.stat(path);
    return !stat.ok || stat.value.modifiedMs >= openedMs;
  }

  /** Says of each file whether it counts as data, and remembers what was dictated since the last look. */
  async function judged(
    files: readonly RulesFile[],
    moment: Pick<NoticeMoment, "kind">,
  ): Promise<readonly RulesFile[]> {
    const { unconfirmed, isDictated } = options;
    const before = found;
    found = new Map([...(before ?? []), ...files.map(({ path, sha256 }) => [path, sha256] as const)]);
    if (unconfirmed === undefined) return files;
    const isSuspect = isDictated?.(moment) === true && before !== null;
    const judgedFiles: RulesFile[] = [];
    for (const file of files) {
      const kept = isSuspect && (await isChanged(file, before)) ? await unconfirmed.add(file) : undefined;
      const isUnconfirmed = kept !== undefined || (await unconfirmed.has(file));
      judgedFiles.push(isUnconfirmed ? { ...file, isUnconfirmed } : file);
      if (isUnconfirmed)
        note(
          `${file.path} was written while untrusted text was in view: it counts as data until you confirm it with “palimpsest config trust”.`,
        );
      if (kept && !kept.ok) note(`That could not be remembered for later sessions: ${kept.error.message}`);
    }
    return judgedFiles;
  }

  function noticeOf(file: RulesFile): readonly Notice[] {
    const before = given.get(file.path);
    if (before === file.sha256) return [];
    return [toRulesNotice(file, before === undefined || before === "" ? "new" : "changed")];
  }

  /** What was given and is no longer found: gone if it is not there, or if what included it has changed or is gone. */
  async function missing(files: readonly RulesFile[], { disk }: RulesLocations): Promise<readonly string[]> {
    const paths = [...given].filter(([, sha256]) => sha256 !== "").map(([path]) => path);
    const gone: string[] = [];
    for (const path of paths.filter((one) => !files.some((file) => file.path === one))) {
      const stat = await disk.stat(path);
      const includedBy = current.find((file) => file.path === path)?.includedBy;
      const includer = files.find((file) => file.path === includedBy);
      const isDropped = includer !== undefined && given.get(includer.path) !== includer.sha256;
      const isOrphan = includedBy !== undefined && gone.includes(includedBy);
      if (isDropped || isOrphan || (!stat.ok && stat.error.code === "not-found")) gone.push(path);
    }
    return gone;
  }

  return {
    name: "rules",
    remembers: true,
    currentRules: () => current,
    async take({ kind, touched, signal }) {
      if (typeof options.given === "function") lookAtGiven(options.given());
      locations ??= await open();
      for (const path of touched) await addTouched(path, locations);
      const { start, files: collected } = await collect(locations);
      const files = await judged(collected, { kind });
      const gone = await missing(files, locations);
      if (signal.aborted) return [];
      const deeper = files.slice(start).flatMap(noticeOf);
      const notices = [
        ...(touched.length > 0 ? deeper : []),
        ...files.slice(0, start).flatMap(noticeOf),
        ...(touched.length > 0 ? [] : deeper),
        ...gone.map((path) => toRulesNotice(removedFile(path), "gone")),
      ];
      const kept = current.filter(
        ({ path }) => !gone.includes(path) && !files.some((file) => file.path === path),
      );
      current = [...files, ...kept];
      for (const { path, sha256 } of files) given.set(path, sha256);
      for (const path of gone) given.set(path, "");
      return notices;
    },
  };
}

function isRules(path: string): boolean {
  return rulesNames.includes(path.slice(path.lastIndexOf("/") + 1));
}

function removedFile(path: string): RulesFile {
  return { path, level: "project", text: "", sha256: "", notes: [] };
}

/** Also of what is not there any more, as long as its folder is. */
async function realPathOf(disk: Disk, path: string): Promise<string | undefined> {
  const real = await disk.realPath(path);
  if (real.ok) return real.value;
  const folder = await disk.realPath(folderOf(path));
  return folder.ok
    ? `${folder.value === "/" ? "" : folder.value}${path.slice(path.lastIndexOf("/"))}`
    : undefined;
}
