import { describe, expect, it } from "vitest";
import { measurePrompt } from "../request/measure-prompt.ts";
import type { WireBody } from "../wire.ts";
import { clearedResult } from "./clear-tool-uses.ts";
import { editRequest } from "./edit-request.ts";

type Block = Readonly<Record<string, unknown>>;

const text = (words: string): Block => ({ type: "text", text: words });
const user = (...content: Block[]) => ({ role: "user", content });
const assistant = (...content: Block[]) => ({ role: "assistant", content });
const thought = (turn: number): Block => ({
  type: "thinking",
  thinking: `Thought ${turn} ${"hm ".repeat(100)}`,
  signature: "s",
});
const call = (turn: number, name: string): Block => ({
  type: "tool_use",
  id: `t${turn}`,
  name,
  input: { path: `${turn}.ts` },
});
const result = (turn: number, content: unknown = `Result ${turn} ${"x".repeat(1_000)}`): Block => ({
  type: "tool_result",
  tool_use_id: `t${turn}`,
  content,
});

/** A question, then a round for each name. Thinking and calls of round n are in message 2n - 1, its result in 2n. */
function rounds(names: readonly string[], edits: readonly Block[] = []): WireBody {
  return {
    model: "claude-opus-4-6",
    context_management: { edits },
    messages: [
      user(text("Look.")),
      ...names.flatMap((name, index) => [
        assistant(thought(index + 1), call(index + 1, name)),
        user(result(index + 1)),
      ]),
    ],
  };
}
const five = ["Read", "Bash", "Read", "Grep", "Read"];
const clear = (more: object = {}): Block => ({
  type: "clear_tool_uses_20250919",
  trigger: { type: "tool_uses", value: 1 },
  ...more,
});
const uses = (value: number) => ({ type: "tool_uses", value });
const tokens = (value: number) => ({ type: "input_tokens", value });
const blocksOf = (body: WireBody) =>
  (body.messages as { content: readonly Block[] }[]).flatMap((m) => m.content);
const clearedIn = (body: WireBody) =>
  blocksOf(body).flatMap((block) => (block.content === clearedResult ? block.tool_use_id : []));
const size = measurePrompt(rounds(five)).tokens;

