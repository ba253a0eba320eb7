import { expect, it } from "vitest";
import { defaultLayers } from "../../packages/core/src/session/default-layers.ts";
import { openSession } from "../../packages/core/src/session/open-session.ts";
import type { ContentBlock } from "../../packages/core/src/spec/index.ts";
import { createSeededRandom } from "../../packages/testing/src/index.ts";
import { spread } from "../support/amount.ts";
import { assistant, call, user } from "../support/session-messages.ts";
import { createVirtualStore } from "../support/virtual-store.ts";

const window = 9_000;
/** Parts of the window, from what leaves room to what does not. */
const parts = Array.from({ length: 35 }, (_, at) => 0.66 + 0.002 * at);
const words =
  "alpha kernel river budget sorted lantern copper mirror engine valley packet orbit garden signal".split(
    " ",
  );

function prose(chars: number, seed: number): string {
  const random = createSeededRandom(seed);
  let text = "";
  while (text.length < chars)
    text += `${words[random.below(words.length)]}${random.below(11) === 0 ? ".\n" : " "}`;
  return text.slice(0, chars);
}

/** A conversation that fills the window, and then three results at once. */
async function fill(part: number, charsPerToken: number): Promise<readonly (readonly [string, unknown])[]> {
  const session = await openSession({
    store: createVirtualStore(),
    id: "one",
    model: "claude-opus-4-5",
    system: "C.",
    layers: defaultLayers(),
    settings: { catalog: { capabilities: { "*": { contextWindow: window, maxOutput: 1_500 } } } },
  });
  let number = 0;
  const ask = async (...content: ContentBlock[]) => {
    const { request } = await session.prepare();
    const tokens = (value: unknown) => Math.round(JSON.stringify(value).length / charsPerToken);
    number += 1;
    const usage = {
      input: tokens(request.messages),
      output: tokens(content),
      cacheRead: 0,
      cacheCreation: 0,
    };
    await session.add(assistant(content, { id: `msg_${number}`, usage }));
  };
  const result = (id: string, content: string): ContentBlock => ({
    type: "tool_result",
    tool_use_id: id,
    content,
  });
  for (let turn = 0; turn < 4; turn += 1) {
    await session.add(user([{ type: "text", text: `P${turn} ${prose(window / 4, turn)}` }]));
    for (const name of ["a", "b", "c"]) {
      await ask(call(`${name}${turn}`));
      await session.add(user([result(`${name}${turn}`, prose(window * 0.3, turn + name.length))]));
    }
    await ask({ type: "text", text: `Done ${turn}` });
  }
  await session.add(user([{ type: "text", text: `Now ${prose(window / 5, 9)}` }]));
  const results = [1, 2, 3].map((at) => result(`z${at}`, prose((window * charsPerToken * part) / 3, at)));
  await ask({ type: "text", text: "Reading." }, ...[1, 2, 3].map((at) => call(`z${at}`)));
  await session.add(user(results));
  const { request } = await session.prepare();
  await session.close();
  const sent = request.messages.flatMap(({ content }) => content);
  return sent.flatMap((block) =>
    "tool_use_id" in block
      ? [[block.tool_use_id as string, (block as { readonly content?: unknown }).content] as const]
      : [],
  );
}

it.each([2.3, 2.7])(
  "results near the most that a small window holds are always sent, at %d characters a token",
  async (rate) => {
    const missing: number[] = [];
    for (const part of spread(parts, 12)) {
      const sent = new Set((await fill(part, rate)).map(([id]) => id));
      if (![1, 2, 3].every((at) => sent.has(`z${at}`))) missing.push(part);
    }
    expect(missing).toEqual([]);
  },
);
