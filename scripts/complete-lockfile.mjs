// Puts into package-lock.json the packages of other platforms that npm left out because the registry in use lacks them:
// without them “npm ci” refuses the lockfile, on every platform. Run it after dependencies have changed.
// node scripts/complete-lockfile.mjs
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const file = fileURLToPath(new URL("../package-lock.json", import.meta.url));

/** The optional packages that a lockfile asks for and does not have: where each belongs, and its version. */
export function missingPackages(lock) {
  return Object.entries(lock.packages).flatMap(([folder, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies).flatMap(([name, range]) => {
      const version = /\d.*$/.exec(range)?.[0] ?? range;
      const found = foundFrom(lock, folder, name);
      if (found === undefined) return [{ name, version, path: `node_modules/${name}` }];
      // One of another version further up is none for who asks for just this one.
      const isOther = /^\d/.test(range) && found !== version;
      return isOther ? [{ name, version, path: `${folder.replace(/[^/]+$/, "")}${name}` }] : [];
    }),
  );
}

/** The version that a package gets: looked for as Node does, beside it and then further up. */
function foundFrom(lock, folder, name) {
  for (let at = folder; ; at = at.slice(0, Math.max(0, at.lastIndexOf("node_modules/") - 1))) {
    const found = lock.packages[`${at === "" ? "" : `${at}/`}node_modules/${name}`];
    if (found !== undefined) return found.version;
    if (at === "") return undefined;
  }
}

const systems = [
  "aix",
  "android",
  "darwin",
  "freebsd",
  "linux",
  "netbsd",
  "openbsd",
  "openharmony",
  "sunos",
  "win32",
];
const processors = [
  "arm64",
  "arm",
  "ia32",
  "loong64",
  "mips64el",
  "ppc64",
  "riscv64",
  "s390x",
  "x64",
  "wasm32",
];

/** What such a package runs on, by its name: `…-darwin-arm64`. */
function platformOf(name) {
  const system = systems.find((one) => name.includes(one));
  const processor = processors.find((one) => name.includes(one));
  return { ...(processor && { cpu: [processor] }), ...(system && { os: [system] }) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const lock = JSON.parse(readFileSync(file, "utf8"));
  const missing = missingPackages(lock);
  for (const { name, version, path } of missing) {
    const { cpu, os } = platformOf(name);
    lock.packages[path] = { version, ...(cpu && { cpu }), dev: true, optional: true, ...(os && { os }) };
  }
  const { "": own, ...others } = lock.packages;
  lock.packages = {
    "": own,
    ...Object.fromEntries(Object.entries(others).sort(([a], [b]) => a.localeCompare(b, "en"))),
  };
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(`${missing.length} packages of other platforms added.`);
}
