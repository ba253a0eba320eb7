import { readdir, readFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { GatewayOptions } from "../../packages/palimpsest/src/surfaces/gateway/index.ts";
import { createVirtualClock } from "../../packages/testing/src/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { key, model, startGateway } from "./gateway-stage.ts";
import { minute, passIn } from "./keep-warm-stage.ts";
import { helloMessage, type RawRequest, rawUpstream } from "./raw-upstream.ts";

const markedSystem =
  '[{"type": "text","text":"caf\\u00e9 \\ud83d\\ude00", "cache_control":{"type":"ephemeral"}}]';

/** A body in a spelling that no serializer has: what stands in it must come through as it is. */
function bodyOf(messages: readonly string[], more = ""): string {
  const list = messages.map((text, at) => `{"role":"${at % 2 ? "assistant" : "user"}","content":"${text}"}`);
  return `{ "model":"${model}","max_tokens" : 4e3, "stream":true,${more}
  "system":${markedSystem},
  "messages":[${list.join(" , ")}],"temperature":1.0,"metadata":{"user_id":"\\"max_tokens\\": 1.50"}}`;
}

/** Long enough to be found again in a request that nobody has read. */
const reply = "Hello, and welcome to this long conversation.";

const usage = {
  input_tokens: 3,
  output_tokens: 2,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 40_000,
};

function answer(_request: RawRequest, response: ServerResponse, used: object = usage): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ ...helloMessage, content: [{ type: "text", text: reply }], usage: used }));
}

async function rawStage(
  options: GatewayOptions = {},
  answerWith: Parameters<typeof rawUpstream>[0] = answer,
) {
  const upstream = await rawUpstream(answerWith);
  const home = await temporaryFolder();
  const clock = createVirtualClock();
  const settings = { keepWarm: { enabled: true, mostReads: 2 } };
  const common = { upstream: upstream.url, home, cwd: home, clock, settings };
  const started = await startGateway({ ...common, ...options });
  const post = async (body: string, headers: Record<string, string> = {}) => {
    const sent = { "content-type": "application/json", "x-api-key": key, "anthropic-version": "2023-06-01" };
    const url = `${started.gateway.url}/v1/messages?beta=true`;
    const response = await fetch(url, { method: "POST", headers: { ...sent, ...headers }, body });
    await response.text();
    return response.status;
  };
  /** Two requests, the second of which is kept warm. */
  const converse = async (more = "", headers: Record<string, string> = {}) => {
    await post(bodyOf(["Hi."], more), headers);
    await started.gateway.idle();
    await post(bodyOf(["Hi.", reply, "Go on."], more), headers);
    await started.gateway.idle();
  };
  const pass = (ms: number) => passIn({ clock, gateway: started.gateway }, ms);
  return { ...started, upstream, home, clock, post, converse, pass };
}

const isKeptWarm = ({ gateway }: Awaited<ReturnType<typeof rawStage>>) =>
  gateway.status().sessions.map((session) => session.isKeptWarm);

describe("what is sent again", () => {
  it("is the request to the byte, but for the length of the answer and the stream, to the same address", async () => {
    const one = await rawStage();
    await one.converse();
    await one.pass(5 * minute);
    const [, sent, read] = one.upstream.requests;
    const expected = sent?.body.toString().replace("4e3", "1").replace('"stream":true', '"stream":false');
    expect(read?.body.toString()).toBe(expected);
    expect([read?.method, read?.url]).toEqual(["POST", "/v1/messages?beta=true"]);
  });

  it("goes out with the client's own key and betas, and without the gateway's token", async () => {
    const token = "a-token-of-some-length";
    const one = await rawStage({ token });
    const own = { "anthropic-beta": "one-2025-01-01,two-2025-01-01", "x-palimpsest-token": token };
    await one.converse("", { ...own, "idempotency-key": "once", "user-agent": "agent/1" });
    await one.pass(5 * minute);
    const [, sent, read] = one.upstream.requests;
    const { "content-length": _sent, "idempotency-key": once, ...headers } = sent?.headers ?? {};
    const { "content-length": _read, ...again } = read?.headers ?? {};
    expect(once).toBe("once");
    expect(again).toEqual(headers);
    expect(again).toMatchObject({ "x-api-key": key, "anthropic-beta": own["anthropic-beta"] });
  });

  it("asks for one token, and where thinking has a budget for that and one", async () => {
    const thinking = '"thinking":{"type":"enabled","budget_tokens":1024},';
    const one = await rawStage();
    await one.converse(thinking);
    await one.pass(5 * minute);
    const adaptive = await rawStage();
    await adaptive.converse('"thinking":{"type":"adaptive"},');
    await adaptive.pass(5 * minute);
    const lengths = [one, adaptive].map(({ upstream }) =>
      upstream.requests.slice(2).map(({ body }) => JSON.parse(body.toString()).max_tokens),
    );
    expect(lengths).toEqual([[1_025], [1]]);
  });

  it.each([
    ["has to call a tool", '"tool_choice":{"type":"any"},'],
    ["has to call one tool", '"tool_choice":{"type":"tool","name":"Read"},'],
    ["is asked at another speed", '"speed":"fast",'],
    [
      "may think and search",
      '"thinking":{"type":"enabled","budget_tokens":1024},"tools":[{"type":"web_search_20250305","name":"web_search"}],',
    ],
  ])("is nothing where the model %s", async (_what, more) => {
    const one = await rawStage();
    await one.converse(more);
    expect(isKeptWarm(one)).toEqual([false]);
    await one.pass(10 * minute);
    expect(one.upstream.requests).toHaveLength(2);
  });

  it("is nothing where the provider has cached nothing", async () => {
    const cold = { input_tokens: 300, output_tokens: 2 };
    const one = await rawStage({}, (request, response) => answer(request, response, cold));
    await one.converse();
    await one.pass(10 * minute);
    expect([isKeptWarm(one), one.upstream.requests.length]).toEqual([[false], 2]);
  });
});

