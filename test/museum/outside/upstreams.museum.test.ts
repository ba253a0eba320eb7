import { once } from "node:events";
import { request as ask, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createGateway } from "palimpsest/gateway";
import { describe, expect, it, onTestFinished } from "vitest";
import { readJsonFixture } from "../read-fixture.ts";
import { temporaryFolder } from "./subject.ts";

interface SentRequest {
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface PathsOfAnotherProvider {
  readonly words: string;
  readonly refused: readonly (SentRequest & { readonly what: string })[];
  readonly anthropic: SentRequest;
}

const { words, refused, anthropic } = readJsonFixture<PathsOfAnotherProvider>(
  "52-paths-of-another-provider.json",
);

/** A provider that keeps the targets it is asked for. */
async function provider() {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    request.resume();
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function gatewayInFrontOf(upstreams: { readonly upstream: string; readonly openaiUpstream?: string }) {
  const home = await temporaryFolder();
  const gateway = await createGateway({ ...upstreams, home, cwd: home });
  onTestFinished(() => gateway.close());
  return gateway;
}

/** As it is written: `fetch` would put slashes in place of backslashes. */
function send(port: number, { target, headers }: SentRequest): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = ask({ host: "127.0.0.1", port, method: "POST", path: target, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    sent.once("error", reject).end(JSON.stringify({ contents: words }));
  });
}

describe("museum", () => {
  it.each(refused)("52: $what: no provider gets the request, where there are two", async (request) => {
    const [first, second] = [await provider(), await provider()];
    const gateway = await gatewayInFrontOf({ upstream: first.url, openaiUpstream: second.url });
    const status = await send(gateway.port, request);
    expect([first.asked, second.asked]).toEqual([[], []]);
    expect([400, 404]).toContain(status);
  });

  it("52: `anthropic-*` headers mean Anthropic", async () => {
    const [first, second] = [await provider(), await provider()];
    const gateway = await gatewayInFrontOf({ upstream: first.url, openaiUpstream: second.url });
    await send(gateway.port, anthropic);
    expect([first.asked, second.asked]).toEqual([[anthropic.target], []]);
  });
});
