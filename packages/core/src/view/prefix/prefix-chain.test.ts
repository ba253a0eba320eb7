import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addTo } from "../../../../../test/support/check-projection.ts";
import { createHistory, operation } from "../../../../../test/support/histories.ts";
import type { ViewItem } from "../../spec/index.ts";
import { createProjection } from "../projection/projection.ts";
import { createPrefixChain, type PrefixDigests } from "./prefix-chain.ts";

const bytesOf = (items: readonly ViewItem[]) => items.map(({ role, json }) => `${role} ${json}`);

describe("prefix chain", () => {
  it("has equal digests exactly where requests share their beginning, after any operation", () => {
    const operations = fc.array(operation, { minLength: 1, maxLength: 40, size: "max" });
    fc.assert(
      fc.property(operations, (all) => {
        const history = createHistory();
        const projection = createProjection();
        const chain = createPrefixChain("system");
        let before = { bytes: [] as readonly string[], digests: [chain.digest(0)] as readonly string[] };
        for (const one of all) {
          const entry = history.write(one);
          if (entry) addTo(projection, entry, history.entries);
          const { items } = projection.projected;
          chain.update(items, projection.takeChanged());
          const bytes = bytesOf(items);
          const digests = Array.from({ length: items.length + 1 }, (_, count) => chain.digest(count));
          const shared = digests.findIndex((digest, index) => digest !== before.digests[index]);
          const sharedBytes = bytes.findIndex((text, index) => text !== before.bytes[index]);
          const length = Math.min(before.bytes.length, bytes.length);
          expect(shared === -1 ? length : shared - 1).toBe(sharedBytes === -1 ? length : sharedBytes);
          before = { bytes, digests };
        }
      }),
      { numRuns: 300 },
    );
  });

  it("gives snapshots that stay as they were, whatever happens later", () => {
    const operations = fc.array(operation, { minLength: 1, maxLength: 30, size: "max" });
    fc.assert(
      fc.property(operations, (all) => {
        const history = createHistory();
        const projection = createProjection();
        const chain = createPrefixChain("system");
        const digestsOf = ({ items, at }: PrefixDigests) =>
          Array.from({ length: items + 1 }, (_, n) => at(n));
        const given: { readonly snapshot: PrefixDigests; readonly digests: readonly string[] }[] = [];
        for (const [step, one] of all.entries()) {
          const entry = history.write(one);
          if (entry) addTo(projection, entry, history.entries);
          const { items } = projection.projected;
          chain.update(items, projection.takeChanged());
          if (step % 2 === 1) continue;
          const snapshot = chain.snapshot();
          const digests = Array.from({ length: items.length + 1 }, (_, count) => chain.digest(count));
          given.push({ snapshot, digests });
        }
        expect(given.map(({ snapshot }) => digestsOf(snapshot))).toEqual(given.map(({ digests }) => digests));
      }),
      { numRuns: 300 },
    );
  });

  it("differs from the first item on where system or tools differ", () => {
    expect(createPrefixChain("one").digest(0)).not.toBe(createPrefixChain("two").digest(0));
  });
});
