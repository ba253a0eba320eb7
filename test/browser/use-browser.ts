import { afterAll, beforeAll, beforeEach, onTestFinished } from "vitest";
import { browserAbsence, launchBrowser } from "../../scripts/inspector/launch-browser.mjs";
import { untilGone } from "../support/processes.ts";
import type { ContextOptions, Page } from "./browser-types.ts";

export interface OpenPage {
  readonly page: Page;
  /** What the page has complained of so far. */
  readonly complaints: readonly string[];
  /** Every address it has asked for so far. */
  readonly addresses: readonly string[];
}

/** How long what is waited for may take on a machine with other work; a test that passes never waits that long. */
const waitMs = 60_000;

/** One browser for the tests of a file. Where there is none they are skipped with a line, or fail where `CI` is set. */
export function useBrowser() {
  const absence = browserAbsence();
  let launched: Awaited<ReturnType<typeof launchBrowser>> | undefined;
  beforeAll(async () => {
    if (absence === null) launched = await launchBrowser();
    else if (process.env.CI) throw new Error(`The browser tests must not be skipped here: ${absence}`);
    else console.warn(`The browser tests are skipped: ${absence}`);
  });
  afterAll(async () => {
    if (!launched) return;
    await launched.close();
    await untilGone(launched.pid);
  });
  beforeEach((context) => {
    if (absence !== null) context.skip(absence);
  });
  return {
    async open(url: string, options: ContextOptions = {}): Promise<OpenPage> {
      if (!launched) throw new Error("There is no browser.");
      const context = await launched.browser.newContext({
        viewport: { width: 1280, height: 800 },
        ...options,
      });
      onTestFinished(() => context.close());
      context.setDefaultTimeout(waitMs);
      const page = await context.newPage();
      const complaints: string[] = [];
      const addresses: string[] = [];
      page.on("console", (message) => {
        if (message.type() !== "log") complaints.push(`${message.type()}: ${message.text()}`);
      });
      page.on("pageerror", (error) => complaints.push(String(error)));
      page.on("request", (request) => addresses.push(request.url()));
      await page.goto(url);
      return { page, complaints, addresses };
    },
  };
}
