import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCatalog } from "../../packages/core/src/catalog/index.ts";
import type { ModelRequest } from "../../packages/core/src/spec/index.ts";
import { validate } from "../../packages/core/src/view/request/validator.ts";
import type { Rule } from "../../packages/core/src/view/request/violation.ts";
import { checkRequest } from "../../packages/testing/src/emulator/request/check-request.ts";
import { mutationsOf } from "./mutations.ts";
import { bases } from "./mutations-bases.ts";
import type { Mutation } from "./mutations-edit.ts";
import { validRequest } from "./mutations-valid.ts";
import { wholeMutations } from "./mutations-whole.ts";

/** Small enough to go over without megabytes. */
const images = { maxBytes: 4_000, maxSidePixels: 800, maxCount: 12, many: { count: 8, maxSidePixels: 200 } };
const capabilities = { ...createCatalog().capabilities("claude-opus-4-6").value, images };
const limits = { maxImageBytes: images.maxBytes, maxImages: images.maxCount };

const betas = new Set(["compact-2026-09-04"]);
const byEmulator = (request: ModelRequest) =>
  checkRequest(JSON.parse(JSON.stringify(request)), { betas, capabilities });
const byEngine = (request: ModelRequest) => validate(request, { images, maxBreakpoints: 4 });

/** The engine's name for each rule of the emulator that a mutation breaks. */
const counterparts: Readonly<Record<string, Rule>> = {
  "block-role": "block-role",
  "cache-control-count": "breakpoints",
  /** A marker that stood on a text before it was emptied. */
  "cache-control-place": "text-not-empty",
  compaction: "compaction-first",
  "content-empty": "content-not-empty",
  "first-user": "begins-with-user",
  "image-count": "image-count",
  "image-size": "image-size",
  "roles-alternate": "roles-alternate",
  "text-empty": "text-not-empty",
  "thinking-signature": "thinking-signed",
  "block-type": "block-role",
  "image-pixels": "image-size",
  "thinking-first": "thinking-first",
  "thinking-last": "thinking-last",
  "thinking-turn": "thinking-turn",
  "tool-id": "legal-call",
  "tool-id-unique": "call-once",
  "tool-input": "legal-call",
  "tool-name-unique": "legal-tool",
  "tool-result-first": "result-first",
  "tool-result-missing": "call-has-result",
  "tool-result-once": "call-has-result",
  "tool-result-unexpected": "result-has-call",
  unicode: "well-formed",
};

/** Both refuse a request, and whatever the emulator finds the engine finds too. */
function expectAgreement({ name, request }: Mutation): void {
  const found = byEmulator(request).map(({ rule, path }) =>
    rule === "tool-name"
      ? path.startsWith("tools")
        ? "legal-tool"
        : "legal-call"
      : (counterparts[rule] ?? rule),
  );
  const missed = found.filter((rule) => !byEngine(request).some((violation) => violation.rule === rule));
  expect({ name, isRefused: found.length > 0, missed }).toEqual({ name, isRefused: true, missed: [] });
}

const mutations = Object.entries(bases).flatMap(([base, request]) =>
  mutationsOf(request, limits).map((mutation) => ({ ...mutation, name: `${base}: ${mutation.name}` })),
);

describe("the emulator and the engine's validator", () => {
  it.each(Object.entries(bases))("both take the request %s", (_, request) => {
    expect([byEmulator(request), byEngine(request)]).toEqual([[], []]);
  });

  it("have at least 200 mutations to agree on, all different", () => {
    expect(mutations.length).toBeGreaterThanOrEqual(200);
    const different = new Set(mutations.map(({ request }) => JSON.stringify(request)));
    expect(different.size).toBeGreaterThanOrEqual(200);
  });

  it.each(mutations)("both refuse one that $name, by the same rules", expectAgreement);

  it.each(wholeMutations({ ...images, ...limits }))("both refuse $name", (mutation) => {
    expect(byEmulator(mutation.request).map(({ rule }) => rule)).toEqual([mutation.name.split(":")[0]]);
    expectAgreement(mutation);
  });

  it("both take whatever valid request comes, and refuse it however it is broken", () => {
    fc.assert(
      fc.property(validRequest, fc.nat(), (request, choice) => {
        expect([byEmulator(request), byEngine(request)]).toEqual([[], []]);
        const broken = mutationsOf(request, limits);
        expectAgreement(broken[choice % broken.length] ?? { name: "has no mutation", request });
      }),
      { numRuns: 500 },
    );
  });
});
