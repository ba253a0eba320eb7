import { describe, expect, it } from "vitest";
import { firstPlace, fromHash, type PageLocation, toHash } from "./place.ts";

describe("place", () => {
  it("comes back from the address it was written to", () => {
    const places: readonly PageLocation[] = [
      firstPlace,
      { screen: "session", session: "a b&c=#/é", tab: "view" },
      { screen: "session", session: "s", request: 41, tab: "changes", pinned: 0 },
      { screen: "session", session: "s", tab: "what-if", policy: "engine" },
      { screen: "memory", tab: "view", memory: "topics/build.md" },
      { screen: "memory", tab: "view" },
      { screen: "memory", tab: "view", session: "s", request: 3 },
    ];
    expect(places.map((place) => fromHash(toHash(place)))).toEqual(places);
  });

  it("counts requests from one, as people do", () => {
    expect(toHash({ screen: "session", session: "s", request: 0, tab: "view" })).toBe("#session=s&request=1");
  });

  it("takes nothing from an address that makes no sense", () => {
    expect(fromHash("#request=-1&tab=evil&pinned=1e9")).toEqual(firstPlace);
    expect(fromHash("#%%%")).toEqual(firstPlace);
  });
});
