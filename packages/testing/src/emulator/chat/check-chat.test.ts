import { describe, expect, it } from "vitest";
import { checkChat } from "./judge-chat.ts";

const capabilities = { maxOutput: 1_000 };
const user = { role: "user", content: "Hello." };
const call = (id: unknown, name: unknown = "Read", json: unknown = "{}") => ({
  id,
  type: "function",
  function: { name, arguments: json },
});
const calling = (...calls: unknown[]) => ({ role: "assistant", content: null, tool_calls: calls });
const result = (id: unknown, content: unknown = "ok") => ({ role: "tool", tool_call_id: id, content });
const tool = (name: unknown, parameters: unknown = { type: "object", properties: {} }) => ({
  type: "function",
  function: { name, parameters },
});

const broken = (more: object) =>
  checkChat({ model: "gpt-4.1", messages: [user], ...more }, capabilities).map(
    ({ rule, path, code }) => `${rule} ${path} ${code}`,
  );

const brokenBy = (...messages: unknown[]) => broken({ messages });

describe("the rules of chat completions", () => {
  it("let a whole conversation through, and fields that nobody knows", () => {
    expect(
      broken({
        messages: [
          { role: "system", content: "Be short." },
          { role: "developer", content: [{ type: "text", text: "Be kind." }] },
          {
            role: "user",
            content: [
              { type: "text", text: "Look." },
              { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } },
              { type: "image_url", image_url: { url: "https://a.example/b.png", detail: "low" } },
              { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,aGk=" } },
              { type: "input_audio", input_audio: { data: "", format: "wav" } },
            ],
          },
          calling(call("a"), call("b", "Now", "no JSON")),
          result("b"),
          result("a", [{ type: "text", text: "ok" }]),
          { role: "assistant", content: [{ type: "refusal", refusal: "No." }] },
          { role: "assistant", function_call: { name: "old", arguments: "" } },
          { role: "function", name: "old", content: "" },
          { role: "assistant", content: null, refusal: "No." },
          user,
          user,
        ],
        tools: [
          tool("Read"),
          { type: "custom", custom: { name: "grammar" } },
          { type: "function", function: { name: "Now" } },
        ],
        tool_choice: { type: "function", function: { name: "Read" } },
        parallel_tool_calls: true,
        max_completion_tokens: 1_000,
        temperature: 2,
        top_p: 0,
        stop: ["a", "b"],
        n: 1,
        stream: true,
        stream_options: { include_usage: true },
        num_ctx: 8_192,
      }),
    ).toEqual([]);
  });

  it.each<[string, readonly unknown[], readonly string[]]>([
    ["no message", [], ["messages messages empty_array"]],
    ["no object", ["Hello."], ["message messages[0] invalid_type"]],
    ["no role", [{ content: "a" }], ["role messages[0].role missing_required_parameter"]],
    ["an unknown role", [{ role: "robot", content: "a" }], ["role messages[0].role invalid_value"]],
    [
      "a role that objects have",
      [{ role: "toString", content: "a" }],
      ["role messages[0].role invalid_value"],
    ],
    ["no content", [{ role: "user" }], ["content messages[0].content null"]],
    ["null for content", [{ role: "user", content: null }], ["content messages[0].content null"]],
    [
      "an assistant that says nothing",
      [{ role: "assistant", content: null }],
      ["content messages[0].content null"],
    ],
    ["no parts", [{ role: "user", content: [] }], ["content messages[0].content empty_array"]],
    [
      "an image from the system",
      [{ role: "system", content: [{ type: "image_url", image_url: { url: "https://a.example" } }] }],
      ["part-type messages[0].content[0].type invalid_value"],
    ],
    [
      "an image that is none",
      [{ role: "user", content: [{ type: "image_url", image_url: { url: "data:text/plain;base64,aGk=" } }] }],
      ["image messages[0].content[0].image_url.url invalid_value"],
    ],
    [
      "a file without bytes",
      [{ role: "user", content: [{ type: "file", file: {} }] }],
      ["part messages[0].content[0].file.file_id missing_required_parameter"],
    ],
    ["no calls", [calling()], ["tool-calls messages[0].tool_calls empty_array"]],
    [
      "an id that is too long",
      [calling(call("x".repeat(41))), result("x".repeat(41))],
      ["tool-calls messages[0].tool_calls[0].id string_above_max_length"],
    ],
    [
      "arguments that are no string",
      [calling(call("a", "Read", {})), result("a")],
      ["tool-calls messages[0].tool_calls[0].function.arguments invalid_type"],
    ],
    [
      "a name with a space",
      [calling(call("a", "Read it")), result("a")],
      ["tool-name messages[0].tool_calls[0].function.name invalid_value"],
    ],
    ["a result without a call", [user, result("a")], ["tool-message-unexpected messages.[1].role null"]],
    [
      "a result of another call",
      [calling(call("a")), result("a"), result("b")],
      ["tool-message-unexpected messages.[2].tool_call_id null"],
    ],
    [
      "two results of one call",
      [calling(call("a")), result("a"), result("a")],
      ["tool-message-once messages.[2].tool_call_id null"],
    ],
    [
      "a call without a result",
      [calling(call("a"), call("b")), result("a")],
      ["tool-message-missing messages.[2].role null"],
    ],
    [
      "somebody who speaks between call and result",
      [calling(call("a")), user, result("a")],
      ["tool-message-missing messages.[1].role null", "tool-message-unexpected messages.[2].role null"],
    ],
    ["half a surrogate pair", [{ role: "user", content: "\ud83d" }], ["unicode messages.0.content null"]],
  ])("refuse %s", (_, messages, expected) => {
    expect(brokenBy(...messages)).toEqual(expected);
  });

  it.each<[object, readonly string[]]>([
    [{ model: "" }, ["model model null"]],
    [{ messages: undefined }, ["messages messages missing_required_parameter"]],
    [{ max_tokens: 0 }, ["max-tokens max_tokens integer_below_min_value"]],
    [{ max_tokens: 1.5 }, ["max-tokens max_tokens invalid_type"]],
    [{ max_tokens: 1_001 }, ["max-tokens max_tokens invalid_value"]],
    [
      { max_tokens: 1, max_completion_tokens: 1 },
      ["max-tokens max_completion_tokens invalid_parameter_combination"],
    ],
    [{ model: "gpt-5.6", max_tokens: 1 }, ["max-tokens max_tokens unsupported_parameter"]],
    [{ model: "o3", temperature: 0 }, ["sampling temperature unsupported_value"]],
    [{ temperature: 2.5 }, ["sampling temperature decimal_above_max_value"]],
    [{ stop: ["a", "b", "c", "d", "e"] }, ["stop stop array_above_max_length"]],
    [{ stop: [1] }, ["stop stop[0] invalid_type"]],
    [{ n: 2 }, ["n n invalid_value"]],
    [{ stream: "yes" }, ["stream stream invalid_type"]],
    [{ stream_options: {} }, ["stream-options stream_options null"]],
    [{ tools: [] }, ["tools tools empty_array"]],
    [
      { tools: Array.from({ length: 129 }, (_, at) => tool(`t${at}`)) },
      ["tools tools array_above_max_length"],
    ],
    [{ tools: [tool("a"), tool("a")] }, ["tool-name-unique tools null"]],
    [{ tools: [{ type: "retrieval" }] }, ["tools tools[0].type invalid_value"]],
    [
      { tools: [tool("a", { type: "object" })] },
      ["tool-schema tools[0].function.parameters invalid_function_parameters"],
    ],
    [
      { tools: [tool("a", { type: "array" })] },
      ["tool-schema tools[0].function.parameters invalid_function_parameters"],
    ],
    [{ tool_choice: "auto" }, ["tool-choice tool_choice null"]],
    [{ parallel_tool_calls: true }, ["tools parallel_tool_calls null"]],
    [{ tools: [tool("a")], tool_choice: "any" }, ["tool-choice tool_choice invalid_value"]],
    [
      { tools: [tool("a")], tool_choice: { type: "function", function: { name: "b" } } },
      ["tool-choice tool_choice invalid_value"],
    ],
  ])("refuse %j", (more, expected) => {
    expect(broken(more)).toEqual(expected);
  });

  it("refuse what is no object", () => {
    for (const body of [null, [], "text", 3]) expect(checkChat(body, capabilities)).toHaveLength(1);
  });
});
