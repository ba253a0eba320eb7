import type { ChatAnswer, HostileAnswer } from "./wire-answer.ts";

const call = (more: object = {}) => ({
  index: 0,
  id: "call_1",
  type: "function",
  function: { name: "Echo", arguments: '{"text":"x"}' },
  ...more,
});
const calling = (called: object) => call({ function: { name: "Echo", arguments: "{}", ...called } });
const chunk = (choice: object, more: object = {}) => ({
  id: "c",
  choices: [{ index: 0, ...choice }],
  ...more,
});
const stop = chunk({ delta: {}, finish_reason: "stop" });

const usages: readonly (readonly [string, unknown])[] = [
  ["a million millions", { prompt_tokens: 1e12, completion_tokens: 1 }],
  ["an output of a million millions", { prompt_tokens: 900, completion_tokens: 1e12 }],
  ["ten millions", { prompt_tokens: 1e7, completion_tokens: 1 }],
  ["negative counts", { prompt_tokens: -900, completion_tokens: -9 }],
  ["counts in words", { prompt_tokens: "900", completion_tokens: "9" }],
  ["counts that are lists", { prompt_tokens: [900], completion_tokens: [] }],
  ["nulls", { prompt_tokens: null, completion_tokens: null }],
  ["nothing", {}],
  ["a word", "many"],
  ["zeros", { prompt_tokens: 0, completion_tokens: 0 }],
  ["halves", { prompt_tokens: 900.5, completion_tokens: 0.5 }],
  [
    "more cached than there are",
    { prompt_tokens: 900, completion_tokens: 9, prompt_tokens_details: { cached_tokens: 1e12 } },
  ],
  ["details that are none", { prompt_tokens: 900, completion_tokens: 9, prompt_tokens_details: "all" }],
];

const finishes: readonly unknown[] = [
  "tool_calls",
  "length",
  "content_filter",
  "function_call",
  "moon",
  5,
  {},
  "error",
  "stop",
];

