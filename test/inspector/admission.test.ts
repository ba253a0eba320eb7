import { describe, expect, it } from "vitest";
import { maxStreams } from "../../packages/palimpsest/src/surfaces/inspector/server/serve-inspector.ts";
import { cliHome } from "../support/cli.ts";
import { answers, says, text } from "./support/drafts.ts";
import { type Served, served, wire } from "./support/served.ts";

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
const bodyOf = (answer: string) => answer.slice(answer.indexOf("\r\n\r\n") + 4);

async function withSession(): Promise<Served> {
  const home = await cliHome();
  await home.add("one", [says("hello"), answers("r1", [text("hi")])]);
  return served({ home });
}

describe("who the inspector answers", () => {
  it("answers under its own address, by number and by name", async () => {
    const { port, token, raw } = await served();
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`])
      expect(statusOf(await raw(wire(`GET /${token}/`, { host })))).toBe(200);
  });

  it("refuses every other Host, as a name made to point here has", async () => {
    const { port, token, raw } = await served();
    const hosts = [
      "evil.example",
      `evil.example:${port}`,
      "127.0.0.1",
      `127.0.0.1:${port + 1}`,
      `0.0.0.0:${port}`,
      "",
    ];
    for (const host of hosts) {
      const answer = await raw(wire(`GET /${token}/api/sessions`, { host }));
      expect([host, statusOf(answer)]).toEqual([host, 403]);
    }
    expect(statusOf(await raw(`GET /${token}/ HTTP/1.0\r\n\r\n`))).toBe(403);
    expect(
      statusOf(
        await raw(
          `GET http://evil.example/${token}/ HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n`,
        ),
      ),
    ).toBe(403);
  });

  it("refuses pages of other origins, also those of this machine", async () => {
    const { port, token, raw } = await served();
    const host = `127.0.0.1:${port}`;
    const ask = async (headers: Record<string, string>) =>
      statusOf(await raw(wire(`GET /${token}/api/sessions`, { host, ...headers })));
    for (const origin of [
      "https://evil.example",
      "null",
      "http://127.0.0.1:1",
      `https://127.0.0.1:${port}`,
      `http://localhost:${port}`,
    ])
      expect([origin, await ask({ origin })]).toEqual([origin, 403]);
    expect(await ask({ origin: `http://${host}` })).toBe(200);
    for (const site of ["cross-site", "same-site", "anything"])
      expect([site, await ask({ "sec-fetch-site": site })]).toEqual([site, 403]);
    for (const site of ["same-origin", "none"])
      expect([site, await ask({ "sec-fetch-site": site })]).toEqual([site, 200]);
  });

  it("refuses a wrong token, a part of it and none at all, and says nothing else", async () => {
    const { port, token, raw } = await withSession();
    const host = `127.0.0.1:${port}`;
    const paths = [
      "/",
      "/api/sessions",
      `/${token.slice(0, -1)}/`,
      `/${token}x/`,
      `//${token}/`,
      `/x/../${token}/`,
      `/%00${token}/`,
      "*",
    ];
    for (const path of paths) {
      const answer = await raw(wire(`GET ${path}`, { host }));
      expect([path, statusOf(answer)]).toEqual([path, 403]);
      expect(Object.keys(JSON.parse(bodyOf(answer)))).toEqual(["message", "fix"]);
    }
  });

  it("shows and never does: only GET and HEAD", async () => {
    const { port, token, raw } = await served();
    const host = `127.0.0.1:${port}`;
    for (const method of ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
      const answer = await raw(wire(`${method} /${token}/api/sessions`, { host }));
      expect([method, statusOf(answer)]).toEqual([method, 405]);
      expect(answer).toMatch(/allow: GET, HEAD/i);
      expect(answer).not.toMatch(/access-control/i);
    }
    const head = await raw(wire(`HEAD /${token}/api/sessions`, { host }));
    expect([statusOf(head), bodyOf(head)]).toEqual([200, ""]);
  });

  it("refuses addresses and headers that are too long, and those that are not well-formed", async () => {
    const { port, token, raw } = await served();
    const host = `127.0.0.1:${port}`;
    const status = async (path: string, headers = {}) =>
      statusOf(await raw(wire(`GET /${token}/${path}`, { host, ...headers })));
    expect(await status(`?${"x".repeat(17_000)}`)).toBe(414);
    expect(await status("", { cookie: "x".repeat(40_000) })).toBe(431);
    expect(await status("%zz")).toBe(400);
    expect(await status("api/sessions/%ff")).toBe(400);
  });

  it("reads no file but those of the page and of its sessions, whatever a parameter says", async () => {
    const { port, token, raw } = await withSession();
    const host = `127.0.0.1:${port}`;
    const hostile = [
      "..",
      "../secret.txt",
      "..%2fsecret.txt",
      "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
      "..%5csecret.txt",
      "/etc/passwd",
      "%2fetc%2fpasswd",
      "one%00",
      "secret.txt",
      "index.html",
      "constructor",
      "__proto__",
    ];
    const places = (name: string) => [
      name,
      `api/${name}`,
      `api/sessions/${name}`,
      `api/sessions/${name}/texts?items=0`,
      `api/sessions/one/${name}`,
      `api/sessions/one/texts?items=${name}`,
      `api/sessions/one?request=${name}`,
      `api/sessions/one?generation=${name}`,
      `api/sessions/one/what-if?policy=${name}`,
      `api/memory?path=${name}`,
    ];
    for (const name of hostile) {
      for (const path of places(name)) {
        const answer = await raw(wire(`GET /${token}/${path}`, { host }));
        expect([path, [400, 404].includes(statusOf(answer))]).toEqual([path, true]);
        expect(JSON.parse(bodyOf(answer))).toMatchObject({ message: expect.any(String) });
        expect(answer).not.toMatch(/not to be seen|root:/);
      }
    }
  });

  it("lets nothing be loaded, framed, cached or guessed by what it sends", async () => {
    const { get } = await withSession();
    for (const path of ["", "app.js", "app.css", "api/sessions", "api/nothing"]) {
      const { headers } = await get(path);
      expect(Object.fromEntries(headers)).toMatchObject({
        "content-security-policy":
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cache-control": "no-store",
      });
    }
  });

  it("leads to the page where the last slash is missing", async () => {
    const { url, token } = await served();
    const response = await fetch(url.slice(0, -1), { redirect: "manual" });
    expect([response.status, response.headers.get("location")]).toEqual([308, `/${token}/`]);
  });

  it("keeps a bounded number of streams, and has room again once one is closed", async () => {
    const { get } = await withSession();
    const streams: Response[] = [];
    for (let count = 0; count < maxStreams; count += 1) streams.push(await get("api/sessions/one/watch"));
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
    const tooMany = await get("api/sessions/one/watch");
    expect(tooMany.status).toBe(503);
    await Promise.all(streams.map(({ body }) => body?.cancel()));
    let again = await get("api/sessions/one/watch");
    while (again.status !== 200) again = await get("api/sessions/one/watch");
    await again.body?.cancel();
  });

  it("has another token every time", async () => {
    const [one, other] = await Promise.all([served(), served()]);
    expect(one.token).not.toBe(other.token);
    expect(one.token).toMatch(/^[\w-]{32}$/);
  });
});
