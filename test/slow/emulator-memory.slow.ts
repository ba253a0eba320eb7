import { Agent, request } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import {
  callTool,
  createEmulator,
  createSeededRandom,
  createVirtualClock,
  fault,
  say,
  think,
} from "../../packages/testing/src/index.ts";
import { hello } from "../support/emulator.ts";
import { reach } from "../support/reach.ts";
import { seed } from "../support/seed.ts";

const requests = 100_000;
/** By then everything that is kept has reached its bound: requests, bodies, cache entries, message ids. */
const settled = 20_000;
const maxGrowthBytes = 8 * 1024 * 1024;
const batch = 500;
const atOnce = 25;
/** A batch takes so long by the emulator's clock, so that cache entries expire after 30 batches. */
const batchMs = 10_000;

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

function heapBytes(): number {
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

const headers = {
  "content-type": "application/json",
  "x-api-key": "none",
  "anthropic-version": "2023-06-01",
};

/** One request on a connection that is used again; gives what came back, also of a stream that was cut. */
function post(url: string, agent: Agent, body: object): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const sent = request(`${url}/v1/messages`, { method: "POST", agent, headers }, (response) => {
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("error", () => undefined).on("close", () => resolve(text));
    });
    sent.on("error", () => resolve(text)).end(JSON.stringify(body));
  });
}

it("an emulator answers 100,000 requests in memory that does not grow with them", async () => {
  const random = createSeededRandom(seed);
  const clock = createVirtualClock();
  const emulator = await createEmulator({
    clock,
    seed: String(seed),
    script: ({ ordinal }) => {
      if (ordinal % 100 === 0) return fault.overloaded();
      if (ordinal % 250 === 1) return fault.cut({ afterEvent: 3 });
      return [think("So it is."), say(`This is number ${ordinal}.`), callTool("Read", { file_path: "a" })];
    },
  });
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const system = [{ type: "text", text: "Rules. ".repeat(2_000), cache_control: { type: "ephemeral" } }];
  let settledBytes = 0;
  let unexpected = 0;
  const ask = async (number: number) => {
    const content = `${number} ${"words ".repeat(random.below(50))}`;
    const marked = [{ type: "text", text: content, cache_control: { type: "ephemeral" } }];
    const text = await post(emulator.url, agent, {
      ...hello,
      system,
      messages: [{ role: "user", content: marked }],
      stream: random.below(2) === 0,
    });
    if (!/"type":"(?:message|message_stop|error|message_start)"/.test(text)) unexpected += 1;
  };
  const name = "requests to one emulator over keep-alive HTTP";
  await reach({ name, minimum: requests, plenty: requests, share: 0.15 }, async (done) => {
    for (let number = done; number < done + batch; number += atOnce) {
      await Promise.all(Array.from({ length: atOnce }, (_, index) => ask(number + index)));
    }
    await clock.advance(batchMs);
    if (done + batch === settled) settledBytes = heapBytes();
    return batch;
  });
  const grownBytes = heapBytes() - settledBytes;
  const megabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(1);
  console.log(
    `heap ${megabytes(settledBytes)} MB after ${settled}, ${megabytes(grownBytes)} MB more after ${requests}`,
  );
  expect(emulator.requests.total).toBe(requests);
  expect([...emulator.requests]).toHaveLength(1_000);
  agent.destroy();
  await emulator.close();
  expect(unexpected).toBeLessThanOrEqual(requests / 250);
  expect(grownBytes).toBeLessThan(maxGrowthBytes);
});
