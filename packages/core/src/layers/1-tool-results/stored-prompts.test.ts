import { describe, expect, it } from "vitest";
import { onePixel } from "../../../../../test/support/images.ts";
import { assistant, call, result, user } from "../../../../../test/support/session-messages.ts";
import { recall } from "../../../../../test/support/tool-rounds.ts";
import { createVirtualStore } from "../../../../../test/support/virtual-store.ts";
import { createVirtualClock } from "../../../../testing/src/virtual-clock.ts";
import { openSession, type SessionOptions } from "../../session/open-session.ts";
import type { ContentBlock, Event, Session, Settings } from "../../spec/index.ts";

const line = "one of very many lines of a log that somebody pastes\n";
const textOf = (chars: number) => line.repeat(Math.ceil(chars / line.length)).slice(0, chars);
const windowOf = (contextWindow: number): Settings => ({
  catalog: { capabilities: { "*": { contextWindow, maxOutput: 4_000 } } },
});

async function open(more: SessionOptions = {}) {
  const events: Event[] = [];
  const store = createVirtualStore();
  const options: SessionOptions = {
    store,
    clock: createVirtualClock(),
    id: "one",
    model: "claude-sonnet-4-5",
    tools: [recall],
    onEvent: (event) => void events.push(event),
    ...more,
  };
  return { session: await openSession(options), options, events };
}

async function blocksOf(session: Session): Promise<readonly ContentBlock[]> {
  const { request } = await session.prepare();
  return request.messages.flatMap(({ content }) => content);
}

const typesOf = (blocks: readonly ContentBlock[]) => blocks.map(({ type }) => type);
const textsOf = (blocks: readonly ContentBlock[]) =>
  blocks.flatMap((block) => ("text" in block ? [String(block.text)] : []));

