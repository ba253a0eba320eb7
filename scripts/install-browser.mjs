// Installs the browser that test/browser opens, from the lockfile of its own, and unpacks it; does nothing where that is done.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { browserFolder, isBrowserPlatform } from "./inspector/launch-browser.mjs";
import { installPart, reasonOf } from "./install-part.mjs";

const folder = fileURLToPath(new URL("../test/browser", import.meta.url));
const unpack = `import("@sparticuz/chromium").then((browser) => browser.default.executablePath())`;

/** The package unpacks into the folder for temporary files, and its libraries only where it believes to be in a cloud. */
function unpackBrowser() {
  const partial = `${browserFolder}.${process.pid}`;
  mkdirSync(partial, { recursive: true });
  try {
    execFileSync(process.execPath, ["--input-type=module", "-e", unpack], {
      cwd: folder,
      env: { ...process.env, TMPDIR: partial, AWS_LAMBDA_JS_RUNTIME: "nodejs20.x" },
      stdio: ["ignore", "ignore", "pipe"],
    });
    renameSync(partial, browserFolder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

function install() {
  const reason = installPart("test/browser", "the browser that tests open");
  if (reason !== null || existsSync(browserFolder)) return reason;
  try {
    unpackBrowser();
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}

if (isBrowserPlatform()) {
  const reason = install();
  if (reason !== null) console.log(`The browser could not be installed, its tests are skipped: ${reason}`);
}
