import { expect, it } from "vitest";
import { defaultLayers } from "../../packages/core/src/session/default-layers.ts";
import type { Event, Layer, Settings } from "../../packages/core/src/spec/index.ts";
import { gatewayLayers } from "../../packages/palimpsest/src/surfaces/gateway/session/gateway-layers.ts";
import { createVirtualClock } from "../../packages/testing/src/index.ts";
import { assistant, call, user } from "../support/session-messages.ts";
import { beginSession } from "../support/virtual-session.ts";

const rounds = 16;
const recall = { name: "Recall", input_schema: { type: "object", properties: { id: {} } } };

/** What happens in a long conversation whose cache has gone cold. The client has a tool that recalls. */
async function eventsIn(layers: readonly Layer[], settings: Settings): Promise<readonly string[]> {
  const clock = createVirtualClock();
  const events: string[] = [];
  const onEvent = ({ type }: Event) => void events.push(type);
  const session = await beginSession({ layers, settings, clock, onEvent, tools: [recall] });
  await session.add(user("Look at everything."));
  for (let at = 0; at < rounds; at += 1) {
    const thought = {
      type: "text",
      text: `Part ${at}. ${"I have looked at it from all sides. ".repeat(600)}`,
    } as const;
    await session.prepare();
    const usage = { input: 10, output: 5_300, cacheRead: session.usage().count.tokens, cacheCreation: 10 };
    await session.add(assistant([thought, call(`toolu_${at}`)], { id: `msg_${at}`, usage }));
    const content = `line of part ${at}\n`.repeat(500);
    await session.add(user([{ type: "tool_result", tool_use_id: `toolu_${at}`, content }]));
  }
  await clock.advance(3 * 3_600_000);
  await session.prepare();
  await session.close();
  return events;
}

it("a thrifty session is compacted early, and one behind the gateway never: its old results are cleared all the same", async () => {
  const thrifty = { economy: "thrifty" } as const;
  expect(await eventsIn(defaultLayers(), thrifty)).toContain("compaction-end");
  expect(await eventsIn(defaultLayers(), {})).not.toContain("compaction-end");
  const relayed = await eventsIn(gatewayLayers(), thrifty);
  expect(relayed).not.toContain("compaction-end");
  expect(relayed).toContain("results-clear");
});
