import { describe, expect, it } from "vitest";
import type { MeasuredPrompt } from "../wire.ts";
import { measureOutput, measurePrompt } from "./measure-prompt.ts";

type Block = Record<string, unknown>;
const text = (words: string): Block => ({ type: "text", text: words });
const marked = (block: Block, ttl?: string): Block => ({
  ...block,
  cache_control: { type: "ephemeral", ...(ttl && { ttl }) },
});
const base = {
  model: "claude-opus-4-6",
  tools: [{ name: "Read", input_schema: { type: "object" } }],
  system: [text("You are careful.")],
  messages: [
    { role: "user", content: [text("Read a.ts"), text("and b.ts")] },
    { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "Read", input: { path: "a.ts" } }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: [text("export {}")] }] },
  ],
};
const sum = ({ blocks }: MeasuredPrompt) => blocks.reduce((tokens, block) => tokens + block.tokens, 0);
/** Which parts of the prompt have other keys than the base has. */
function changedParts(more: Block): readonly string[] {
  const before = measurePrompt(base).blocks;
  const after = measurePrompt({ ...base, ...more }).blocks;
  const changed = after.filter(({ key }, index) => before[index]?.key !== key).map(({ place }) => place);
  return [...new Set(changed)];
}
function image(width: number, height: number): Block {
  const header = Buffer.alloc(24);
  header.write("\x89PNG\r\n\x1a\n", "latin1");
  header.writeUInt32BE(width, 16);
  header.writeUInt32BE(height, 20);
  return {
    type: "image",
    source: { type: "base64", media_type: "image/png", data: header.toString("base64") },
  };
}
const tokensOf = (block: Block) => measureOutput([block]);

