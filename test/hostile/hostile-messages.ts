import { betaAnswers } from "./beta-blocks.ts";
import type { HostileAnswer } from "./wire-answer.ts";

const text = (said = "Well.") => ({ type: "text", text: said });
const call = (more: object = {}) => ({
  type: "tool_use",
  id: "toolu_1",
  name: "Echo",
  input: { text: "x" },
  ...more,
});
const signed = { type: "thinking", thinking: "Hm.", signature: "c2ln" };
const start = (index: number, content_block: unknown) => ({
  type: "content_block_start",
  index,
  content_block,
});
const delta = (index: number, piece: unknown) => ({ type: "content_block_delta", index, delta: piece });
const stop = (index: number) => ({ type: "content_block_stop", index });
const textBlock = (index: number, said: string) => [
  start(index, text("")),
  delta(index, { type: "text_delta", text: said }),
  stop(index),
];
const usage = { input_tokens: 900, output_tokens: 9 };
const end = (reason: unknown = "end_turn") => [
  { type: "message_delta", delta: { stop_reason: reason }, usage },
  { type: "message_stop" },
];

function nested(depth: number): unknown {
  let value: unknown = [];
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

const unknownTypes = [
  "hologram",
  "audio",
  "video",
  "canvas_tool_use",
  "canvas_tool_result",
  "memory_tool_result",
  "thinking_v2",
  "text2",
  "citation",
  "ping",
  "constructor",
  "__proto__",
  "toString",
  "",
  "Text",
  "tool-use",
  "ünknown",
  "a".repeat(300),
];

const knownBlocks: readonly (readonly [string, object])[] = [
  ["text", text()],
  ["thinking", signed],
  ["redacted_thinking", { type: "redacted_thinking", data: "cmVk" }],
  ["tool_use", call()],
  [
    "server_tool_use",
    { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "x" } },
  ],
  ["container_upload", { type: "container_upload", file_id: "file_1" }],
];

const usages: readonly (readonly [string, unknown])[] = [
  ["a million millions", { input_tokens: 1e12, output_tokens: 1 }],
  ["an output of a million millions", { input_tokens: 900, output_tokens: 1e12 }],
  [
    "a cache read of a million millions",
    { input_tokens: 9, cache_read_input_tokens: 1e12, output_tokens: 1 },
  ],
  [
    "a cache write of a million millions",
    { input_tokens: 9, cache_creation_input_tokens: 1e12, output_tokens: 1 },
  ],
  ["ten millions", { input_tokens: 1e7, output_tokens: 1 }],
  ["more than a double holds exactly", { input_tokens: 2 ** 60, output_tokens: 1 }],
  ["negative counts", { input_tokens: -900, output_tokens: -9 }],
  ["counts in words", { input_tokens: "900", output_tokens: "9" }],
  ["counts that are lists", { input_tokens: [900], output_tokens: [] }],
  ["counts that are objects", { input_tokens: { n: 1 }, output_tokens: {} }],
  ["halves", { input_tokens: 900.5, output_tokens: 0.1 }],
  ["nulls", { input_tokens: null, output_tokens: null }],
  ["nothing", {}],
  ["null", null],
  ["a word", "many"],
  ["a list", [900, 9]],
  ["zeros", { input_tokens: 0, output_tokens: 0 }],
  ["flags", { input_tokens: true, output_tokens: false }],
  ["fields nobody knows", { ...usage, watt_hours: 5, cache: { a: [1] } }],
  [
    "steps of a million millions",
    { ...usage, iterations: [{ type: "message", input_tokens: 1e12, output_tokens: 1 }] },
  ],
  ["steps that are none", { ...usage, iterations: ["a", null, 5] }],
];

const stops: readonly unknown[] = [
  "tool_use",
  "pause_turn",
  "max_tokens",
  "model_context_window_exceeded",
  "refusal",
  "compaction",
  "stop_sequence",
  "unheard_of",
  "",
  null,
  5,
  {},
];

