import { posix } from "node:path";

export interface PathRead {
  /** With a `~` at the beginning for home. */
  readonly path: string;
  readonly isPattern: boolean;
  readonly isRecursive: boolean;
  /** Below a folder only names are read. */
  readonly isListing: boolean;
}

/** Below these stand processes with their environments and memory, devices, and switches of the kernel. */
const folders = ["proc", "dev", "sys"];

const harmless = new Set([
  "/dev/null",
  "/dev/stdin",
  "/proc/cpuinfo",
  "/proc/loadavg",
  "/proc/meminfo",
  "/proc/uptime",
  "/proc/version",
]);

/** Folders that may be or hold the root: a working folder is not known here. */
const upwards = /^(?:\/|\.\.(?:\/\.\.)*\/?)$/;

/** Whether it may read a file that a kernel makes up. Links are not followed: that is the file system's to tell. */
export function mayReadKernel({ path, isPattern, isRecursive, isListing }: PathRead): boolean {
  const plain = posix.normalize(path.replace(/^~\/?/, "./"));
  if (harmless.has(plain) && !isPattern) return false;
  if (isRecursive && !isListing && upwards.test(plain)) return true;
  // A working folder may be the root.
  if (/^proc\/(?:self|thread-self|\d+)(?:\/|$)|(?:^|\/)environ$/i.test(plain)) return true;
  const above = /^(?:\/|(?:\.\.\/)+)/.exec(plain)?.[0];
  if (above === undefined) return false;
  const [first = "", ...rest] = plain.slice(above.length).split("/");
  if (!isPattern || !/[*?[]/.test(first)) return folders.includes(first.toLowerCase());
  if (above !== "/" && rest.length === 0 && !isRecursive) return false;
  return folders.some((folder) => mayMatch(first, folder));
}

/** Whether a pattern may stand for this name, a bracket and what follows it for anything. */
function mayMatch(pattern: string, name: string): boolean {
  const source = pattern
    .replace(/\[.*/s, "*")
    .replace(/[.+^${}()|\\\]]/g, "\\$&")
    .replaceAll("?", ".")
    .replace(/\*+/g, ".*");
  return new RegExp(`^${source}$`, "is").test(name);
}
