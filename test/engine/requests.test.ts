import { describe, expect, it } from "vitest";
import type { SessionOptions } from "../../packages/core/src/session/open-session.ts";
import { compaction, decidingOnce } from "../support/acting-layer.ts";
import {
  assistant,
  call,
  result,
  texts,
  usageOf,
  user,
  withoutControl,
} from "../support/session-messages.ts";
import { beginSession } from "../support/virtual-session.ts";

const marker = { cache_control: { type: "ephemeral" } };

async function requestOf(options: SessionOptions) {
  const session = await beginSession(options);
  await session.add(user("Hello."));
  const { request } = await session.prepare();
  await session.close();
  return request;
}

describe("a request", () => {
  it("names betas only where there are any: a plain client refuses the field", async () => {
    expect(await requestOf({})).not.toHaveProperty("betas");
    expect(await requestOf({ request: { betas: ["one"] } })).toMatchObject({ betas: ["one"] });
  });

  it("has the session's markers and not the caller's, of which the API takes four", async () => {
    const system = [{ type: "text", text: "Be brief.", ...marker } as const];
    const session = await beginSession({ system });
    for (let turn = 0; turn < 6; turn += 1) {
      await session.add(user([{ type: "text", text: `Question ${turn}.`, ...marker }]));
      const { request } = await session.prepare();
      expect(JSON.stringify(request).match(/cache_control/g)?.length).toBeLessThanOrEqual(4);
      await session.add(assistant([{ type: "text", text: `Answer ${turn}.`, ...marker }]));
    }
    await session.close();
  });

  it("is not made of nothing", async () => {
    const session = await beginSession();
    await expect(session.prepare()).rejects.toMatchObject({
      code: "invalid-input",
      fix: "Add a message first.",
    });
    await session.close();
  });

  it.each<[string, SessionOptions["system"]]>([
    ["an empty text", ""],
    ["a blank text", "  \n"],
    ["no blocks", []],
    ["a block of blank text", [{ type: "text", text: " " }]],
  ])("has no system prompt where it is %s", async (_, system) => {
    expect(await requestOf({ system })).not.toHaveProperty("system");
  });

  it("has whole characters everywhere", async () => {
    const half = "half \ud83d";
    const tools = [{ name: "Read", description: half, input_schema: { title: half } }];
    const session = await beginSession({ system: half, tools });
    await session.add(user(half));
    await session.add(assistant([call("t1", { q: half })]));
    await session.add(user([result("t1", half)]));
    const { request } = await session.prepare();
    expect(JSON.stringify(request)).not.toContain("\\ud83d");
    expect(JSON.stringify(request).match(/half \ufffd/g)).toHaveLength(6);
    await session.close();
  });

  it("has of a tool what the API knows", async () => {
    const definition = { name: "Read", input_schema: { type: "object" } };
    const tool = { ...definition, maxResultChars: 5, isReadOnly: true };
    expect((await requestOf({ tools: [tool] })).tools).toEqual([
      { ...definition, cache_control: { type: "ephemeral", ttl: "5m" } },
    ]);
  });

  it.each(["claude-sonnet-4-5[1m]", "claude-sonnet-4-5[1M]", "claude-sonnet-4-5[1m] "])(
    "names the model alone, not the window asked for: “%s”",
    async (model) => {
      expect(await requestOf({ model })).toMatchObject({
        model: "claude-sonnet-4-5",
        betas: ["context-1m-2025-08-07"],
      });
    },
  );

  it("has a text in place of an image whose base64 text is over the limit", async () => {
    const data = Buffer.alloc(4_500_000, 1).toString("base64");
    const session = await beginSession();
    await session.add(user([{ type: "image", source: { type: "base64", media_type: "image/png", data } }]));
    const { request, report } = await session.prepare();
    expect(report.repairs).toEqual(["replace-block"]);
    expect(request.messages[0]?.content).toMatchObject([{ type: "text" }]);
    await session.close();
  });

  it("has a late result as text behind what was sent", async () => {
    const session = await beginSession();
    await session.add(user("Hello."));
    await session.add(assistant([call("t1")]));
    await session.add(user("Never mind."));
    const before = await session.prepare();
    await session.add(user([result("t1", "late")]));
    const after = await session.prepare();
    expect(after.report).toMatchObject({ sharedBlocks: before.report.blocks, repairs: ["to-text"] });
    expect(after.request.messages.at(-1)?.content.at(-1)).toMatchObject({
      type: "text",
      text: expect.stringContaining("late"),
    });
    await session.close();
  });

  it("has frozen blocks: whoever edits one of them in place is told so", async () => {
    const session = await beginSession();
    await session.add(user("One."));
    await session.add(assistant("Well."));
    await session.add(user("Two."));
    const { request } = await session.prepare();
    const block = request.messages[1]?.content[0] as { text: string };
    expect(() => {
      block.text = "edited";
    }).toThrow(TypeError);
    const marked = request.messages.at(-1)?.content[0] as { text: string };
    marked.text = "edited";
    expect(withoutControl((await session.prepare()).request)).toEqual(texts("One.", "Well.", "Two."));
    await session.close();
  });
});

