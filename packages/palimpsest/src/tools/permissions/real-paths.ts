import { isPlainPath } from "@palimpsest/core/internal";
import type { Disk, ToolSubject } from "@palimpsest/core/spec";

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
