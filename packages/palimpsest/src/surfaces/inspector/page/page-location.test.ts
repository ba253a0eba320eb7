import { describe, expect, it } from "vitest";
import { firstLocation, fromHash, type PageLocation, toHash } from "./page-location.ts";

describe("place", () => {
  it("comes back from the address it was written to", () => {
    const locations: readonly PageLocation[] = [
      firstLocation,
      { screen: "session", session: "a b&c=#/é", tab: "view" },
      { screen: "session", session: "s", request: 41, tab: "changes", pinned: 0 },
      { screen: "session", session: "s", tab: "what-if", policy: "engine" },
      { screen: "memory", tab: "view", memory: "topics/build.md" },
      { screen: "memory", tab: "view" },
      { screen: "memory", tab: "view", session: "s", request: 3 },
    ];
    expect(locations.map((location) => fromHash(toHash(location)))).toEqual(locations);
  });

  it("counts requests from one, as people do", () => {
    expect(toHash({ screen: "session", session: "s", request: 0, tab: "view" })).toBe("#session=s&request=1");
  });

  it("takes nothing from an address that makes no sense", () => {
    expect(fromHash("#request=-1&tab=evil&pinned=1e9")).toEqual(firstLocation);
    expect(fromHash("#%%%")).toEqual(firstLocation);
  });
});
