import { type Disk, fail, ok, type Result } from "../../spec/index.ts";
import { readWholeFile } from "../../stores/files/disk/whole-file.ts";
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
  const isOwn = await isSameFolder(disk, home, folder);
  const inProject = (level: "project" | "local", name: string): SettingsFile => ({
    level,
    file: `.palimpsest/${name}`,
    path: `${folder}/${name}`,
    isOwn,
  });
  const local = inProject("local", "settings.local.json");
  return isOwn ? [user, local] : [user, inProject("project", "settings.json"), local];
}

/** A session in the user's own folder: what looks like a project's file there is the user's. */
async function isSameFolder(disk: Disk, one: string, other: string): Promise<boolean> {
  const [first, second] = [await disk.realPath(one), await disk.realPath(other)];
  return first.ok && second.ok && first.value === second.value;
}

const maxBytes = 1024 * 1024;

/**
 * A file's bytes; undefined where there is none. A link is followed for the user's own file only: elsewhere it could
 * show any file of the machine.
 */
export async function readSettingsFile(
  disk: Disk,
  { path, file, isOwn }: SettingsFile,
): Promise<Result<Uint8Array | undefined>> {
  const target = isOwn ? await disk.realPath(path) : ok(path);
  const bytes = target.ok ? await readWholeFile(disk, target.value, maxBytes) : target;
  if (bytes.ok) return bytes;
  const { code, message, fix, retryable } = bytes.error;
  if (code === "not-found") return ok(undefined);
  if (code === "too-large") {
    return fail("too-large", `${file}: is over ${maxBytes} bytes; keep settings smaller`, { path });
  }
  return fail(code, `${file}: cannot be read. ${message}`, { path, fix, retryable, cause: bytes.error });
}
