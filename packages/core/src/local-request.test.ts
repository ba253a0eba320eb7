import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bearerOf, isSameSecret } from "../../palimpsest/src/surfaces/local/bearer.ts";
import { checkLocalRequest } from "./local-request.ts";

const port = 4100;
const ask = (headers: readonly string[]) => checkLocalRequest(headers, port);
const own = ["Host", "127.0.0.1:4100"] as const;

describe("checkLocalRequest", () => {
  it("lets through what programs of this machine send, under any name of it", () => {
    for (const host of ["127.0.0.1:4100", "localhost:4100", "LOCALHOST:4100", "[::1]:4100"])
      expect(ask(["Host", host])).toBe(null);
    expect(ask([...own, "Origin", "http://127.0.0.1:4100", "Sec-Fetch-Site", "same-origin"])).toBe(null);
    expect(ask([...own, "Sec-Fetch-Site", "none"])).toBe(null);
  });

  it.each([
    ["no host", [], "host-refused"],
    ["a name made to point here", ["Host", "evil.example:4100"], "host-refused"],
    ["another port", ["Host", "127.0.0.1:4101"], "host-refused"],
    ["a name that begins like ours", ["Host", "localhost:4100.evil.example"], "host-refused"],
    ["two hosts", [...own, "HOST", "127.0.0.1:4100"], "headers-ambiguous"],
    ["two bearers", [...own, "authorization", "a", "Authorization", "b"], "headers-ambiguous"],
    ["another site", [...own, "Origin", "https://evil.example"], "origin-refused"],
    ["a page without an origin", [...own, "Origin", "null"], "origin-refused"],
    ["a page under another name of ours", [...own, "Origin", "http://localhost:4100"], "origin-refused"],
    ["a page of another port", [...own, "Sec-Fetch-Site", "same-site"], "origin-refused"],
    ["another site's picture", [...own, "Sec-Fetch-Site", "cross-site"], "origin-refused"],
  ])("refuses %s", (_what, headers, code) => {
    expect(ask(headers)?.code).toBe(code);
  });

  it("leaves the port of HTTP itself out as clients do", () => {
    const asked = ["localhost", "localhost:80", "127.0.0.1", "evil.example", "localhost:81"];
    expect(asked.map((host) => checkLocalRequest(["host", host], 80)?.code)).toEqual([
      undefined,
      undefined,
      undefined,
      "host-refused",
      "host-refused",
    ]);
  });

  it("lets other machines ask by address, and by names that no page of the world can have", () => {
    const reach = (host: string, ...more: string[]) =>
      checkLocalRequest(["host", host, ...more], port, "network")?.code;
    const good = [
      "192.168.1.5:4100",
      "10.0.0.1",
      "[fe80::1]:80",
      "emulator:8080",
      "host.docker.internal:4100",
    ];
    expect(good.map((host) => reach(host))).toEqual(good.map(() => undefined));
    const bad = [
      "evil.example:4100",
      "1.2.3.4.evil.example",
      "emulator.evil.example:80",
      "",
      "a b",
      "x@local",
    ];
    expect(bad.map((host) => reach(host))).toEqual(bad.map(() => "host-refused"));
    expect(reach("emulator:80", "origin", "http://evil.example")).toBe("origin-refused");
    expect(reach("emulator:80", "sec-fetch-site", "cross-site")).toBe("origin-refused");
  });

  it("lets no Host through but the names of this machine with its port", () => {
    const names = new Set(["127.0.0.1:4100", "localhost:4100", "[::1]:4100"]);
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webAuthority(), fc.constantFrom(...names)), (host) => {
        expect(ask(["host", host]) === null).toBe(names.has(host.toLowerCase()));
      }),
    );
  });
});

describe("isSameSecret and bearerOf", () => {
  it("tell the right token from every other", () => {
    expect(isSameSecret("token", "token")).toBe(true);
    for (const given of ["", "toke", "token ", "Token"]) expect(isSameSecret(given, "token")).toBe(false);
    expect(["Bearer abc", "bearer  abc", "Basic abc", "Bearer a b", undefined].map(bearerOf)).toEqual([
      "abc",
      "abc",
      undefined,
      undefined,
      undefined,
    ]);
  });
});
