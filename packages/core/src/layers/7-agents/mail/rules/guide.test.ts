import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { mailNumbers, structuredKinds } from "./index.ts";

const page = readFileSync(
  new URL("../../../../../../../docs/guides/messages.md", import.meta.url),
  "utf8",
).replaceAll("\n", " ");

it("the guide to messages says the numbers and kinds that hold", () => {
  const days = mailNumbers.maxAgeMs / (24 * 60 * 60 * 1000);
  expect(page).toContain(`A mailbox with ${mailNumbers.maxWaiting.toLocaleString("en")} mails`);
  expect(page).toContain(`over ${days} days`);
  expect([...page.matchAll(/\| `((?:shutdown|plan)\w+)` \|/g)].map(([, kind]) => kind)).toEqual(
    structuredKinds,
  );
});