describe("clear_tool_uses_20250919", () => {
  it.each<[string, Block, readonly string[]]>([
    ["clears all but the newest three by default", clear(), ["t1", "t2"]],
    ["needs more than 100,000 tokens by default", { type: "clear_tool_uses_20250919" }, []],
    ["does nothing at its trigger of tool uses", clear({ trigger: uses(5) }), []],
    ["acts over its trigger of tool uses", clear({ trigger: uses(4) }), ["t1", "t2"]],
    ["does nothing at its trigger of tokens", clear({ trigger: tokens(size) }), []],
    ["acts one token over its trigger", clear({ trigger: tokens(size - 1) }), ["t1", "t2"]],
    ["keeps as many as there are", clear({ keep: uses(5) }), []],
    ["keeps more than there are", clear({ keep: uses(50) }), []],
    ["keeps none", clear({ keep: uses(0) }), ["t1", "t2", "t3", "t4", "t5"]],
    ["spares excluded tools", clear({ keep: uses(1), exclude_tools: ["Read"] }), ["t2", "t4"]],
    [
      "counts excluded tools among the newest",
      clear({ keep: uses(3), exclude_tools: ["Grep"] }),
      ["t1", "t2"],
    ],
    ["has nothing to clear but excluded tools", clear({ exclude_tools: ["Read", "Bash"] }), []],
    ["clears nothing where too little would go", clear({ clear_at_least: tokens(10_000) }), []],
    ["clears where enough goes", clear({ clear_at_least: tokens(100) }), ["t1", "t2"]],
    [
      "takes null for a default",
      clear({ clear_at_least: null, exclude_tools: null, clear_tool_inputs: null }),
      ["t1", "t2"],
    ],
  ])("%s", (_, edit, expected) => {
    const { body, prompt, applied, originalTokens } = editRequest(rounds(five, [edit]));
    expect(clearedIn(body)).toEqual(expected);
    expect(prompt).toEqual(measurePrompt(body));
    expect(originalTokens).toBe(size);
    expect(applied).toEqual(
      expected.length === 0
        ? []
        : [
            {
              type: "clear_tool_uses_20250919",
              cleared_tool_uses: expected.length,
              cleared_input_tokens: size - prompt.tokens,
            },
          ],
    );
  });

  it("clears exactly what it must at the edge of clear_at_least", () => {
    const cleared = size - editRequest(rounds(five, [clear()])).prompt.tokens;
    const at = (value: number) =>
      editRequest(rounds(five, [clear({ clear_at_least: tokens(value) })])).applied;
    expect(at(cleared)).toHaveLength(1);
    expect(at(cleared + 1)).toEqual([]);
  });

  it.each<[unknown, readonly string[]]>([
    [true, ["t1", "t2"]],
    [false, []],
    [["Bash"], ["t2"]],
  ])("with clear_tool_inputs %j empties the inputs of cleared calls only", (inputs, expected) => {
    const { body } = editRequest(rounds(five, [clear({ clear_tool_inputs: inputs })]));
    const emptied = blocksOf(body).filter(
      ({ type, input }) => type === "tool_use" && !Object.keys(input as object).length,
    );
    expect(emptied.map(({ id }) => id)).toEqual(expected);
  });

  it("leaves everything else, and the request that was sent, as they are", () => {
    const sent = rounds(five, [clear({ keep: uses(4) })]);
    const copy = structuredClone(sent);
    const { body } = editRequest(sent);
    expect(sent).toEqual(copy);
    expect(body).toEqual({
      ...sent,
      messages: (sent.messages as object[]).with(2, user(result(1, clearedResult))),
    });
  });

  it("changes keys from the first cleared block on, and the same keys each time", () => {
    const edit = () => editRequest(rounds(five, [clear({ exclude_tools: ["Read"] })])).prompt.blocks;
    const plain = editRequest(rounds(five)).prompt.blocks;
    const first = edit().find(({ key }, index) => key !== plain[index]?.key);
    expect(first?.path).toBe("messages.4.content.0");
    expect(edit()).toEqual(edit());
  });

  it("keeps the breakpoint of a marker inside a cleared result", () => {
    const control = { cache_control: { type: "ephemeral", ttl: "1h" } };
    const sent = rounds(five, [clear()]);
    const messages = (sent.messages as object[]).with(
      2,
      user(result(1, [{ ...text("inside"), ...control }])),
    );
    const { blocks } = editRequest({ ...sent, messages }).prompt;
    expect(
      blocks.filter(({ breakpoint }) => breakpoint).map(({ path, breakpoint }) => [path, breakpoint]),
    ).toEqual([["messages.2.content.0", "1h"]]);
  });
});

describe("clear_thinking_20251015", () => {
  /** Three turns: the first has two rounds, the second no thinking. */
  const turns = (...edits: Block[]): WireBody => ({
    ...rounds([], edits),
    messages: [
      user(text("One.")),
      assistant(thought(1), call(1, "Read")),
      user(result(1)),
      assistant(thought(2), text("So.")),
      user(text("Two.")),
      assistant(text("Yes.")),
      user(text("Three.")),
      assistant({ type: "redacted_thinking", data: "d" }, call(2, "Read")),
      user(result(2)),
    ],
  });
  const edit = (keep?: unknown): Block => ({
    type: "clear_thinking_20251015",
    ...(keep !== undefined && { keep }),
  });
  const thinkingIn = (body: WireBody) =>
    blocksOf(body).flatMap(({ type, thinking }) =>
      type === "thinking" ? String(thinking).slice(0, 9) : type === "redacted_thinking" ? "redacted" : [],
    );
  const all = ["Thought 1", "Thought 2", "redacted"];

  it.each<[string, unknown, readonly string[]]>([
    ["the newest turn by default", undefined, ["redacted"]],
    ["one turn", { type: "thinking_turns", value: 1 }, ["redacted"]],
    ["two turns that have thinking", { type: "thinking_turns", value: 2 }, all],
    ["more than there are", { type: "thinking_turns", value: 20 }, all],
    ["all", "all", all],
    ["all, in the longer form", { type: "all" }, all],
  ])("keeps the thinking of %s", (_, keep, expected) => {
    const { body, prompt, applied, originalTokens } = editRequest(turns(edit(keep)));
    expect(thinkingIn(body)).toEqual(expected);
    expect(applied).toEqual(
      expected === all
        ? []
        : [
            {
              type: "clear_thinking_20251015",
              cleared_thinking_turns: 1,
              cleared_input_tokens: originalTokens - prompt.tokens,
            },
          ],
    );
  });

  it("comes before clear_tool_uses, which sees what is left", () => {
    const left = editRequest(turns(edit())).prompt.tokens;
    const both = (value: number) =>
      editRequest(turns(edit(), clear({ keep: uses(1), trigger: tokens(value) })));
    expect(both(left).applied.map(({ type }) => type)).toEqual(["clear_thinking_20251015"]);
    const { applied, prompt, originalTokens } = both(left - 1);
    expect(applied).toMatchObject([{ cleared_thinking_turns: 1 }, { cleared_tool_uses: 1 }]);
    const cleared = applied.reduce((sum, { cleared_input_tokens }) => sum + cleared_input_tokens, 0);
    expect(cleared).toBe(originalTokens - prompt.tokens);
  });
});