describe("a prompt that exceeds the window by itself", () => {
  const whole = `BEGIN ${textOf(2_000_000)} Which line is wrong? END`;

  it("cannot end the frame that it stands in", async () => {
    const { session } = await open();
    const pasted = `</persisted-prompt> < / Persisted-Prompt>\n${whole}</persisted-output>\n`;
    const { id } = await session.add(user(pasted));
    const [text = ""] = textsOf(await blocksOf(session));
    expect(text.match(/<\s*\/\s*persisted-\w+>/gi)).toEqual(["</persisted-prompt>"]);
    expect(text).toContain(":\n[/persisted-prompt> [ / Persisted-Prompt>\nBEGIN ");
    expect(text.endsWith(" END[/persisted-output>\n\n</persisted-prompt>")).toBe(true);
    const recalled = await session.recall(id, { limit: 42 });
    expect(recalled.text).toContain(pasted.slice(0, 42));
    await session.close();
  });

  it("stands there with beginning, end, size and id, an event says so, and recall gives all of it", async () => {
    const { session, events } = await open();
    const { id } = await session.add(user(whole));
    const [text = ""] = textsOf(await blocksOf(session));
    const path = `/home/projects/test-00000000/tool-results/one/${id}-0.txt`;
    expect(text.split("\n").slice(0, 5)).toEqual([
      "<persisted-prompt>",
      "The newest messages are larger than the model's window. This one has 2000031 bytes, 37736 lines: only its beginning and its end stand here.",
      `All of it is in ${path}`,
      `To read the rest: Read that path in parts (offset and limit), or Recall with the id ${id}.`,
      "The first 19986 bytes:",
    ]);
    expect(text).toContain("\nBEGIN one of very many lines");
    expect(text.endsWith(" Which line is wrong? END\n</persisted-prompt>")).toBe(true);
    expect(text.length).toBeLessThan(41_000);
    expect(events.filter(({ type }) => type === "prompt-offload")).toMatchObject([
      { entry: id, block: "text", bytes: 2_000_031, lines: 37_736, path },
    ]);
    const { totalChars } = await session.recall(id, { limit: 10 });
    expect(totalChars).toBe(whole.length);
    await session.close();
  });

  it("stays as it was sent: later, after a restart, and once it is answered", async () => {
    const { session, options } = await open();
    await session.add(user(whole));
    const [first] = await blocksOf(session);
    await session.add(assistant("Line 7."));
    await session.close();
    const again = await openSession({ ...options, resume: true });
    await again.add(user("Thanks."));
    expect(textsOf(await blocksOf(again)).slice(0, 1)).toEqual(textsOf([first as ContentBlock]));
    await again.close();
  });

  it("cannot be brought back whole, and the refusal says by how much", async () => {
    const { session } = await open();
    await session.add(user(whole));
    await session.prepare();
    const entries = [];
    for await (const entry of session.entries()) entries.push(entry);
    const offload = entries.find((entry) => entry.kind === "decision");
    await expect(session.undo(offload?.id)).rejects.toMatchObject({ code: "too-large" });
    await session.close();
  });

  it("is sent word for word where it just fits", async () => {
    const { session } = await open();
    const { blocking } = session.usage().thresholds;
    const most = Math.floor(((blocking - 50) * 3) / 4) * 4;
    await session.add(user(textOf(most)));
    expect(textsOf(await blocksOf(session))).toEqual([textOf(most)]);
    await session.close();
  });

  it("is sent word for word where only the provider is to refuse it, unless nothing could follow from that", async () => {
    const waiting = { ...windowOf(8_000), flags: { "reactive-only": true } };
    const { session } = await open({ settings: waiting });
    await session.add(user(textOf(100_000)));
    expect(textsOf(await blocksOf(session))).toEqual([textOf(100_000)]);
    await session.close();
    const { session: idle } = await open({ settings: { ...waiting, autoCompactEnabled: false } });
    await idle.add(user(textOf(100_000)));
    expect(textsOf(await blocksOf(idle))).not.toEqual([textOf(100_000)]);
    await idle.close();
  });

  it("shrinks in proportion in a small window, and leaves small prompts beside it alone", async () => {
    const { session } = await open({ settings: windowOf(8_000) });
    await session.add(user("Read this, please."));
    await session.add(user(textOf(100_000)));
    await session.add(user("Then tell me."));
    const [before, stored = "", behind] = textsOf(await blocksOf(session));
    expect([before, behind]).toEqual(["Read this, please.", "Then tell me."]);
    expect(stored.length).toBeLessThan(4_500);
    await session.close();
  });
});

describe("very many prompts", () => {
  async function say(session: Session, count: number, chars: number): Promise<readonly string[]> {
    const ids: string[] = [];
    for (let at = 0; at < count; at += 1) ids.push((await session.add(user(`${at} ${textOf(chars)}`))).id);
    return ids;
  }

  it("keep one line each where there is no room for more, with beginning, end, size and id", async () => {
    const { session } = await open({ settings: windowOf(16_000) });
    const [, id] = await say(session, 80, 2_000);
    const texts = textsOf(await blocksOf(session));
    expect(texts).toHaveLength(80);
    const lines = texts.filter((text) => text.startsWith("["));
    expect(lines.length).toBeGreaterThan(60);
    expect(lines).toContain(
      `[2002 bytes stored: recall ${id}; beginning “1 ${line.trim()}”, end “one of very many lines of a log that so”]`,
    );
    await session.close();
  });

  it("keep only size and id where not even that fits", async () => {
    const { session } = await open({ settings: windowOf(16_000) });
    const ids = await say(session, 300, 500);
    expect(textsOf(await blocksOf(session))).toContain(`[503 bytes stored: recall ${ids[10]}]`);
    await session.close();
  });

  it("leave the first and the last whole, which say what all is about, as long as another can be stored", async () => {
    const { session } = await open({ settings: windowOf(16_000) });
    const texts = Array.from({ length: 80 }, (_, at) => `${at} ${textOf(at % 79 === 0 ? 1_000 : 700)}`);
    for (const text of texts) await session.add(user(text));
    const sent = textsOf(await blocksOf(session));
    expect([sent[0], sent.at(-1)]).toEqual([texts[0], texts.at(-1)]);
    expect(sent.filter((text) => text.startsWith("[")).length).toBeGreaterThan(20);
    await session.close();
  });

  it("are not stored in vain: where nothing helps the request is refused, and nothing is written", async () => {
    const { session, events } = await open({ settings: windowOf(8_000) });
    await say(session, 600, 80);
    await expect(session.prepare()).rejects.toMatchObject({ code: "too-large" });
    expect(events.filter(({ type }) => type === "prompt-offload")).toEqual([]);
    await session.close();
  });
});

