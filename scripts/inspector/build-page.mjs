// Bundles the inspector's page into the package: three files, nothing from the network.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { foreignFolders } from "../bundle/licences.mjs";

/** In this order: later ones win. */
const styles = [
  "colours",
  "base",
  "bar",
  "screen",
  "rows",
  "lists",
  "session",
  "requests",
  "panel",
  "items",
  "what-if",
  "memory",
  "help",
  "narrow",
];

const page = new URL("../../packages/palimpsest/src/surfaces/inspector/page/", import.meta.url);
const target = new URL("../../packages/palimpsest/dist/page/", import.meta.url);
const path = (name, folder) => fileURLToPath(new URL(name, folder));

/** Gives the folders of other people's packages that became part of the page. */
export async function buildPage() {
  const { output } = await build({
    input: path("app.tsx", page),
    platform: "browser",
    logLevel: "warn",
    transform: {
      target: "es2022",
      define: { "process.env.NODE_ENV": '"production"' },
    },
    plugins: [withOneLanguage()],
    output: { format: "iife", minify: true, codeSplitting: false },
    write: false,
  });

  mkdirSync(target, { recursive: true });
  writeFileSync(path("app.js", target), safeInHtml(output[0].code));
  writeFileSync(path("app.css", target), minifyCss([plotStyles(), ...ownStyles()].join("\n")));
  writeFileSync(path("index.html", target), readFileSync(path("index.html", page)));
  return foreignFolders(output);
}

/** uPlot formats numbers in the browser's language and fails on those of bare systems, `en-US@posix` say. */
function withOneLanguage() {
  return {
    name: "one-language",
    transform(code, id) {
      if (!id.includes("uPlot")) return null;
      if (!code.includes("nav.language")) throw new Error("uPlot asks for the language elsewhere now.");
      return code.replaceAll("nav.language", '"en-US"');
    },
  };
}

/** A report has the script inside of itself: nothing in it may end or begin an element. */
function safeInHtml(code) {
  if (/<\/script|<!--/i.test(code)) throw new Error("app.js cannot be put into an HTML file as it is.");
  return code;
}

function ownStyles() {
  return styles.map((name) => readFileSync(path(`styles/${name}.css`, page), "utf8"));
}

function plotStyles() {
  return readFileSync(createRequire(import.meta.url).resolve("uplot/dist/uPlot.min.css"), "utf8");
}

/** Without comments and white space that means nothing; strings have none of either here. */
function minifyCss(css) {
  return css
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([{};,>]) ?/g, "$1")
    .replace(/;}/g, "}")
    .trim();
}
