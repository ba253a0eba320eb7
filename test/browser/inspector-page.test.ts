import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { diffViews, sumChanges } from "../../packages/palimpsest/src/surfaces/inspector/page/diff-views.ts";
import { createViews } from "../../packages/palimpsest/src/surfaces/inspector/page/views.ts";
import { toWhatIfRows } from "../../packages/palimpsest/src/surfaces/inspector/page/what-if-table.ts";
import { filePage } from "../../scripts/inspector/file-page.mjs";
import { sampleInspected } from "../../scripts/inspector/sample-inspected.mjs";
import { serveSample } from "../../scripts/inspector/serve-sample.mjs";
import { pageParts, placeOf } from "./page-parts.ts";
import { useBrowser } from "./use-browser.ts";

const long = sampleInspected({ requests: 10_000 });
const short = sampleInspected({ requests: 900 });
const { session, texts } = short;
const views = createViews(session.requests.views);

/** However long the session, the document holds no more elements than this. */
const maxNodes = 1200;

describe("inspector page in one file", () => {
  const browser = useBrowser();
  let server: Awaited<ReturnType<typeof serveSample>>;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "palimpsest-"));
    await writeFile(join(folder, "report.html"), filePage(short));
    server = await serveSample([], { "/short.html": filePage(short), "/long.html": filePage(long) });
  });
  afterAll(async () => {
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });
  const open = async (hash = "", page = "short.html") => {
    const opened = await browser.open(`${server.url}${page}${hash}`);
    const parts = pageParts(opened.page);
    await parts.isReady();
    return { ...opened, ...parts };
  };

  it("opens from a disk without a server, complains of nothing and asks for nothing else", async () => {
    const url = pathToFileURL(join(folder, "report.html")).href;
    const { page, complaints, addresses } = await browser.open(url);
    const { isReady, chosen, text } = pageParts(page);
    await isReady();
    expect([await text("h1"), await chosen()]).toEqual([session.title, "900"]);
    await page.locator(".chart canvas").waitFor();
    expect([complaints, addresses.filter((address) => !address.startsWith("data:"))]).toEqual([[], [url]]);
  });

  it("holds a bounded number of elements while 10,000 requests are scrubbed through", async () => {
    const { page, complaints, addresses, nodes, scrub, isChosen, press } = await open("", "long.html");
    const counts = [await nodes()];
    for (let request = 1; request <= 10_000; request += 263) {
      await scrub(request);
      await isChosen(request.toLocaleString("en-US"));
      counts.push(await nodes());
    }
    await press("Home", "j", "j", "PageDown", "k");
    await isChosen("22");
    await press("End");
    await isChosen("10,000");
    await page.locator("#requests").focus();
    await page.evaluate('document.querySelector("#requests").scrollTop = 100_000');
    await page.locator("#requests .row").filter({ hasText: "3,572" }).first().waitFor();
    expect(Math.max(...counts, await nodes())).toBeLessThan(maxNodes);
    expect([complaints, addresses]).toEqual([[], [`${server.url}long.html`]]);
  });

  it("opens a cleared result to what was shown and to what it was", async () => {
    const request = session.marks.find(({ kind }) => kind === "clear")?.request ?? 0;
    const cleared = views.at(request).find((item) => session.items[item]?.state === "cleared") ?? -1;
    const { page } = await open(placeOf(session.id, request + 1));
    const row = page.locator("#items .item-row").filter({ hasText: "cleared" }).first();
    expect(await row.locator("del").count()).toBe(1);
    await row.click();
    await page.locator("#items pre").nth(1).waitFor();
    const boxes = await page.evaluate(`[...document.querySelectorAll("#items .text-box")].map((box) =>
      [box.querySelector("figcaption").textContent, box.querySelector("pre").textContent])`);
    expect(boxes).toEqual([
      ["As the model saw it: cleared", texts[cleared]?.shown],
      ["Original", texts[cleared]?.original],
    ]);
    await row.click();
    await page.locator("#items .text-box").first().waitFor({ state: "detached" });
  });

  it("opens a summary to what it covers, and that to its text", async () => {
    const { request = 0 } = session.marks.find(({ kind }) => kind === "compaction") ?? {};
    const { page, nodes } = await open(placeOf(session.id, request + 1));
    await page.locator("#items .item-row").filter({ hasText: "summarised" }).first().click();
    const inside = page.locator('#items .item-row[aria-level="2"]').first();
    await inside.click();
    await page.locator("#items pre").nth(1).waitFor();
    expect(await nodes()).toBeLessThan(maxNodes);
  });

  it("compares a pinned request with another one", async () => {
    const { page, press, text, rowsOf, isChosen } = await open(placeOf(session.id, 531));
    await press("d", "PageDown", "PageDown");
    await isChosen("571");
    const { added, removed, replaced } = sumChanges(
      session.items,
      diffViews(session.items, views.at(530), views.at(570)),
    );
    expect(await text(".panel-line")).toContain("From request 531 to request 571");
    expect(await text(".sums")).toContain(`+${added} −${removed} ~${replaced}`);
    const changed = page.locator("#changes .is-replaced").first();
    await changed.click();
    await page.locator("#changes pre").nth(1).waitFor();
    const labels = (await rowsOf("#changes figcaption")).flat();
    expect(labels).toEqual(["Before", "After"]);
  });

  it("shows the session under another policy", async () => {
    const { page, press, rowsOf } = await open();
    await press("w");
    await page.locator(".what-if tr").filter({ hasText: "faithful" }).first().waitFor();
    await page.locator("#policy").selectOption("sliding");
    await page.locator(".what-if tr").filter({ hasText: "sliding" }).first().waitFor();
    await page.locator(".pair canvas").waitFor();
    const shown = short.whatIfs.filter(({ policy }) => policy !== "identity");
    expect(await rowsOf(".what-if tbody tr")).toEqual(
      toWhatIfRows(session, shown).map(({ name, cells }) => [name, ...cells]),
    );
  });

  it("zooms by dragging, chooses by clicking and shows all again", async () => {
    const { page, press, isChosen } = await open();
    const box = await page.locator(".overview .u-over").boundingBox();
    if (!box) throw new Error("The chart is not there.");
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width * 0.25, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.5, y, { steps: 4 });
    await page.mouse.up();
    await page.locator(".title-line button").waitFor();
    await page.mouse.click(box.x + box.width / 2, y);
    await isChosen("33[5-9]");
    await press("0");
    await page.locator(".title-line button").waitFor({ state: "detached" });
  });

  it("keeps the place in the address", async () => {
    const { page, press, chosen, isChosen, isReady, text } = await open();
    await press("Home", "PageDown", "d", "j", "j");
    await isChosen("23");
    const url = page.url();
    await page.reload();
    await isReady();
    expect([page.url(), await chosen(), await text("[role=tab][aria-selected=true]")]).toEqual([
      url,
      "23",
      "Changes",
    ]);
    expect(await text(".panel-line")).toContain("From request 21 to request 23");
  });
});