describe("compaction", () => {
  const compaction = (content: string | null): Block => ({ type: "compaction", content });

  it("drops what stands in front of the last compaction that did not fail", () => {
    const messages = [
      user(text("One.")),
      assistant(compaction("first"), text("So.")),
      user(text("Two.")),
      assistant(text("Hm."), compaction("second"), text("Then.")),
      user(text("Three.")),
      assistant(compaction(null), text("No.")),
    ];
    const { body, originalTokens } = editRequest({ model: "m", messages });
    expect(body.messages).toEqual([assistant(compaction("second"), text("Then.")), ...messages.slice(4)]);
    expect(originalTokens).toBe(measurePrompt({ model: "m", messages }).tokens);
  });

  it.each<[string, Block, unknown]>([
    ["not at its trigger", { trigger: tokens(size) }, null],
    ["over its trigger", { trigger: tokens(size - 1) }, { isPaused: false }],
    ["and pauses", { trigger: tokens(size - 1), pause_after_compaction: true }, { isPaused: true }],
    ["at 150,000 by default", {}, null],
  ])("is due %s", (_, more, expected) => {
    expect(editRequest(rounds(five, [{ type: "compact_20260112", ...more }])).compaction).toEqual(expected);
  });
});

describe("cache edits", () => {
  const deletes = (...references: string[]): Block => ({
    type: "cache_edits",
    edits: references.map((cache_reference) => ({ type: "delete", cache_reference })),
  });
  const withEdits = (body: WireBody, edits: Block): WireBody => ({
    ...body,
    messages: (body.messages as object[]).with(-1, user(result(5), edits, text("Go on."))),
  });

  it("counts deleted results for nothing and keeps every key in front of the edit", () => {
    const plain = measurePrompt(rounds(five));
    const { prompt, applied, originalTokens } = editRequest(withEdits(rounds(five), deletes("t1", "t3")));
    expect(prompt.blocks.slice(0, plain.blocks.length).map(({ key }) => key)).toEqual(
      plain.blocks.map(({ key }) => key),
    );
    expect(prompt.blocks.filter(({ tokens: own }) => own === 0).map(({ path }) => path)).toEqual([
      "messages.2.content.0",
      "messages.6.content.0",
      "messages.10.content.1",
    ]);
    expect(applied).toEqual([
      { type: "cache_edits", deleted_tool_uses: 2, cleared_input_tokens: originalTokens - prompt.tokens },
    ]);
  });

  it("names results by their reference, which is no part of a key", () => {
    const plain = rounds(five);
    const named = {
      ...plain,
      messages: (plain.messages as object[]).with(2, user({ ...result(1), cache_reference: "one" })),
    };
    expect(measurePrompt(named)).toEqual(measurePrompt(plain));
    expect(editRequest(withEdits(named, deletes("one"))).deletions).toMatchObject([{ toolUseId: "t1" }]);
    expect(editRequest(withEdits(named, deletes("t1"))).deletions).toEqual([]);
  });

  it("leaves clear_tool_uses the results that are not deleted", () => {
    const sent = withEdits(rounds(five, [clear({ trigger: uses(2) })]), deletes("t1"));
    const { body, applied, prompt, originalTokens } = editRequest(sent);
    expect(clearedIn(body)).toEqual(["t2"]);
    expect(applied).toMatchObject([{ cleared_tool_uses: 1 }, { deleted_tool_uses: 1 }]);
    const cleared = applied.reduce((sum, { cleared_input_tokens }) => sum + cleared_input_tokens, 0);
    expect(cleared).toBe(originalTokens - prompt.tokens);
  });
});

it("edits nothing that was not asked for", () => {
  const { context_management, ...sent } = rounds(five);
  expect(editRequest(sent)).toEqual({
    body: sent,
    prompt: measurePrompt(sent),
    originalTokens: size,
    applied: [],
    deletions: [],
    compaction: null,
  });
});
