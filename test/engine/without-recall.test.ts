import { describe, expect, it } from "vitest";
import { defaultLayers } from "../../packages/core/src/session/default-layers.ts";
import { openSession } from "../../packages/core/src/session/open-session.ts";
import type { Session, Tool } from "../../packages/core/src/spec/index.ts";
import { createVirtualClock } from "../../packages/testing/src/virtual-clock.ts";
import { onePixel } from "../support/images.ts";
import { recall } from "../support/tool-rounds.ts";
import { createVirtualStore, logPath } from "../support/virtual-store.ts";

const bash = { name: "Bash", input_schema: { type: "object" } };
const page = (number: number, chars: number) => `${number}: ${"the quay ".repeat(chars / 9)}`;

/** Of a maker of cars: it gives back nothing of a conversation. */
const vehicleRecall = {
  name: "vehicle_recall",
  input_schema: { type: "object", properties: { model: { type: "string" } } },
};

async function open(...tools: readonly Tool[]): Promise<Session> {
  return openSession({
    store: createVirtualStore(),
    clock: createVirtualClock(),
    id: "one",
    model: "claude-sonnet-4-5",
    layers: defaultLayers(),
    tools: [bash, ...tools],
    settings: { flags: { "session-notes": false, "compact-ahead": false } },
  });
}

async function addRound(session: Session, number: number, chars: number): Promise<void> {
  const id = `call_${number}`;
  const input = { command: `print ${number}` };
  await session.add({ role: "assistant", content: [{ type: "tool_use", id, name: "Bash", input }] });
  const content = [{ type: "tool_result", tool_use_id: id, content: page(number, chars) }];
  await session.add({ role: "user", content });
}

/** Everything that the layers write by themselves, one thing after the other. */
async function textsOf(session: Session): Promise<Readonly<Record<string, string>>> {
  const sent = async () => JSON.stringify((await session.prepare()).request.messages);
  const images = Array.from({ length: 120 }, () => onePixel);
  await session.add({ role: "user", content: [{ type: "text", text: "Print." }, ...images] });
  const withImages = await sent();
  for (let number = 1; number <= 12; number += 1)
    await addRound(session, number, number === 1 ? 60_003 : 9_000);
  const stored = await sent();
  await session.clear({ targetTokens: 1 });
  const cleared = await sent();
  await session.snip();
  const snipped = await sent();
  await session.compact();
  const compacted = await sent();
  await session.close();
  return { withImages, stored, cleared, snipped, compacted };
}

describe("a request", () => {
  it("names the Recall tool where it has one", async () => {
    const texts = await textsOf(await open(recall));
    for (const [name, text] of Object.entries(texts))
      expect([name, /recall/i.test(text)]).toEqual([name, true]);
    expect(Object.values(texts).some((text) => text.includes(logPath("one")))).toBe(false);
  });

  it("with somebody else's tool of such a name does not take it for one", async () => {
    const texts = await textsOf(await open(vehicleRecall));
    for (const [name, text] of Object.entries(texts))
      expect([name, /recall/i.exec(text)]).toEqual([name, null]);
    expect(texts.compacted).toContain(logPath("one"));
  });

  it("without one says where the log is, and names no tool that it does not have", async () => {
    const texts = await textsOf(await open());
    for (const [name, text] of Object.entries(texts))
      expect([name, /recall/i.exec(text)]).toEqual([name, null]);
    for (const name of ["withImages", "cleared", "snipped", "compacted"])
      expect([name, texts[name]?.includes(logPath("one"))]).toEqual([name, true]);
    expect(texts.withImages).toContain(`the API takes · msg_`);
    expect(texts.stored).toContain("Read that path in parts (offset and limit).");
    expect(texts.cleared).toMatch(/bytes · call_\d+ in \/home/);
    expect(texts.snipped).toMatch(/of tool calls\. They are in \/home/);
  });
});
