import { describe, expect, it } from "vitest";
import type { GatewayEvent } from "../../packages/palimpsest/src/surfaces/gateway/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { startGateway } from "./gateway-stage.ts";
import { rawUpstream } from "./raw-upstream.ts";

async function gatewayToTwo() {
  const [anthropic, openai] = [await rawUpstream(), await rawUpstream()];
  const home = await temporaryFolder();
  const options = { upstream: anthropic.url, openaiUpstream: openai.url, home, cwd: home };
  return { ...(await startGateway(options)), anthropic, openai };
}

const secret = "key-of-somebody-else-0123456789";
const said = "what was said";

const refusals = (events: readonly GatewayEvent[]) =>
  events.flatMap((event) => (event.type === "request-refuse" ? [[event.code, event.path]] : []));

describe("a gateway in front of two providers", () => {
  it("refuses a path that it does not know, in a form that clients read, and sends nothing", async () => {
    const { gateway, events, anthropic, openai } = await gatewayToTwo();
    const ask = (path: string, headers: Record<string, string>) =>
      fetch(gateway.url + path, { method: "POST", headers, body: JSON.stringify({ contents: said }) });
    const unknown = await ask("/v2/chat", { authorization: `Bearer ${secret}` });
    const google = await ask(`/v1beta/models/gemini:generateContent?key=${secret}`, {
      "x-goog-api-key": secret,
    });
    expect([unknown.status, await unknown.json()]).toEqual([
      404,
      {
        type: "error",
        error: {
          type: "not_found_error",
          code: "path-unknown",
          message: expect.stringMatching(/the path \/v2\/chat,.*palimpsest gateway --upstream URL/),
        },
      },
    ]);
    expect([google.status, await google.json()]).toEqual([
      404,
      {
        error: {
          code: 404,
          status: "NOT_FOUND",
          message: expect.stringMatching(/meant for Google.*palimpsest gateway --upstream URL/),
          details: [{ reason: "provider-missing" }],
        },
      },
    ]);
    expect([anthropic.requests, openai.requests]).toEqual([[], []]);
    expect(refusals(events)).toEqual([
      ["path-unknown", "/v2/chat"],
      ["provider-missing", "/v1beta/models/gemini:generateContent"],
    ]);
    expect(JSON.stringify([gateway.status(), events])).not.toContain(secret);
  });

  it("sends what both have to the one whose headers the client sends", async () => {
    const { gateway, anthropic, openai } = await gatewayToTwo();
    const authorization = `Bearer ${secret}`;
    await fetch(`${gateway.url}/v1/files`, { headers: { authorization, "anthropic-beta": "files" } });
    await fetch(`${gateway.url}/v1/skills`, { headers: { authorization } });
    const torn = { authorization, "x-api-key": "k", "x-goog-api-key": "k" };
    expect((await fetch(`${gateway.url}/v1/files`, { headers: torn })).status).toBe(404);
    expect((await fetch(`${gateway.url}/v1/files`, { headers: { "x-api-key": "k" } })).status).toBe(400);
    const urls = [anthropic, openai].map(({ requests }) => requests.map(({ url }) => url));
    expect(urls).toEqual([["/v1/files"], ["/v1/skills"]]);
  });
});