/** Hostile answers of a server that speaks the Messages API. */
export const hostileMessages: readonly HostileAnswer[] = [
  ...unknownTypes.flatMap((type): readonly HostileAnswer[] => [
    {
      name: `a block of the type “${type.slice(0, 20)}”`,
      content: [text(), { type, payload: { a: [1, "b"] } }],
      logged: '"payload":{"a":[1,"b"]}',
    },
  ]),
  ...[600, 3_000].flatMap((depth): readonly HostileAnswer[] => [
    {
      name: `a block that is nested ${depth} deep`,
      content: [text("PAID ANSWER"), { type: "hologram", beams: nested(depth) }],
      logged: "PAID ANSWER",
    },
    {
      name: `a call whose input is nested ${depth} deep`,
      content: [text("PAID ANSWER"), call({ input: { deep: nested(depth) } })],
      logged: "PAID ANSWER",
    },
  ]),
  {
    name: "nothing but a block nobody knows",
    content: [{ type: "hologram", beams: 3 }],
    logged: '"beams":3',
  },
  {
    name: "blocks nobody knows around a call",
    content: [{ type: "hologram" }, call(), { type: "hologram" }],
  },
  { name: "a block nobody knows before thinking", content: [{ type: "hologram" }, signed, text()] },
  { name: "a block nobody knows behind thinking", content: [signed, { type: "hologram" }] },
  { name: "a large block nobody knows", content: [{ type: "hologram", data: "x".repeat(90_000) }, text()] },
  {
    name: "twenty blocks nobody knows",
    content: Array.from({ length: 20 }, (_, at) => ({ type: `kind_${at}` })),
  },
  {
    name: "a block nobody knows with half a character",
    content: [{ type: "hologram", text: "\ud800" }, text()],
  },
  ...knownBlocks.flatMap(([type, block]): readonly HostileAnswer[] => [
    {
      name: `a field nobody knows in ${type}`,
      content: [{ ...block, verdict: { score: 1 } }, text("And.")],
      logged: '"verdict":{"score":1}',
    },
    {
      name: `several fields nobody knows in ${type}`,
      content: [{ ...block, a: 1, b: null, constructor: 2, "x-y": [] }, text("And.")],
    },
  ]),
  { name: "a caller nobody knows in a call", content: [call({ caller: { type: "direct" } })] },
  {
    name: "citations nobody knows",
    content: [{ ...text(), citations: [{ type: "moon_location", crater: 5 }] }],
  },
  { name: "citations that are no list", content: [{ ...text(), citations: "none" }] },
  {
    name: "an image of the assistant",
    content: [text(), { type: "image", source: { type: "url", url: "https://example.org/a.png" } }],
  },
  {
    name: "a document of the assistant",
    content: [{ type: "document", source: { type: "text", media_type: "text/plain", data: "x" } }],
  },
  {
    name: "a result of the assistant",
    content: [{ type: "tool_result", tool_use_id: "toolu_9", content: "x" }],
  },
  {
    name: "a result beside its call",
    content: [call(), { type: "tool_result", tool_use_id: "toolu_1", content: "x" }],
  },
  { name: "cache edits of the assistant", content: [{ type: "cache_edits", edits: [] }, text()] },
  {
    name: "a search result of the assistant",
    content: [{ type: "search_result", content: [], source: "s", title: "t" }],
  },
  { name: "a compaction without content", content: [{ type: "compaction", content: null }, text()] },
  {
    name: "a compaction nobody asked for",
    content: [{ type: "compaction", content: "All so far." }, text()],
  },
  {
    name: "a signed compaction nobody asked for",
    content: [text(), { type: "compaction", content: "All.", signature: "c2ln" }],
  },
  {
    name: "a fallback nobody asked for",
    content: [{ type: "fallback", from: { model: "a" }, to: { model: "b" } }, text()],
  },
  {
    name: "an MCP call nobody asked for",
    content: [{ type: "mcp_tool_use", id: "m", name: "n", input: {}, server_name: "s" }, text()],
  },
  {
    name: "an advisor nobody asked for",
    content: [{ type: "advisor_tool_result", tool_use_id: "a", content: {} }, text()],
  },
  { name: "tools added by the assistant", content: [{ type: "tool_addition", tools: [] }, text()] },
  { name: "empty content", content: [] },
  { name: "empty text", content: [text("")] },
  { name: "blank text", content: [text(" \n\t ")] },
  { name: "empty thinking", content: [{ type: "thinking", thinking: "", signature: "" }] },
  { name: "thinking alone", content: [signed] },
  { name: "thinking behind text", content: [text(), signed] },
  { name: "thinking behind a call", content: [call(), signed] },
  { name: "thinking without a signature", content: [{ type: "thinking", thinking: "Hm." }, text()] },
  {
    name: "thinking signed by a number",
    content: [{ type: "thinking", thinking: "Hm.", signature: 5 }, text()],
  },
  {
    name: "thinking that is a number",
    content: [{ type: "thinking", thinking: 5, signature: "c2ln" }, text()],
  },
  { name: "redacted thinking without data", content: [{ type: "redacted_thinking" }, text()] },
  { name: "redacted thinking with empty data", content: [{ type: "redacted_thinking", data: "" }, text()] },
  { name: "text without text", content: [{ type: "text" }, text()] },
  { name: "text that is null", content: [{ type: "text", text: null }] },
  { name: "text that is a number", content: [{ type: "text", text: 5 }, text()] },
  { name: "text that is a list", content: [{ type: "text", text: ["a"] }, call()] },
  { name: "half a character", content: [text("a\ud800b")] },
  { name: "text of control characters", content: [text("\u0000\u0001\u2028\u0085")] },
  { name: "a block that is null", content: [null, text()] },
  { name: "a block that is a word", content: ["Well."] },
  { name: "a block without a type", content: [{ text: "Well." }] },
  { name: "a block whose type is a number", content: [{ type: 5 }] },
  { name: "two calls with one id", content: [call(), call({ input: { text: "y" } })] },
  { name: "a call without an id", content: [{ type: "tool_use", name: "Echo", input: {} }] },
  { name: "a call whose id is empty", content: [call({ id: "" })] },
  { name: "a call whose id is a number", content: [call({ id: 7 })] },
  { name: "a call whose id has blanks", content: [call({ id: "tool use 1" })] },
  { name: "a call whose id has dots", content: [call({ id: "functions.Echo:0" })] },
  { name: "a call whose id is long", content: [call({ id: "t".repeat(2_000) })] },
  { name: "a call without a name", content: [{ type: "tool_use", id: "toolu_1", input: {} }] },
  { name: "a call whose name is empty", content: [call({ name: "" })] },
  { name: "a call whose name has blanks", content: [call({ name: "Echo it" })] },
  { name: "a call whose name is long", content: [call({ name: "E".repeat(300) })] },
  { name: "a call of a tool nobody has", content: [call({ name: "Destroy" })] },
  { name: "a call of a name of the prototype", content: [call({ name: "constructor" })] },
  { name: "a call without input", content: [{ type: "tool_use", id: "toolu_1", name: "Echo" }] },
  { name: "a call whose input is null", content: [call({ input: null })] },
  { name: "a call whose input is a word", content: [call({ input: "x" })] },
  { name: "a call whose input is a list", content: [call({ input: [1] })] },
  { name: "a call whose input is a number", content: [call({ input: 5 })] },
  { name: "a call with inputs of the wrong types", content: [call({ input: { text: { a: 1 } } })] },
  {
    name: "a call with an input of the prototype",
    content: [call({ input: JSON.parse('{"__proto__":{"a":1}}') })],
  },
  { name: "a call with half a character", content: [call({ input: { text: "\ud800" } })] },
  { name: "a hundred calls", content: Array.from({ length: 100 }, (_, at) => call({ id: `toolu_${at}` })) },
  {
    name: "a call of the server without a result",
    content: [{ type: "server_tool_use", id: "s", name: "web_search", input: {} }],
  },
  {
    name: "a result of the server without a call",
    content: [{ type: "web_search_tool_result", tool_use_id: "s", content: [] }, text()],
  },
  ...betaAnswers,
  ...usages.map(([name, reported]) => ({ name: `a usage of ${name}`, content: [text()], usage: reported })),
  ...stops.flatMap((reason): readonly HostileAnswer[] => [
    { name: `the stop reason ${JSON.stringify(reason)}`, content: [text()], stop: { stop_reason: reason } },
    {
      name: `the stop reason ${JSON.stringify(reason)} with a call`,
      content: [call()],
      stop: { stop_reason: reason },
    },
    {
      name: `the stop reason ${JSON.stringify(reason)} with nothing`,
      content: [],
      stop: { stop_reason: reason },
    },
  ]),
  {
    name: "stop details nobody knows",
    content: [text()],
    stop: { stop_details: [5], stop_sequence: { a: 1 } },
  },
  { name: "an id that is a number", content: [text()], start: { id: 5 } },
  { name: "no id", content: [text()], start: { id: undefined } },
  { name: "an empty id", content: [text()], start: { id: "" } },
  { name: "the id of the answer before", content: [text()], start: { id: "msg_plain" } },
  { name: "a model that is a number", content: [text()], start: { model: 5 } },
  { name: "no model", content: [text()], start: { model: undefined } },
  { name: "a model nobody knows", content: [text()], start: { model: "moon-1" } },
  { name: "the role of the user", content: [text()], start: { role: "user" } },
  {
    name: "fields nobody knows around it",
    content: [text()],
    start: { mood: "good", container: { id: "c" } },
  },
  { name: "content in its beginning", content: [text()], start: { content: [text("early")] } },
  { name: "content that is null", content: [text()], start: { content: null } },
  { name: "context management that is none", content: [text()], start: { context_management: "yes" } },
  { name: "edits that are none", content: [text()], start: { context_management: { applied_edits: "all" } } },
  {
    name: "edits nobody knows",
    content: [text()],
    start: { context_management: { applied_edits: [{ type: "moon" }, null] } },
  },
  { name: "an event nobody knows", events: [...textBlock(0, "Well."), { type: "mood_changed", mood: 1 }] },
  {
    name: "an event of a block nobody knows",
    events: [{ type: "content_block_mood", index: 0 }, ...textBlock(0, "Well.")],
  },
  {
    name: "a piece nobody knows",
    events: [
      start(0, text("")),
      delta(0, { type: "mood_delta", mood: "x" }),
      delta(0, { type: "text_delta", text: "Well." }),
      stop(0),
    ],
  },
  {
    name: "a piece nobody knows that breaks a field",
    events: [start(0, text("Well.")), delta(0, { type: "mood_delta", text: 5 }), stop(0)],
  },
  { name: "a piece without a type", events: [start(0, text("Well.")), delta(0, { text: "x" }), stop(0)] },
  { name: "a piece that is null", events: [start(0, text("Well.")), delta(0, null), stop(0)] },
  {
    name: "a piece of a call in a text",
    events: [start(0, text("Well.")), delta(0, { type: "input_json_delta", partial_json: "{}" }), stop(0)],
  },
  {
    name: "a piece of text in a call",
    events: [start(0, call()), delta(0, { type: "text_delta", text: "x" }), stop(0)],
  },
  { name: "a piece of a block that never began", events: [delta(3, { type: "text_delta", text: "x" })] },
  {
    name: "a piece behind the end of its block",
    events: [...textBlock(0, "Well."), delta(0, { type: "text_delta", text: "x" })],
  },
  { name: "a block that never ends", events: [start(0, text("Well."))] },
  { name: "a block that ends twice", events: [...textBlock(0, "Well."), stop(0)] },
  { name: "a block that begins twice", events: [start(0, text("")), start(0, text("")), stop(0)] },
  { name: "blocks out of order", events: [...textBlock(1, "b"), ...textBlock(0, "a")] },
  { name: "a block without a place", events: [{ type: "content_block_start", content_block: text() }] },
  { name: "a block at a place that is a word", events: [start("0" as unknown as number, text())] },
  {
    name: "an input that is no JSON",
    events: [
      start(0, call({ input: {} })),
      delta(0, { type: "input_json_delta", partial_json: '{"text": ' }),
      stop(0),
    ],
    end: end("tool_use"),
  },
  {
    name: "an input that is a list in JSON",
    events: [
      start(0, call({ input: {} })),
      delta(0, { type: "input_json_delta", partial_json: "[1]" }),
      stop(0),
    ],
    end: end("tool_use"),
  },
  {
    name: "an input that is a word in JSON",
    events: [
      start(0, call({ input: {} })),
      delta(0, { type: "input_json_delta", partial_json: '"x"' }),
      stop(0),
    ],
    end: end("tool_use"),
  },
  {
    name: "an input cut at the most tokens",
    events: [
      start(0, call({ input: {} })),
      delta(0, { type: "input_json_delta", partial_json: '{"te' }),
      stop(0),
    ],
    end: end("max_tokens"),
  },
  {
    name: "a beginning behind the end",
    events: textBlock(0, "Well."),
    end: [...end(), { type: "message_start", message: { id: "m", content: [] } }],
  },
  { name: "two beginnings", events: [{ type: "message_start", message: { id: "m", content: [] } }] },
  { name: "two ends", events: textBlock(0, "Well."), end: [...end(), ...end()] },
  { name: "no end", events: textBlock(0, "Well."), end: [] },
  { name: "an end without a word on why", events: textBlock(0, "Well."), end: [{ type: "message_stop" }] },
  {
    name: "an error in the middle",
    events: [start(0, text("We")), { type: "error", error: { type: "api_error", message: "Broken." } }],
  },
  {
    name: "an error nobody knows in the middle",
    events: [start(0, text("We")), { type: "error", error: "moon" }],
  },
  {
    name: "a refusal of a request in the middle",
    events: [
      { type: "error", error: { type: "invalid_request_error", message: "messages.0.content.0: no." } },
    ],
  },
  {
    name: "a refusal of a message that is not there",
    events: [{ type: "error", error: { type: "invalid_request_error", message: "messages.99: no." } }],
  },
  { name: "half a stream", content: [text("Well, this is what there is to say.")], cutAt: 420 },
  { name: "half an event", content: [text(), call()], cutAt: 300 },
  { name: "a stream cut behind its beginning", content: [text()], cutAt: 200 },
  { name: "a stream without a byte", raw: "" },
  { name: "a stream that is a page", raw: "<html><title>Sign in</title></html>" },
  { name: "a stream that is no JSON", raw: "event: message_start\ndata: {oops\n\n" },
  {
    name: "a stream of NaN",
    raw: 'event: message_start\ndata: {"type":"message_start","message":{"usage":{"input_tokens":NaN}}}\n\n',
  },
  { name: "a stream with JSON that is a list", raw: "event: message_start\ndata: []\n\n" },
  { name: "a stream of pings", raw: "event: ping\ndata: {}\n\n".repeat(20) },
];