describe("a client that comes back", () => {
  it("is never kept waiting by a read that is under way, which ends by itself and is on the bill", async () => {
    let finish: (() => void) | undefined;
    let begun: (() => void) | undefined;
    const reading = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const one = await rawStage({}, (request, response) => {
      if (!request.body.includes('"stream":false')) return answer(request, response);
      finish = () => answer(request, response);
      begun?.();
    });
    await one.converse();
    await one.clock.advance(4.5 * minute);
    await reading;
    expect(await one.post(bodyOf(["Hi.", reply, "Go on.", reply, "And?"]))).toBe(200);
    expect(one.upstream.requests).toHaveLength(4);
    finish?.();
    await one.gateway.idle();
    await one.clock.advance(0);
    const { sessions, keepWarm } = one.gateway.status();
    expect(keepWarm).toMatchObject({ reads: 1, misses: 0 });
    expect(sessions).toMatchObject([{ messages: 6, isKeptWarm: true }]);
    expect(one.events.filter(({ type }) => type === "gateway-failure")).toEqual([]);
  });
});

describe("a client whose request is under way", () => {
  it.each([
    ["was read first", "", false],
    ["went out before it was read", `"padding":"${"x".repeat(70_000)}",`, true],
  ])("is not read for, however long it takes, where it %s", async (_how, more, isUnread) => {
    let finish: (() => void) | undefined;
    let begun: (() => void) | undefined;
    const coming = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const one = await rawStage({}, (request, response) => {
      if (!request.body.includes("And?")) return answer(request, response);
      finish = () => answer(request, response);
      begun?.();
    });
    await one.converse(more);
    const asked = one.post(bodyOf(["Hi.", reply, "Go on.", reply, "And?"], more));
    await coming;
    await one.clock.advance(30 * minute);
    finish?.();
    await asked;
    await one.gateway.idle();
    expect(one.upstream.requests).toHaveLength(3);
    const last = one.events.findLast((event) => event.type === "request-end");
    expect(last).toMatchObject({ match: "continue", ...(isUnread && { isUnread }) });
  });
});

describe("the client's headers", () => {
  it("are held in memory only: not in a file, a line, an event or an error", async () => {
    let answered = 0;
    const one = await rawStage({}, (request, response) => {
      answered += 1;
      if (answered < 4) return answer(request, response);
      response.writeHead(401, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: `the key ${key} is not valid` } }));
    });
    await one.converse("", { authorization: "Bearer secret-of-the-client", cookie: "session=secret-cookie" });
    expect(isKeptWarm(one)).toEqual([true]);
    const whileHeld = JSON.stringify(one.gateway.status());
    await one.pass(10 * minute);
    expect(one.upstream.requests).toHaveLength(4);
    const told = [whileHeld, JSON.stringify([one.events, one.gateway.status()])];
    await one.gateway.close();
    const names = await readdir(one.home, { recursive: true, withFileTypes: true });
    const files = names.filter((name) => name.isFile()).map((name) => join(name.parentPath, name.name));
    const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
    expect(texts.join("")).toContain("keep-warm");
    for (const text of [...told, ...texts])
      for (const secret of [key, "secret-of-the-client", "secret-cookie"]) expect(text).not.toContain(secret);
  });

  it("are held only until the pause ends: by a request, its last read, a failure, or the gateway's end", async () => {
    const answering = await rawStage();
    await answering.converse();
    const states = [isKeptWarm(answering)];
    await answering.pass(10 * minute);
    states.push(isKeptWarm(answering));
    const failing = await rawStage({}, (request, response) => {
      if (!request.body.includes("And?")) return answer(request, response);
      response.writeHead(500).end();
    });
    await failing.converse();
    states.push(isKeptWarm(failing));
    await failing.post(bodyOf(["Hi.", reply, "Go on.", reply, "And?"]));
    await failing.gateway.idle();
    states.push(isKeptWarm(failing));
    const closing = await rawStage();
    await closing.converse();
    await closing.gateway.close();
    states.push(isKeptWarm(closing));
    expect(states).toEqual([[true], [false], [true], [false], []]);
  });

  it("go with the gateway while a read is under way: it is given up, and counted", async () => {
    let begun: (() => void) | undefined;
    const reading = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const one = await rawStage({}, (request, response) => {
      if (request.body.includes('"stream":false')) begun?.();
      else answer(request, response);
    });
    await one.converse();
    await one.clock.advance(4.5 * minute);
    await reading;
    await one.gateway.close();
    expect(one.clock.sleeping).toBe(0);
    const names = await readdir(one.home, { recursive: true, withFileTypes: true });
    const logs = names.filter((name) => name.isFile() && name.name.endsWith(".jsonl"));
    const texts = await Promise.all(logs.map((name) => readFile(join(name.parentPath, name.name), "utf8")));
    expect(texts.join("")).toContain('"fork":"interrupted","forkKind":"keep-warm"');
  });
});
