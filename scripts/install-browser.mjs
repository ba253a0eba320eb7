// Installs the browser that test/browser opens, from the lockfile of its own, and unpacks it; does nothing where that is done.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { browserFolder, isBrowserPlatform } from "./inspector/launch-browser.mjs";

const folder = fileURLToPath(new URL("../test/browser", import.meta.url));
const versionOf = (file) => JSON.parse(readFileSync(file, "utf8")).version;
const unpack = `import("@sparticuz/chromium").then((browser) => browser.default.executablePath())`;

function isInstalled() {
  const { dependencies } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  try {
    return Object.entries(dependencies).every(
      ([name, version]) => versionOf(`${folder}/node_modules/${name}/package.json`) === version,
    );
  } catch {
    return false;
  }
}

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
  if (!isInstalled()) {
    console.log("Installing the browser for test/browser (once) …");
    execFileSync("npm", ["ci", "--prefix", folder, "--ignore-scripts"], {
      stdio: ["ignore", "ignore", "pipe"],
    });
  }
  if (!existsSync(browserFolder)) unpackBrowser();
}

if (isBrowserPlatform()) {
  try {
    install();
  } catch (error) {
    const said = String(error.stderr || error.message)
      .trim()
      .split("\n");
    const reason = said.find((line) => line.startsWith("npm error")) ?? said[0];
    console.log(`The browser could not be installed, its tests are skipped: ${reason}`);
  }
}