describe("measurePrompt", () => {
  it("lists tools, system and messages in this order, with tokens that add up", () => {
    const prompt = measurePrompt(base);
    expect(prompt.blocks.map(({ place, path }) => `${place} ${path}`)).toEqual([
      "tools tools.0",
      "system system.0",
      "messages messages.0.content.0",
      "messages messages.0.content.1",
      "messages messages.1.content.0",
      "messages messages.2.content.0",
    ]);
    expect(sum(prompt)).toBe(prompt.tokens);
    expect(new Set(prompt.blocks.map(({ key }) => key)).size).toBe(6);
  });

  it("counts bytes by a ratio between 2.2 and 3.4 that differs from block to block", () => {
    const ratios = Array.from({ length: 300 }, (_, index) => {
      const words = `${index} ${"é".repeat(5_000)}`;
      return Buffer.byteLength(words) / tokensOf(text(words));
    });
    expect(Math.min(...ratios)).toBeGreaterThan(2.19);
    expect(Math.max(...ratios)).toBeLessThan(3.41);
    expect(Math.max(...ratios) - Math.min(...ratios)).toBeGreaterThan(1);
  });

  it("counts an image by its pixels, within bounds, and never by its base64", () => {
    const marker = tokensOf(image(1, 1));
    expect(tokensOf(image(750, 100)) - marker).toBeGreaterThan(80);
    expect(tokensOf(image(750, 100)) - marker).toBeLessThan(120);
    expect(tokensOf(image(8_000, 8_000))).toBeLessThan(1_600 + 60);
    const data = Buffer.alloc(300_000).toString("base64");
    const stand = { type: "image", source: { type: "base64", media_type: "image/png", data } };
    expect(tokensOf(stand)).toBeLessThan(1_600 + 60);
  });

  it("counts and names a prompt the same whatever its markers, its order of fields and its shorthands", () => {
    const plain = measurePrompt(base);
    const same = measurePrompt({
      ...base,
      tools: [{ input_schema: { type: "object" }, name: "Read", cache_control: { type: "ephemeral" } }],
      system: "You are careful.",
      messages: [
        {
          role: "user",
          content: [marked({ text: "Read a.ts", type: "text" }), { ...text("and b.ts"), citations: null }],
        },
        base.messages[1],
        {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: "t1", content: [marked(text("export {}"))] }],
        },
      ],
    });
    const bare = ({ blocks, ...rest }: MeasuredPrompt) => ({
      ...rest,
      blocks: blocks.map(({ breakpoint, ...block }) => block),
    });
    expect(bare(same)).toEqual(bare(plain));
  });

  it("keeps a marker's name inside a tool's input: there it is data", () => {
    const withInput = (input: Block) =>
      measurePrompt({
        ...base,
        messages: [{ role: "user", content: [{ type: "tool_use", id: "t", name: "n", input }] }],
      });
    expect(withInput({ cache_control: 1 }).tokens).toBeGreaterThan(withInput({}).tokens);
  });

  it.each<[string, Block, readonly string[]]>([
    ["the model", { model: "claude-opus-4-5" }, ["tools", "system", "messages"]],
    [
      "tools",
      { tools: [{ name: "Write", input_schema: { type: "object" } }] },
      ["tools", "system", "messages"],
    ],
    ["system", { system: [text("You are quick.")] }, ["system", "messages"]],
    ["the tool choice", { tool_choice: { type: "any" } }, ["messages"]],
    ["thinking", { thinking: { type: "enabled", budget_tokens: 2_000 } }, ["messages"]],
    [
      "the presence of images",
      {
        messages: [
          ...base.messages.slice(0, 2),
          { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: [image(1, 1)] }] },
        ],
      },
      ["messages"],
    ],
    [
      "nothing that the model does not see",
      {
        max_tokens: 7,
        metadata: { user_id: "u" },
        stream: true,
        thinking: { type: "disabled" },
        temperature: 0.5,
      },
      [],
    ],
  ])("keys %s where the API does", (_, more, parts) => {
    expect(changedParts(more)).toEqual(parts);
  });

  it("keys only what comes at or behind a changed block", () => {
    const messages = [
      base.messages[0],
      base.messages[1],
      { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "other" }] },
    ];
    const before = measurePrompt(base).blocks;
    const after = measurePrompt({ ...base, messages }).blocks;
    expect(after.map(({ key }, index) => key === before[index]?.key)).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
    ]);
  });

  it("tells breakpoints: on tools, system, blocks and inside results", () => {
    const prompt = measurePrompt({
      ...base,
      tools: [marked(base.tools[0] as Block, "1h")],
      system: [marked(text("x"))],
      messages: [
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "t", content: [marked(text("y"), "5m")] },
            { ...text("z"), cache_control: null },
          ],
        },
      ],
    });
    expect(prompt.blocks.map(({ breakpoint }) => breakpoint)).toEqual(["1h", "5m", "5m", undefined]);
  });

  it("puts automatic caching on the last block that can be marked, unless it is", () => {
    const messages = [
      { role: "user", content: [text("a")] },
      { role: "assistant", content: [text("b"), { type: "thinking", thinking: "c", signature: "s" }] },
    ];
    const automatic = measurePrompt({
      model: "m",
      messages,
      cache_control: { type: "ephemeral", ttl: "1h" },
    });
    expect(automatic.blocks.map(({ breakpoint }) => breakpoint)).toEqual([undefined, "1h", undefined]);
    const own = measurePrompt({
      model: "m",
      messages: [{ role: "user", content: [marked(text("a"))] }],
      cache_control: { type: "ephemeral", ttl: "1h" },
    });
    expect(own.blocks.map(({ breakpoint }) => breakpoint)).toEqual(["5m"]);
  });

  it("counts what was written as it counts what is sent back", () => {
    const content = [{ type: "thinking", thinking: "hm", signature: "s" }, text("done")];
    const before = measurePrompt(base).tokens;
    const after = measurePrompt({
      ...base,
      messages: [...base.messages, { role: "assistant", content }],
    }).tokens;
    expect(after - before).toBe(measureOutput(content) + 5);
  });

  it("takes any body", () => {
    expect(
      measurePrompt({ messages: [null, 3, { content: [null] }], tools: "x", system: 4 }).tokens,
    ).toBeGreaterThan(0);
    expect(measurePrompt({})).toMatchObject({ blocks: [], tokens: 0 });
  });
});
