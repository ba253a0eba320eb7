import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { filePage } from "../../scripts/inspector/file-page.mjs";
import { sampleInspected } from "../../scripts/inspector/sample-inspected.mjs";
import { serveSample } from "../../scripts/inspector/serve-sample.mjs";
import type { ContextOptions } from "./browser-types.ts";
import { contrastOf } from "./contrast.ts";
import { pageParts, placeOf } from "./page-parts.ts";
import { useBrowser } from "./use-browser.ts";

const hostile =
  '</script><script>window.hacked = 1</script><img src="http://192.0.2.1/x" onerror="window.hacked = 1"> ' +
  "\u001b[2J\u202egnp.exe{{constructor}}";
const visible =
  '</script><script>window.hacked = 1</script><img src="http://192.0.2.1/x" onerror="window.hacked = 1"> ' +
  "␛[2J⟨U+202E⟩gnp.exe{{constructor}}";

describe("inspector page on a server", () => {
  const browser = useBrowser();
  const sample = (requests: number) => sampleInspected({ requests, isLive: true, hostile });
  const other = sampleInspected({ requests: 12 });
  const second = { ...other, entry: { ...other.entry, id: "second", title: "Quicker builds" } };
  let server: Awaited<ReturnType<typeof serveSample>>;
  let empty: Awaited<ReturnType<typeof serveSample>>;
  beforeAll(async () => {
    server = await serveSample([sample(100), second], { "/file.html": filePage(sample(100)) });
    empty = await serveSample([]);
  });
  afterAll(() => Promise.all([server?.close(), empty?.close()]));
  const { id } = sample(1).session;
  const open = async (path = "", options: ContextOptions = {}) => {
    const opened = await browser.open(`${server.url}${path}`, options);
    return { ...opened, ...pageParts(opened.page) };
  };

  it("can be read with the keyboard alone, and the focus is seen", async () => {
    const { page, press, focused, isReady, isChosen, text, complaints } = await open();
    await page.locator(".session-row").first().waitFor();
    expect(await focused()).toBe("sessions");
    await press("/");
    await page.keyboard.type("hacked");
    await press("Enter", "Enter");
    await isReady();
    await press("Home", "j", "j", "ArrowDown", "k");
    await isChosen("3");
    await press("n");
    await isChosen("6");
    await page.locator("#requests").focus();
    await press("Enter", "e", "Home", "ArrowDown", "Enter");
    expect(await focused()).toBe("items");
    await page.locator("#items pre").first().waitFor();
    const outline = "getComputedStyle(document.activeElement).outlineStyle";
    expect(await page.evaluate(outline)).toBe("solid");
    await press("Escape");
    await page.locator("#items pre").first().waitFor({ state: "detached" });
    await press("?");
    expect(await text("dialog h2")).toBe("Keys");
    await press("Escape", "d", "j", "v", "w", "m");
    await page.locator("#memories").waitFor();
    await press("m", "Escape", "s");
    await page.locator(".session-row").nth(1).waitFor();
    expect(complaints).toEqual([]);
  });

  it("shows its keys before it hears the next one, so that Escape closes them at once", async () => {
    const { page, press, isReady } = await open(placeOf(id, 40));
    await isReady();
    await page.evaluate(`new MutationObserver(() => {
      const dialog = document.querySelector("dialog");
      if (dialog) window.wasOpen ??= dialog.open;
    }).observe(document.body, { childList: true, subtree: true })`);
    await press("?");
    await page.locator("dialog").waitFor();
    expect(await page.evaluate("window.wasOpen")).toBe(true);
    await press("Escape", "m");
    await page.locator("#memories").waitFor();
  });

  it("reaches every part with Tab", async () => {
    const { page, press, focused, isReady } = await open(placeOf(id, 40));
    await isReady();
    const reached = new Set<string>();
    for (let step = 0; step < 16; step += 1) {
      await press("Tab");
      reached.add(await focused());
    }
    expect([...reached]).toEqual(
      expect.arrayContaining(["scrub", "filter", "requests", "tab-view", "items"]),
    );
    expect(await page.locator("[role=img][aria-label*='100 requests']").count()).toBe(1);
  });

  it.each(["light", "dark"] as const)("has text that can be read in %s", async (colorScheme) => {
    const { page, isReady } = await open(placeOf(id, 40), { colorScheme });
    await isReady();
    const [ink, quiet, broken, surface, back] = await page.evaluate<string[]>(`(() => {
      const probe = document.body.appendChild(document.createElement("span"));
      return ["ink", "quiet", "break", "surface", "back"].map((name) => {
        probe.style.color = "var(--" + name + ")";
        return getComputedStyle(probe).color;
      });
    })()`);
    const body = await page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
    expect(body).toBe(back);
    const pairs = [ink, quiet, broken].flatMap((text) => [
      contrastOf(text!, surface!),
      contrastOf(text!, back!),
    ]);
    expect(Math.min(...pairs)).toBeGreaterThanOrEqual(4.5);
    expect(contrastOf(surface!, "rgb(255, 255, 255)") > 10).toBe(colorScheme === "dark");
  });

  it("keeps the theme that was chosen", async () => {
    const { page, press, isReady } = await open(placeOf(id, 40), { colorScheme: "light" });
    await isReady();
    const background = () => page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
    const light = await background();
    await press("t", "t");
    await page.locator("html[data-theme=dark]").waitFor();
    const dark = await background();
    await page.reload();
    await isReady();
    expect([dark === light, await background()]).toEqual([false, dark]);
  });

  it.each(["", "file.html"])("shows hostile text as text (%s)", async (path) => {
    const { page, isReady, text, complaints, addresses } = await open(`${path}${placeOf(id, 1)}`);
    await isReady();
    await page.locator("#items .item-row").filter({ hasText: "hacked" }).first().click();
    await page.locator("#items pre").first().waitFor();
    expect([await text("h1"), await text("#items pre")]).toEqual([visible, visible]);
    expect(
      await page.evaluate(
        "[window.hacked ?? null, document.querySelectorAll('#app img, #app script').length]",
      ),
    ).toEqual([null, 0]);
    expect(complaints).toEqual([]);
    const elsewhere = addresses.filter((url) => !url.startsWith(server.url) && !url.startsWith("data:"));
    expect(elsewhere).toEqual([]);
  });

  it("follows a session that grows from its last request, and stays where another is chosen", async () => {
    const last = await open(`#session=${id}`);
    const earlier = await open(placeOf(id, 40));
    await last.isChosen("100");
    await earlier.isChosen("40");
    server.grow(sample(130));
    await last.isChosen("130");
    await earlier.page.locator(".readout").filter({ hasText: "40 of 130" }).waitFor();
    expect(await earlier.chosen()).toBe("40");
    server.grow(sample(100));
  });

  it("says what to do where there are no sessions, and what is wrong with an address", async () => {
    const nothing = pageParts((await browser.open(empty.url)).page);
    const missing = await browser.open(`${server.url}#session=gone`);
    await missing.page.locator("[role=alert]").waitFor();
    expect(await nothing.text("main h1")).toBe("No sessions yet");
    expect(await pageParts(missing.page).rowsOf("[role=alert]")).toEqual([
      ["There is no such thing.", "Choose another."],
    ]);
  });

  it("shows who wrote each line of a memory, and what a version changed", async () => {
    const { page, press, rowsOf, isReady } = await open(placeOf(id, 40));
    await isReady();
    await press("m");
    await page.locator(".lines").first().waitFor();
    const lines = await rowsOf(".lines tr");
    expect(lines.at(-1)).toEqual(["v3 dream", "- Exports print cents with a comma."]);
    await page.locator(".versions button").filter({ hasText: "Version 3" }).first().click();
    await page.locator("#against").selectOption("1");
    expect(await rowsOf(".lines .is-removed")).toEqual([["−", "Amounts are in cents."]]);
    expect(await page.locator(".lines .is-added").count()).toBe(3);
  });

  it("fits a narrow window", async () => {
    const { page, isReady } = await open(placeOf(id, 40), { viewport: { width: 600, height: 900 } });
    await isReady();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(600);
  });
});