describe("a request that is too large", () => {
  it("is not made, and the system prompt counts", async () => {
    const session = await beginSession({ system: "word ".repeat(1_000_000) });
    await session.add(user("Hello."));
    const { tokens } = session.usage().count;
    await expect(session.prepare()).rejects.toMatchObject({
      code: "too-large",
      facts: { tokens, limit: 177_000 },
    });
    await session.close();
  });

  it("is not made behind the blocking limit that was set", async () => {
    const session = await beginSession({ settings: { blockingLimit: 10 } });
    await session.add(user("word ".repeat(100)));
    expect(session.usage().level).toBe("blocking");
    await expect(session.prepare()).rejects.toMatchObject({ code: "too-large", facts: { limit: 10 } });
    await session.close();
  });

  it("is not made either behind a response whose usage is 0", async () => {
    const session = await beginSession();
    await session.add(user("word ".repeat(1_000_000)));
    await session.add(assistant("Well.", { usage: usageOf(0, 0) }));
    await expect(session.prepare()).rejects.toMatchObject({ code: "too-large" });
    await session.close();
  });
});

describe("the count", () => {
  it("has the system prompt in it also behind a compaction", async () => {
    const session = await beginSession({
      system: "word ".repeat(40_000),
      layers: [decidingOnce(compaction)],
    });
    await session.add(user("One."));
    await session.add(assistant("Well.", { usage: usageOf(60_000) }));
    await session.add(user("Two."));
    const { request, report } = await session.prepare();
    expect(withoutControl(request)).toEqual(texts("what happened"));
    expect(report.count.tokens).toBeGreaterThan(10_000);
    await session.close();
  });
});

describe("recall", () => {
  it.each<[string, string, number | undefined]>([
    ["a page as it is", `${"x".repeat(49_999)}😀${"y".repeat(10)}`, undefined],
    ["pages of one character", "a😀b😀😀c", 1],
    ["pages of two characters", "a😀b😀😀c", 2],
    ["pages of three characters", "a😀b😀😀c", 3],
  ])("gives pages that are the whole when put together: %s", async (_, whole, limit) => {
    const session = await beginSession();
    const { id } = await session.add(user(whole));
    const pages: string[] = [];
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const page = await session.recall(id, { offset, limit });
      expect(page).toMatchObject({ offset, totalChars: whole.length });
      pages.push(page.text);
      offset = page.nextOffset;
    }
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.join("")).toBe(whole);
    await session.close();
  });

  it.each([
    [{ offset: -5, limit: 3 }, "offset"],
    [{ offset: Number.NaN }, "offset"],
    [{ offset: 3.5 }, "offset"],
    [{ limit: Number.NaN }, "limit"],
    [{ limit: -1 }, "limit"],
    [{ limit: 0 }, "limit"],
  ])("refuses what names no page: %j", async (page, path) => {
    const session = await beginSession();
    const { id } = await session.add(user("0123456789"));
    await expect(session.recall(id, page)).rejects.toMatchObject({ code: "invalid-input", path });
    await session.close();
  });

  it("behind the end gives nothing, and says where the end is", async () => {
    const session = await beginSession();
    const { id } = await session.add(user("0123456789"));
    expect(await session.recall(id, { offset: 100 })).toEqual({
      id,
      kind: "entry",
      text: "",
      offset: 10,
      totalChars: 10,
    });
    await session.close();
  });
});
