import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shortenRequest } from "./shorten-request.ts";

const shorten = (text: string) => {
  const short = shortenRequest(Buffer.from(text));
  return short && { text: short.body.toString(), answerTokens: short.answerTokens };
};

describe("shortenRequest", () => {
  it("changes the length of the answer and the stream, and no other byte", () => {
    const text =
      '\n{"a" : "\\\\\\"max_tokens\\": 5" ,"max_tokens":10 , "n":1.50e2,"stream" :true,"é":["}",{"stream":true}]}\n';
    expect(shorten(text)).toEqual({
      text: text.replace(":10", ":1").replace('"stream" :true', '"stream" :false'),
      answerTokens: 1,
    });
  });

  it("changes every member of the name, since nobody knows which one counts", () => {
    expect(shorten('{"max_tokens":5,"max\\u005ftokens":7}')?.text).toBe(
      '{"max_tokens":1,"max\\u005ftokens":1}',
    );
  });

  it.each([
    [{ type: "enabled", budget_tokens: 1_024 }, 4_000, 1_025],
    [{ type: "enabled", budget_tokens: 32_000 }, 4_000, 4_000],
    [{ type: "disabled" }, 4_000, 1],
    [{ type: "adaptive" }, 4_000, 1],
    [undefined, 4_000, 1],
  ])("leaves as much room as thinking needs: %j", (thinking, most, answerTokens) => {
    const short = shorten(JSON.stringify({ max_tokens: most, thinking }));
    expect(short).toEqual({ text: JSON.stringify({ max_tokens: answerTokens, thinking }), answerTokens });
  });

  it.each([
    "",
    "[]",
    "7",
    "{}",
    '{"max_tokens":',
    '{"max_tokens":"5"}',
    '{"max_tokens":5',
    '{"max_tokens":5,"tool_choice":{"type":"any"}}',
    '{"max_tokens":5,"tool_choice":{"type":"tool","name":"Read"}}',
    '{"max_tokens":5,"speed":"fast"}',
    '{"max_tokens":5000,"thinking":{"type":"enabled","budget_tokens":1024},"mcp_servers":[{}]}',
  ])("gives nothing for %s", (text) => {
    expect(shorten(text)).toBeNull();
  });

  it("keeps every value of any request", () => {
    const request = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(request, fc.integer({ min: 1 }), fc.constantFrom(0, 2), (fields, most, indent) => {
        const { thinking: _, tool_choice: _choice, speed: _speed, ...rest } = fields;
        const body = JSON.stringify({ ...rest, max_tokens: most, stream: true }, null, indent);
        const expected = JSON.stringify({ ...JSON.parse(body), max_tokens: 1, stream: false }, null, indent);
        expect(shorten(body)?.text).toBe(expected);
      }),
    );
  });
});
