// The built page with what it shows inside of itself.
import { readFileSync } from "node:fs";

const built = (name) =>
  readFileSync(new URL(`../../packages/palimpsest/dist/page/${name}`, import.meta.url), "utf8");

/** @param {import("../../packages/palimpsest/src/surfaces/inspector/inspected.ts").InspectedFile} file */
export function filePage(file) {
  const json = JSON.stringify(file).replaceAll("<", "\\u003c");
  return built("index.html")
    .replace('<link rel="stylesheet" href="app.css">', () => `<style>${built("app.css")}</style>`)
    .replace(
      '<script src="app.js"></script>',
      () =>
        `<script type="application/json" id="inspected">${json}</script><script>${built("app.js")}</script>`,
    );
}