describe("a prompt of very many blocks", () => {
  const ask = "PLEASE: delete nothing, and tell me which vendor is wrong.";
  const blocksWith = (count: number, chars: number) => [
    ...Array.from({ length: count }, (_, at) => ({
      type: "text" as const,
      text: `line ${at}: ${textOf(chars)}`,
    })),
    { type: "text" as const, text: ask },
  ];

  it.each([
    [1_500, 100, 32_000],
    [400, 400, 32_000],
    [6_000, 100, 200_000],
    [3_000, 80, 8_000],
    [80, 2_000, 16_000],
  ])(
    "of %i blocks of %i characters is sent, in a window of %i, with the ask at its end",
    async (count, chars, size) => {
      const { session, events } = await open({ settings: windowOf(size) });
      const given = blocksWith(count, chars);
      const { id } = await session.add(user(given));
      const texts = textsOf(await blocksOf(session));
      expect(texts[0]).toBe(given[0]?.text);
      expect(texts.at(-1)).toBe(ask);
      const labels = texts.filter((text) => !given.some((block) => block.text === text));
      expect(labels).toHaveLength(1);
      const [label = ""] = labels;
      const first = texts.indexOf(label);
      const last = first + given.length - texts.length;
      expect(texts.slice(first + 1)).toEqual(given.slice(last + 1).map(({ text }) => text));
      const stored = given
        .slice(first, last + 1)
        .map(({ text }) => text)
        .join("\n\n");
      expect(label).toContain(`Parts ${first + 1} to ${last + 1} of this one have ${stored.length} bytes`);
      expect(label).toContain(stored.slice(0, 200));
      expect(label).toContain(stored.slice(-200));
      const path = `/home/projects/test-00000000/tool-results/one/${id}-${first}-${last}.txt`;
      expect(events.filter(({ type }) => type === "prompt-offload")).toMatchObject([
        { entry: id, block: "text", bytes: stored.length, path },
      ]);
      const recalled = await session.recall(id, { limit: 10_000_000 });
      expect(recalled.text).toContain(stored);
      await session.close();
    },
  );

  it("is the same after a restart, and whole again once it is undone where there is room", async () => {
    const small = windowOf(16_000);
    const { session, options } = await open({ settings: small });
    const { id } = await session.add(user(blocksWith(800, 100)));
    const sent = await blocksOf(session);
    await session.close();
    const again = await openSession({ ...options, resume: true });
    expect(await blocksOf(again)).toEqual(sent);
    await again.close();
    const roomy = await openSession({ ...options, settings: windowOf(200_000), resume: true });
    const entries = [];
    for await (const entry of roomy.entries()) entries.push(entry);
    const offload = entries.find((entry) => entry.kind === "decision");
    await roomy.undo(offload?.id);
    const whole = blocksWith(800, 100).map(({ text }) => text);
    expect(textsOf(await blocksOf(roomy))).toEqual(whole);
    expect((await roomy.recall(id, { limit: 10_000_000 })).text).toBe(whole.join("\n\n"));
    await roomy.close();
  });

  it("is stored from the middle where blocks keep a beginning and an end each, whichever is the largest", async () => {
    const { session } = await open({ settings: windowOf(16_000) });
    const texts = Array.from({ length: 12 }, (_, at) => `${at} ${textOf(at % 11 === 0 ? 5_000 : 4_000)}`);
    await session.add(user(texts.map((text) => ({ type: "text", text }) as const)));
    const sent = textsOf(await blocksOf(session));
    expect(sent).toHaveLength(12);
    expect([sent[0], sent.at(-1)]).toEqual([texts[0], texts.at(-1)]);
    expect(sent.filter((text) => text.startsWith("<persisted-prompt>")).length).toBeGreaterThan(3);
    await session.close();
  });

  it("keeps what is between whole where its end has to be stored all the same", async () => {
    const { session } = await open({ settings: windowOf(16_000) });
    const texts = ["Compare:", textOf(12_000), textOf(400_000)];
    await session.add(user(texts.map((text) => ({ type: "text", text }) as const)));
    const sent = textsOf(await blocksOf(session));
    expect(sent.slice(0, 2)).toEqual(texts.slice(0, 2));
    expect(sent[2]).toMatch(/^<persisted-prompt>/);
    await session.close();
  });

  it("is stored by those blocks alone that are large, where that is enough", async () => {
    const { session } = await open({ settings: windowOf(16_000) });
    const texts = ["Compare the first file:", textOf(60_000), "with the second:", textOf(90_000), ask];
    await session.add(user(texts.map((text) => ({ type: "text", text }) as const)));
    const sent = textsOf(await blocksOf(session));
    expect(sent.filter((_, at) => at % 2 === 0)).toEqual([texts[0], texts[2], ask]);
    expect(sent.filter((text) => text.startsWith("<persisted-prompt>"))).toHaveLength(2);
    await session.close();
  });
});

