// Starts a headless Chromium that leaves nothing behind: for tests and for the pictures in the docs.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const packages = fileURLToPath(new URL("../../test/browser/node_modules", import.meta.url));

/** Where the browser is unpacked. */
export const browserFolder = join(packages, ".chromium");

const flags = [
  "--no-sandbox",
  "--no-zygote",
  "--disable-dev-shm-usage",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

/** The package has a browser for Linux with glibc on x64. */
export function isBrowserPlatform() {
  const isGlibc = Boolean(process.report.getReport().header.glibcVersionRuntime);
  return process.platform === "linux" && process.arch === "x64" && isGlibc;
}

/** Why no browser can be started here; `null` where one can. */
export function browserAbsence() {
  if (!isBrowserPlatform())
    return `there is no packaged browser for ${process.platform} ${process.arch}; the tests run on Linux x64`;
  if (!existsSync(browserFolder)) return "the browser is not installed; run node scripts/install-browser.mjs";
  return null;
}

/**
 * One browser with a folder of its own for everything it writes. `close` ends its process for sure.
 * @returns {Promise<{ browser: import("../../test/browser/browser-types.ts").Browser, pid: number, close: () => Promise<void> }>}
 */
export async function launchBrowser() {
  const { chromium } = await import(join(packages, "playwright-core/index.mjs"));
  const folder = await mkdtemp(join(tmpdir(), "palimpsest-browser-"));
  const server = await withTemporaryFolder(folder, () =>
    chromium.launchServer({
      executablePath: join(browserFolder, "chromium"),
      args: flags,
      env: browserEnvironment(folder),
      handleSIGINT: true,
    }),
  );
  const close = async () => {
    await server.kill();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    return { browser: await chromium.connect(server.wsEndpoint()), pid: server.process().pid, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The profile is made in the folder for temporary files of this process. */
async function withTemporaryFolder(folder, start) {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  try {
    return await start();
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}

/** Libraries and fonts come along for systems that have none. */
function browserEnvironment(folder) {
  return {
    PATH: process.env.PATH ?? "",
    LANG: "C.UTF-8",
    TZ: "UTC",
    HOME: folder,
    TMPDIR: folder,
    ...(lacksLibraries() ? { LD_LIBRARY_PATH: join(browserFolder, "al2023/lib") } : {}),
    ...(existsSync("/etc/fonts/fonts.conf") ? {} : { FONTCONFIG_PATH: join(browserFolder, "fonts") }),
  };
}

function lacksLibraries() {
  try {
    return execFileSync("ldd", [join(browserFolder, "chromium")], { encoding: "utf8" }).includes("not found");
  } catch {
    return true;
  }
}