const table: readonly (readonly [string, ChatAnswer])[] = [
  ["no content", {}],
  ["content that is null", { text: null }],
  ["empty content", { text: "" }],
  ["blank content", { text: " \n " }],
  ["content that is a number", { text: 5 }],
  ["content that is an object", { text: { a: 1 } }],
  ["content in parts", { text: [{ type: "text", text: "Well." }, { type: "hologram" }, null] }],
  ["half a character", { text: "a\ud800b" }],
  ["control characters", { text: "\u0000\u2028" }],
  [
    "fields nobody knows in a delta",
    { text: "Well.", delta: { mood: 1, audio: { id: "a" }, annotations: [{}] } },
  ],
  ["fields nobody knows around it", { text: "Well.", fields: { mood: 1, object: 5, service_tier: {} } }],
  ["the role of the user", { text: "Well.", delta: { role: "user" } }],
  ["a role that is a number", { text: "Well.", delta: { role: 5 } }],
  ["a refusal beside text", { text: "Well.", delta: { refusal: "No." } }],
  ["reasoning alone", { delta: { reasoning_content: "Hm." } }],
  ["reasoning that is an object", { text: "Well.", delta: { reasoning: { a: 1 } } }],
  [
    "reasoning behind text",
    { chunks: [chunk({ delta: { content: "Well." } }), chunk({ delta: { reasoning: "Hm." } }), stop] },
  ],
  ["a call without an id", { calls: [call({ id: undefined })] }],
  ["a call whose id is empty", { calls: [call({ id: "" })] }],
  ["a call whose id is a number", { calls: [call({ id: 5 })] }],
  ["a call whose id has dots", { calls: [call({ id: "functions.Echo:0" })] }],
  ["a call whose id is long", { calls: [call({ id: "c".repeat(500) })] }],
  ["two calls with one id", { calls: [call(), call({ index: 1 })] }],
  ["two calls at one place", { calls: [call(), call({ id: "call_2" })] }],
  [
    "calls without a place",
    { calls: [call({ index: undefined }), call({ index: undefined, id: "call_2" })] },
  ],
  ["a call at a place that is a word", { calls: [call({ index: "0" })] }],
  ["a call without a function", { calls: [call({ function: undefined })] }],
  ["a call whose function is a word", { calls: [call({ function: "Echo" })] }],
  ["a call without a name", { calls: [calling({ name: undefined })] }],
  ["a call whose name is empty", { calls: [calling({ name: "" })] }],
  ["a call whose name has blanks", { calls: [calling({ name: "Echo it" })] }],
  ["a call whose name is long", { calls: [calling({ name: "E".repeat(300) })] }],
  ["a call whose name has dots", { calls: [calling({ name: "echo.it" })] }],
  ["a call of a tool nobody has", { calls: [calling({ name: "Destroy" })] }],
  ["a call of a type nobody knows", { calls: [call({ type: "hologram" })] }],
  [
    "a custom call",
    { calls: [{ index: 0, id: "call_1", type: "custom", custom: { name: "Echo", input: "x" } }] },
  ],
  ["arguments that are no JSON", { calls: [calling({ arguments: '{"text": ' })] }],
  ["arguments that are a list", { calls: [calling({ arguments: "[1]" })] }],
  ["arguments that are a word", { calls: [calling({ arguments: '"x"' })] }],
  ["arguments that are null", { calls: [calling({ arguments: null })] }],
  ["arguments that are an object", { calls: [calling({ arguments: { text: "x" } })] }],
  ["arguments of the wrong types", { calls: [calling({ arguments: '{"text":{"a":1}}' })] }],
  ["arguments of the prototype", { calls: [calling({ arguments: '{"__proto__":{"a":1}}' })] }],
  ["calls that are no list", { delta: { tool_calls: "Echo" }, text: "Well." }],
  ["calls that are null", { delta: { tool_calls: [null, 5, "x"] }, text: "Well." }],
  ["no calls where the reason says so", { text: "Well.", finish: "tool_calls" }],
  ["a legacy call", { delta: { function_call: { name: "Echo", arguments: "{}" } }, finish: "function_call" }],
  ["a legacy call that is none", { delta: { function_call: "Echo" }, text: "Well." }],
  [
    "a hundred calls",
    { calls: Array.from({ length: 100 }, (_, at) => call({ index: at, id: `call_${at}` })) },
  ],
  ["no choices", { chunks: [{ id: "c", choices: [] }, stop] }],
  ["choices that are null", { chunks: [{ id: "c", choices: null }, stop] }],
  ["a choice that is null", { chunks: [{ id: "c", choices: [null] }, stop] }],
  [
    "a second choice",
    {
      chunks: [
        chunk({ delta: { content: "Well." } }),
        { choices: [{ index: 1, delta: { content: "Other." } }] },
        stop,
      ],
    },
  ],
  [
    "a delta that is null",
    { chunks: [chunk({ delta: null }), chunk({ delta: { content: "Well." } }), stop] },
  ],
  ["a delta that is a word", { chunks: [chunk({ delta: "Well." }), stop] }],
  [
    "a message in place of a delta",
    { chunks: [chunk({ message: { role: "assistant", content: "Well." } }), stop] },
  ],
  ["a chunk that is null", { chunks: [null, chunk({ delta: { content: "Well." } }), stop] }],
  ["a chunk that is a word", { chunks: ["Well.", stop] }],
  ["a chunk that is a list", { chunks: [[], stop] }],
  [
    "an error for a chunk",
    { chunks: [chunk({ delta: { content: "We" } }), { error: { message: "Broken.", code: 500 } }] },
  ],
  [
    "a refusal of a request for a chunk",
    {
      chunks: [
        {
          error: {
            message: "Invalid 'messages[0].content'",
            type: "invalid_request_error",
            param: "messages[0].content",
          },
        },
      ],
    },
  ],
  [
    "an id that is a number",
    { chunks: [{ ...chunk({ delta: { content: "Well." } }), id: 5, model: 7 }, stop] },
  ],
  ["a model nobody knows", { text: "Well.", fields: { model: "moon-1" } }],
  ["no reason to stop", { chunks: [chunk({ delta: { content: "Well." } })] }],
  [
    "text behind the end",
    { chunks: [chunk({ delta: { content: "We" } }), stop, chunk({ delta: { content: "ll." } })] },
  ],
  ["two ends", { chunks: [chunk({ delta: { content: "Well." } }), stop, stop] }],
];

/** Hostile answers of a server that speaks chat completions. */
export const hostileChats: readonly HostileAnswer[] = [
  ...table.map(([name, chat]) => ({ name, chat })),
  ...usages.map(([name, usage]) => ({ name: `a usage of ${name}`, chat: { text: "Well.", usage } })),
  ...finishes.flatMap((finish): readonly HostileAnswer[] => [
    { name: `the reason ${JSON.stringify(finish)}`, chat: { text: "Well.", finish } },
    { name: `the reason ${JSON.stringify(finish)} with a call`, chat: { calls: [call()], finish } },
    { name: `the reason ${JSON.stringify(finish)} with nothing`, chat: { finish } },
  ]),
  {
    name: "a call whose arguments are nested 3000 deep",
    chat: {
      text: "PAID ANSWER",
      calls: [calling({ arguments: `{"deep":${"[".repeat(3_000)}${"]".repeat(3_000)}}` })],
    },
    logged: "PAID ANSWER",
  },
  { name: "half a stream", chat: { text: "Well, this is what there is to say." }, cutAt: 150 },
  { name: "half a call", chat: { calls: [call()] }, cutAt: 200 },
  { name: "a stream without a byte", raw: "" },
  { name: "a stream that is only done", raw: "data: [DONE]\n\n" },
  { name: "a stream that is a page", raw: "<html><title>Sign in</title></html>" },
  { name: "a stream that is no JSON", raw: "data: {oops\n\n" },
  { name: "a stream of comments", raw: ": ping\n\n".repeat(20) },
];
