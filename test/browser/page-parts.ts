import type { Page } from "./browser-types.ts";

/** What tests look at and do, in the words of the page. */
export function pageParts(page: Page) {
  const text = async (selector: string) =>
    ((await page.locator(selector).first().textContent()) ?? "").trim();
  const isReady = () => page.locator("#requests .row").first().waitFor();
  return {
    isReady,
    text,
    /** The request that is chosen, as the list says. */
    chosen: () => text("#requests [aria-selected=true] .number"),
    nodes: () => page.evaluate<number>("document.querySelectorAll('*').length"),
    focused: () => page.evaluate<string>("document.activeElement.id || document.activeElement.className"),
    async press(...keys: readonly string[]) {
      for (const key of keys) await page.keyboard.press(key);
    },
    /** Moves the slider as a hand would. */
    scrub: (request: number) =>
      page.evaluate(
        `(() => { const slider = document.querySelector(".scrub"); slider.value = ${request};
          slider.dispatchEvent(new Event("input", { bubbles: true })); })()`,
      ),
    /** Resolves once the chosen request is this one; a regular expression may stand for several. */
    isChosen: (request: string) =>
      page
        .locator("#requests [aria-selected=true] .number:first-child")
        .filter({ hasText: new RegExp(`^${request}$`) })
        .waitFor(),
    async rowsOf(selector: string) {
      const rows = await page.evaluate<string[]>(
        `[...document.querySelectorAll(${JSON.stringify(selector)})].map((row) => row.innerText)`,
      );
      return rows.map((row) => row.split(/\s*[\t\n]\s*/).map((cell) => cell.trim()));
    },
  };
}

/** The address of a request of a session. */
export const placeOf = (session: string, request: number, more = "") =>
  `#session=${session}&request=${request}${more}`;
