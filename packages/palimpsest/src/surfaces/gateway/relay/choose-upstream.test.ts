import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chooseUpstream } from "./choose-upstream.ts";
import { toUpstreams } from "./upstreams.ts";

const two = toUpstreams(undefined, undefined);
const given = toUpstreams("http://127.0.0.1:1", "http://127.0.0.1:2");
const one = toUpstreams("http://127.0.0.1:1", undefined);

const ask = (request: string, headers: Record<string, string> = {}, upstreams = two) => {
  const [method = "", target = ""] = request.split(" ");
  const choice = chooseUpstream({ method, target, headers }, upstreams);
  return "route" in choice ? choice.route.protocol : choice.refusal.code;
};

const anthropicHeaders = { "x-api-key": "k", "anthropic-version": "2023-06-01" };
const bearer = { authorization: "Bearer k" };

describe("chooseUpstream", () => {
  it.each([
    ["POST /v1/messages?beta=true", anthropicHeaders, "anthropic"],
    ["POST /v1/messages/count_tokens", { ...bearer, "anthropic-version": "1" }, "anthropic"],
    ["POST /v1/messages", { ...bearer, "x-api-key": "k" }, "anthropic"],
    ["POST /v1/chat/completions", bearer, "openai"],
    ["POST /v1/responses", { ...bearer, "openai-beta": "x" }, "openai"],
    ["POST /v1/completions", bearer, "openai"],
    ["GET /v1/models", { ...bearer, "anthropic-beta": "x" }, "anthropic"],
    ["GET /v1/models/claude-x", anthropicHeaders, "anthropic"],
    ["GET /v1/models", bearer, "openai"],
    ["GET /v1/models/ft:gpt:x", bearer, "openai"],
    ["POST /v1/files", { ...bearer, "anthropic-beta": "files" }, "anthropic"],
    ["POST /v1/files", bearer, "openai"],
    ["POST /v1/files", { authorization: "Bearer sk-ant-oat01-k" }, "anthropic"],
    ["GET /v1/skills", { authorization: "bearer sk-ant-oat01-k" }, "anthropic"],
    ["GET /v1/models", { authorization: "Bearer sk-proj-k" }, "openai"],
  ])("knows whose %s is", (request, headers, protocol) => {
    expect(ask(request, headers)).toBe(protocol);
  });

  it.each([
    ["GET /", {}],
    ["HEAD /", {}],
    ["GET /v1", bearer],
    ["GET /v1/", anthropicHeaders],
    ["POST /v1/unknown", anthropicHeaders],
    ["POST /api/event_logging", bearer],
    ["POST /v1/messagesX", anthropicHeaders],
    ["POST /v1/messages;a=b", anthropicHeaders],
    ["POST /v1/messages.", anthropicHeaders],
    ["POST /V1/MESSAGES", anthropicHeaders],
    ["POST /v1//messages", anthropicHeaders],
    ["POST /v1/%6dessages", anthropicHeaders],
    ["POST /v1%2fmessages", anthropicHeaders],
    ["POST /v1/v1/messages", anthropicHeaders],
    ["POST /v1/chat", bearer],
    ["POST /v1/chat/completionsX", bearer],
    ["POST /v1/models", bearer],
    ["POST /v1/projects/p/locations/l/publishers/anthropic/models/m:rawPredict", bearer],
    ["POST /openai/deployments/d/chat/completions", { "api-key": "k" }],
    ["POST /model/m/converse", bearer],
    ["POST /v2/chat", bearer],
  ])("does not know %s", (request, headers) => {
    expect(ask(request, headers)).toBe("path-unknown");
    expect(ask(request, headers, given)).toBe("path-unknown");
  });

  it.each([
    ["POST /v1beta/models/gemini:generateContent", { "x-goog-api-key": "k" }],
    ["POST /v1beta/openai/chat/completions", bearer],
    ["POST /v1alpha/models/gemini:generateContent", bearer],
    ["POST /upload/v1beta/files", bearer],
    ["POST /v1/models/gemini:streamGenerateContent", bearer],
    ["GET /v1/models", { "x-goog-api-client": "genai" }],
    ["GET /v1/models?key=k", {}],
    ["GET /v1/models?a=b&%6bey=k", {}],
    ["POST /v1/chat/completions", { ...bearer, "x-goog-user-project": "p" }],
    ["POST /v1/messages", { ...anthropicHeaders, ...bearer, "x-goog-api-key": "k" }],
    ["POST /model/m/invoke", { authorization: "AWS4-HMAC-SHA256 Credential=k" }],
    ["POST /v1/messages", { "x-amz-date": "now" }],
  ])("has no server for %s", (request, headers) => {
    expect(ask(request, headers)).toBe("provider-missing");
    expect(ask(request, headers, given)).toBe("provider-missing");
  });

  it.each([
    ["GET /v1/models", { "x-api-key": "k" }],
    ["GET /v1/models", { "x-api-key": "k", ...bearer }],
    ["GET /v1/models", { ...anthropicHeaders, "openai-organization": "o" }],
    ["POST /v1/chat/completions", anthropicHeaders],
    ["POST /v1/chat/completions", { "x-api-key": "k" }],
    ["POST /v1/messages", { ...bearer, "openai-project": "p" }],
  ])("refuses %s whose headers say something else, or two things", (request, headers) => {
    expect(ask(request, headers)).toBe("provider-unclear");
    expect(ask(request, headers, given)).toBe("provider-unclear");
  });

  it.each([
    ["POST /v1/chat/completions", { authorization: "Bearer sk-ant-oat01-k" }],
    ["POST /v1/messages", { authorization: "Bearer sk-proj-k" }],
    ["POST /v1/messages", { "x-api-key": "sk-svcacct-k", "anthropic-version": "1" }],
    ["POST /v1/files", { authorization: "Bearer sk-proj-k", "anthropic-beta": "files" }],
  ])("refuses %s with a key that begins as another provider's do", (request, headers) => {
    expect(ask(request, headers)).toBe("provider-unclear");
  });

  it("gives a key that neither provider has to a server that a person has named, and to none of theirs", () => {
    for (const request of ["POST /v1/messages", "POST /v1/chat/completions"]) {
      expect(ask(request, { "api-key": "k" })).toBe("provider-unclear");
      expect(ask(request, { "api-key": "k" }, given)).toMatch(/^(?:anthropic|openai)$/);
    }
  });

  it("sends nothing where such a key is all that says whose a request is, and both servers could be", () => {
    for (const request of ["GET /v1/models", "POST /v1/files", "GET /v1/skills/s"]) {
      expect(ask(request, { "api-key": "k" }, given)).toBe("provider-unclear");
      expect(ask(request, { "api-key": "k", "anthropic-version": "1" }, given)).toBe("anthropic");
      expect(ask(request, { "api-key": "k", "openai-beta": "x" }, given)).toBe("openai");
      expect(ask(request, { "api-key": "k" }, one)).toBe("openai");
    }
  });

  it("sends everything to the one server that was given", () => {
    const requests = [
      "POST /v1/messages",
      "POST /v1beta/models/g:x?key=k",
      "GET /",
      "POST /x",
      "GET /v1/models",
    ];
    for (const target of requests) {
      for (const headers of [anthropicHeaders, bearer, { "x-goog-api-key": "k", ...anthropicHeaders }]) {
        const [method = "", path = ""] = target.split(" ");
        const choice = chooseUpstream({ method, target: path, headers }, one);
        expect(choice).toMatchObject({ route: { upstream: one.anthropic } });
      }
    }
  });

  it("sends no request with headers of one provider to another, whatever its path", () => {
    const names = {
      "anthropic-version": "anthropic",
      "anthropic-beta": "anthropic",
      "x-api-key": "anthropic",
      "openai-organization": "openai",
      "x-goog-api-key": "google",
      "x-goog-user-project": "google",
      "x-amz-security-token": "amazon",
    };
    const segment = fc.constantFrom(
      "v1",
      "v1beta",
      "messages",
      "models",
      "files",
      "chat",
      "completions",
      "x:y",
    );
    const header = fc.constantFrom(...Object.keys(names));
    fc.assert(
      fc.property(
        fc.array(segment, { maxLength: 4 }),
        fc.uniqueArray(header, { minLength: 1, maxLength: 4 }),
        (segments, headers) => {
          const all = Object.fromEntries(headers.map((name) => [name, "x"]));
          const got = ask(`POST /${segments.join("/")}`, all);
          const meant = new Set(headers.map((name) => names[name as keyof typeof names]));
          if (got === "anthropic" || got === "openai") expect([...meant]).toEqual([got]);
        },
      ),
    );
  });

  it("says what happened, which path, and what to do", () => {
    const choice = chooseUpstream({ method: "POST", target: "/v9/x?key2=secret", headers: bearer }, two);
    expect(choice).toEqual({
      refusal: {
        code: "path-unknown",
        status: 404,
        message:
          "The gateway does not know the path /v9/x, so it cannot tell whose key came with it. Nothing was sent. Start the gateway in front of one server for everything: palimpsest gateway --upstream URL.",
      },
    });
  });
});
