/** Where absolute paths of a machine begin; others, such as `/api/users`, are addresses of something else. */
const machineRoots = /^(?:\/(?:etc|usr|var|home|opt|tmp|srv|mnt|Users|root)\/|~\/)/;
const pathLike = /^(?:~?\/|\.{1,2}\/)?[\w@.+-]+(?:\/[\w@.+-]+)*\/?$/;
const extension = /\.[A-Za-z][A-Za-z0-9]{0,7}$/;
const domainLike = /^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}$/i;

/**
 * Paths of files that a text names, once each. Careful: what may be an address, a ratio, a package or a branch is left
 * out, so that whoever looks for files that are gone raises no false alarm.
 */
export function namedPaths(body: string): readonly string[] {
  const text = body.replace(/\b[a-z][a-z0-9+.-]*:\/\/\S+/gi, " ");
  const found = new Set<string>();
  for (const [, target = ""] of text.matchAll(/\]\(<?([^)<>\s]+)>?\)/g)) {
    const path = target.replace(/#.*$/, "");
    if (!path.includes(":") && pathLike.test(path) && extension.test(path)) found.add(path);
  }
  for (const [word] of text.matchAll(/[\w@~.+/-]+/g)) {
    const path = word.replace(/(?<=[\w/])[.,-]+$/, "");
    if (isFilePath(path)) found.add(path);
  }
  return [...found];
}

function isFilePath(path: string): boolean {
  if (!path.includes("/") || path.includes("//") || !pathLike.test(path)) return false;
  if (machineRoots.test(path)) return true;
  if (path.startsWith("/")) return false;
  if (!extension.test(path)) return false;
  const [first = "", ...rest] = path.replace(/^\.{1,2}\//, "").split("/");
  return path.startsWith(".") || first.startsWith(".") || rest.length === 0 || !domainLike.test(first);
}
