import { type Disk, fail, ok, type Result } from "../../spec/index.ts";
import { checkConfined, folderOf, readWholeFile } from "../../stores/files/disk/whole-file.ts";
import type { SettingsOrigin } from "./read-settings.ts";

/** One of the three places, weakest first. */
export interface SettingsFile extends SettingsOrigin {
  readonly level: "user" | "project" | "local";
  /** Whose file it is: a project's may have come with somebody else's repository. */
  readonly isOwn: boolean;
}

/** Where settings are looked for. `home` is the data root, `project` the project's folder. */
export async function settingsFiles(
  disk: Disk,
  home: string,
  project: string | undefined,
): Promise<readonly SettingsFile[]> {
  const user: SettingsFile = {
    level: "user",
    file: `${home}/settings.json`,
    path: `${home}/settings.json`,
    isOwn: true,
  };
  if (project === undefined) return [user];
  const folder = `${project === "/" ? "" : project}/.palimpsest`;
  const isOwn = await isDataRoot(disk, home, folder);
  const inProject = (level: "project" | "local", name: string): SettingsFile => ({
    level,
    file: `.palimpsest/${name}`,
    path: `${folder}/${name}`,
    isOwn,
  });
  const local = inProject("local", "settings.local.json");
  return isOwn ? [user, local] : [user, inProject("project", "settings.json"), local];
}

/**
 * Whether a folder is the data root, in a session in the user's own folder: what looks like a project's file there is
 * the user's. The data root may be a link; a link to it in somebody else's folder is not it.
 */
async function isDataRoot(disk: Disk, home: string, folder: string): Promise<boolean> {
  const [own, other] = [await disk.realPath(home), await disk.realPath(folder)];
  if (!own.ok || !other.ok || own.value !== other.value) return false;
  const place = await placeOf(disk, folder);
  return place === own.value || place === (await placeOf(disk, home));
}

/** Where a name stands once the links above it are followed, and not the one that it may be itself. */
async function placeOf(disk: Disk, path: string): Promise<string> {
  const above = await disk.realPath(folderOf(path));
  const folder = above.ok ? above.value : folderOf(path);
  return `${folder === "/" ? "" : folder}${path.slice(path.lastIndexOf("/"))}`;
}

const maxBytes = 1024 * 1024;

/**
 * A file's bytes; undefined where there is none. A link, of the file or of the folder that it is in, is followed for the
 * user's own file only: elsewhere it could show any file of the machine, or borrow the trust of another project.
 */
export async function readSettingsFile(
  disk: Disk,
  { path, file, isOwn }: SettingsFile,
): Promise<Result<Uint8Array | undefined>> {
  const target = isOwn ? await disk.realPath(path) : await unlinked(disk, path);
  const bytes = target.ok ? await readWholeFile(disk, target.value, maxBytes) : target;
  if (bytes.ok) return bytes;
  const { code, message, fix, retryable } = bytes.error;
  if (code === "not-found") return (await isLink(disk, path)) ? refuseDangling(file, path) : ok(undefined);
  if (code === "too-large") {
    return fail("too-large", `${file}: is over ${maxBytes} bytes; keep settings smaller`, { path });
  }
  return fail(code, `${file}: cannot be read. ${message}`, { path, fix, retryable, cause: bytes.error });
}

/** A project's file, whose folder must be the project's own. */
async function unlinked(disk: Disk, path: string): Promise<Result<string>> {
  const folder = folderOf(path);
  const confined = await checkConfined(disk, folder.slice(0, folder.lastIndexOf("/")), [
    folder.slice(folder.lastIndexOf("/") + 1),
  ]);
  return confined.ok ? ok(path) : confined;
}

async function isLink(disk: Disk, path: string): Promise<boolean> {
  const stat = await disk.stat(path);
  return stat.ok && stat.value.kind === "link";
}

/** Somebody meant to have settings: without them limits and rules would be missing. */
function refuseDangling(file: string, path: string): Result<never> {
  return fail("not-found", `${file}: is a link to a file that is not there`, {
    path,
    fix: "Put the file where the link leads, or remove the link.",
  });
}

/**
 * Whether a folder below a project is there; `invalid-path` where it, or one above it up to the project, is a link. The
 * user's own data root may be one: what is in it needs no trust.
 */
export async function checkProjectFolder(
  disk: Disk,
  home: string,
  project: string,
  parts: readonly [string, ...string[]],
): Promise<Result<{ readonly isOwn: boolean }>> {
  const root = project === "/" ? "" : project;
  if (await isDataRoot(disk, home, `${root}/${parts[0]}`)) return ok({ isOwn: true });
  const confined = await checkConfined(disk, root, parts);
  return confined.ok ? ok({ isOwn: false }) : confined;
}