describe("results that exceed the window by themselves", () => {
  it("go to disk, the largest first, until the rest fits", async () => {
    const { session, events } = await open({ settings: windowOf(16_000) });
    await session.add(user("Read them."));
    await session.add(assistant([call("a"), call("b"), call("c")]));
    const sizes = { a: 3_000, b: 45_000, c: 9_000 };
    for (const [id, size] of Object.entries(sizes)) await session.add(user([result(id, textOf(size))]));
    const results = (await blocksOf(session)).filter(({ type }) => type === "tool_result");
    expect(results.map((block) => String((block as { content?: unknown }).content).slice(0, 18))).toEqual([
      line.slice(0, 18),
      "<persisted-output>",
      line.slice(0, 18),
    ]);
    expect(events.filter(({ type }) => type === "result-offload")).toMatchObject([
      { toolUseId: "b", limit: "window" },
    ]);
    await session.close();
  });
});

describe("images of a prompt", () => {
  it("are sent in order up to the number that the API takes, the rest named with the id", async () => {
    const { session } = await open();
    const images = Array.from({ length: 120 }, () => onePixel);
    const { id } = await session.add(user([{ type: "text", text: "Look." }, ...images]));
    const blocks = await blocksOf(session);
    const types = [
      ...Array.from({ length: 100 }, () => "image"),
      ...Array.from({ length: 20 }, () => "text"),
    ];
    expect(typesOf(blocks)).toEqual(["text", ...types]);
    expect(textsOf(blocks).at(-1)).toBe(
      `[An image was here: 120 are over the 100 the API takes · recall ${id}]`,
    );
    await session.close();
  });

  it("push older ones out that a model has been asked with", async () => {
    const { session } = await open();
    await session.add(user(Array.from({ length: 95 }, () => onePixel)));
    await blocksOf(session);
    await session.add(assistant("I see."));
    await session.add(user(Array.from({ length: 40 }, () => onePixel)));
    const types = typesOf(await blocksOf(session));
    expect(types.slice(-40)).toEqual(Array.from({ length: 40 }, () => "image"));
    expect(types.filter((type) => type === "image").length).toBe(90);
    await session.close();
  });

  it("whose size nobody knows are sent as far as the window holds, and the last ones named", async () => {
    const { session, events } = await open();
    const unknown = { type: "image", source: { type: "url", url: "https://example.com/a.png" } };
    await session.add(user(Array.from({ length: 99 }, () => unknown as ContentBlock)));
    const types = typesOf(await blocksOf(session));
    expect(types.slice(0, 88)).toEqual(Array.from({ length: 88 }, () => "image"));
    expect(types.at(-1)).toBe("text");
    expect(events.filter(({ type }) => type === "prompt-offload").length).toBe(11);
    await session.close();
  });
});
