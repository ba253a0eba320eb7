import { describe, expect, it } from "vitest";
import { internalNames, mostInternalNames, unusedInternalNames } from "../../scripts/internal-names.mjs";

const shown = ({ entry, name }: { readonly entry: string; readonly name: string }) => `${name} of ${entry}`;

describe("what @palimpsest/core gives the other packages alone", () => {
  it("does not become more", () => {
    expect(internalNames().length).toBeLessThanOrEqual(mostInternalNames);
  });

  it("is named once in an entry, and used", () => {
    const names = internalNames().map(shown);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(unusedInternalNames().map(shown)).toEqual([]);
  });
});
