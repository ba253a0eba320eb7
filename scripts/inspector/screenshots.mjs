// Makes the pictures of docs/guides/inspector from a made-up session, with the built page in a real browser.
import { mkdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { browserAbsence, launchBrowser } from "./launch-browser.mjs";
import { sampleInspected } from "./sample-inspected.mjs";
import { serveSample } from "./serve-sample.mjs";

const folder = process.argv[2] ?? fileURLToPath(new URL("../../docs/guides/inspector", import.meta.url));
const maxBytes = 200_000;
const absence = browserAbsence();
if (absence !== null) throw new Error(`No pictures can be taken: ${absence}`);
mkdirSync(folder, { recursive: true });

const first = sampleInspected({ requests: 420, isLive: true });
const others = ["Quicker builds", "Rename InvoiceWriter", "Answer the review"].map((title, at) => {
  const file = sampleInspected({ requests: 40, seed: at + 3 });
  const entry = {
    ...file.entry,
    id: `other-${at}`,
    title,
    changedAt: `2026-03-0${3 - at}T1${at}:05:00.000Z`,
  };
  return { ...file, entry, session: { ...file.session, id: entry.id, title } };
});
const server = await serveSample([first, ...others]);
const { browser, close } = await launchBrowser();
try {
  await take("sessions", { waitFor: ".session-row" });
  const at = (request, more = "") => `#session=${first.entry.id}&request=${request}${more}`;
  await take("view", { hash: at(208), waitFor: ".item-row", act: openCleared });
  await take("view-dark", { hash: at(208), waitFor: ".item-row", act: openCleared, colorScheme: "dark" });
  await take("changes", {
    hash: at(240, "&pinned=206&tab=changes"),
    waitFor: ".item-row",
    act: openReplaced,
  });
  await take("what-if", { hash: at(300, "&tab=what-if"), waitFor: ".pair", act: everyPolicy });
  await take("memory", { hash: "#memory=money.md", waitFor: ".lines", act: newestVersion });
  await take("narrow", { hash: at(208), waitFor: ".item-row", width: 600, height: 1000 });
} finally {
  await close();
  await server.close();
}

async function take(name, { hash = "", waitFor, act, colorScheme = "light", width = 1280, height = 800 }) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  await page.goto(`${server.url}${hash}`);
  await page.locator(waitFor).first().waitFor();
  await act?.(page);
  await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))");
  const path = `${folder}/${name}.png`;
  await page.screenshot({ path });
  await context.close();
  const { size } = statSync(path);
  if (size > maxBytes) throw new Error(`${name}.png has ${size} bytes, more than ${maxBytes}.`);
  console.log(`${name}.png ${size} bytes`);
}

async function openCleared(page) {
  await page.locator("#items .item-row").filter({ hasText: "cleared" }).first().click();
  await page.locator("#items pre").nth(1).waitFor();
}

async function openReplaced(page) {
  await page.locator("#changes .item-row.is-replaced").first().click();
  await page.locator("#changes pre").nth(1).waitFor();
}

async function everyPolicy(page) {
  for (const policy of ["identity", "sliding", "faithful"]) {
    await page.locator("#policy").selectOption(policy);
    await page.locator(".what-if .is-chosen").filter({ hasText: policy }).first().waitFor();
    await page.locator(".pair canvas").waitFor();
  }
}

async function newestVersion(page) {
  await page.locator(".versions button").filter({ hasText: "Version 3" }).first().click();
  await page.locator(".lines .is-added").first().waitFor();
}
