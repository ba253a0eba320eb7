import { describe, expect, it } from "vitest";
import { maxAttempts } from "../../packages/palimpsest/src/models/retry.ts";
import { answer, callTool, fault, type Reply, say } from "../../packages/testing/src/index.ts";
import { endOf, type Provider } from "../support/agent.ts";
import {
  answersOf,
  asked,
  bodiesOf,
  echo,
  expectGoesOn,
  expectValid,
  providers,
  setStage,
  storyOf,
} from "./stage.ts";

/** How a provider is called, and what differs in what its server says. */
interface Words {
  readonly model: string;
  readonly server: string;
  readonly overloaded: number;
  readonly overflow: string;
}

const words: Readonly<Record<Provider, Words>> = {
  anthropic: {
    model: "claude-opus-4-5",
    server: "Anthropic",
    overloaded: 529,
    overflow: "prompt is too long: 200001 tokens > 200000 maximum.",
  },
  openai: {
    model: "gpt-5.6",
    server: "Server",
    overloaded: 503,
    overflow:
      "This model's maximum context length is 922000 tokens. However, your messages resulted in 922001 tokens. Please reduce the length of the messages.",
  },
};

interface Row {
  readonly what: string;
  readonly script: readonly Reply[];
  /** Absent: both. */
  readonly only?: Provider;
  /** What a person sees between the beginning of the run and its end. */
  readonly story: (words: Words) => readonly string[];
  /** What each request was answered with; of a broken connection nothing. */
  readonly statuses: (words: Words) => readonly (number | undefined)[];
  /** What the log has of answers. */
  readonly answers: readonly string[];
  /** The end of the run, besides what the story says. */
  readonly end?: object;
  /** Nothing can be sent before the user says more. */
  readonly isUnsendable?: boolean;
}

const start = (attempt: number) => (given: Words) => `model-start ${given.model} ${attempt}`;
const whole = (stopReason: string) => ["response-start", "…", `response-end ${stopReason}`];
const done = say("Done.");

/** A failure that is tried again once, with success. */
function retried(
  what: string,
  reply: Reply,
  failure: (words: Words) => string,
  status: (words: Words) => number | undefined,
): Row {
  return {
    what,
    script: [reply, done],
    story: (given) => [
      start(1)(given),
      `retry-wait ${failure(given)}`,
      start(2)(given),
      ...whole("end_turn"),
      "run-end done",
    ],
    statuses: (given) => [status(given), 200],
    answers: ["whole: Done."],
    end: { text: "Done.", requests: 1 },
  };
}

/** An answer or error that ends the run at once. */
function ending(what: string, reply: Reply, row: Partial<Row> & Pick<Row, "story" | "answers">): Row {
  return {
    what,
    script: [reply],
    statuses: () => [200],
    ...row,
    story: (given) => [start(1)(given), ...row.story(given)],
  };
}

const rows: readonly Row[] = [
  retried(
    "too many requests",
    fault.rateLimited({ retryAfterSeconds: 60 }),
    ({ server, model }) =>
      `rate-limited: ${server} takes no more requests for ${model} at the moment (429): This request would exceed your organization's rate limit.`,
    () => 429,
  ),
  retried(
    "an overloaded server",
    fault.overloaded(),
    ({ server, overloaded }) => `overloaded: ${server} is overloaded (${overloaded}): Overloaded.`,
    ({ overloaded }) => overloaded,
  ),
  retried(
    "a server that fails",
    fault.serverError(),
    ({ server }) => `server-error: ${server} failed to answer (500): Internal server error.`,
    () => 500,
  ),
  retried(
    "a connection that ends before the answer",
    fault.drop(),
    ({ server }) => `disconnected: The connection to ${server} broke (UND_ERR_SOCKET): Connection error.`,
    () => undefined,
  ),
  retried(
    "a connection that ends behind the headers",
    fault.cut({ afterEvent: 0, answer: say("Lost.") }),
    ({ server }) => `disconnected: The connection to ${server} broke (UND_ERR_SOCKET): terminated.`,
    () => 200,
  ),
  ending("a key that is not accepted", keyError(), {
    story: ({ server, model }) => [
      `run-end error: ${server} does not accept the key for ${model} (401): invalid x-api-key.`,
    ],
    statuses: () => [401],
    answers: [],
    end: { error: { code: "unauthenticated", retryable: false }, requests: 0 },
  }),
  ending("a request that is wrong", requestError(), {
    story: ({ server, model }) => [
      `run-end error: The request to ${server} for ${model} cannot be answered as it is (400): bad field.`,
    ],
    statuses: () => [400],
    answers: [],
    end: { error: { code: "request-invalid", retryable: false }, requests: 0 },
  }),
  ending("a prompt that is too long, with nothing that can be freed", fault.tooLong(), {
    story: ({ model, overflow }) => [
      "warning: The model's server found the request too long: what can be freed is freed.",
      `run-end blocked: The prompt is too long for ${model} (400): ${overflow}`,
    ],
    statuses: () => [400],
    answers: [],
    end: { error: { code: "prompt-too-long" }, requests: 0 },
  }),
  ending("a request of too many bytes", fault.tooLarge(), {
    story: ({ model }) => [
      "warning: The model's server found the request too long: what can be freed is freed.",
      `run-end blocked: The prompt is too long for ${model} (413): Request exceeds the maximum size.`,
    ],
    statuses: () => [413],
    answers: [],
  }),
  ending(
    "an answer that fills the window",
    answer([say("Half of it")], { stopReason: "model_context_window_exceeded" }),
    {
      only: "anthropic",
      story: () => [
        ...whole("model_context_window_exceeded"),
        "warning: The answer was cut: the model's window is full. What can be freed is freed, and it is asked again.",
        "run-end blocked: The answer was cut: the model's window is full, and nothing could be freed.",
      ],
      answers: ["whole: Half of it"],
      end: { text: "Half of it", requests: 1, error: { code: "too-large" } },
      isUnsendable: true,
    },
  ),
  ending("an answer at its limit", answer([say("Half of it")], { stopReason: "max_tokens" }), {
    story: () => [
      ...whole("max_tokens"),
      "run-end max-output: The answer was cut at the most tokens the model may write.",
    ],
    answers: ["whole: Half of it"],
    end: { text: "Half of it" },
  }),
  ending("a refusal in words", answer([say("I will not.")], { stopReason: "refusal" }), {
    only: "anthropic",
    story: () => [...whole("refusal"), "run-end refusal: I will not."],
    answers: ["whole: I will not."],
  }),
  ending("a refusal without words", answer([], { stopReason: "refusal" }), {
    only: "anthropic",
    story: () => [
      "response-start",
      "response-end refusal",
      "run-end refusal: The model has refused to answer.",
    ],
    answers: ["whole: "],
  }),
  ending(
    "a refusal with a reason of its own",
    { type: "refusal", refusal: "That is not allowed." },
    {
      only: "openai",
      story: () => [...whole("refusal"), "run-end refusal: That is not allowed."],
      answers: ["whole: That is not allowed."],
    },
  ),
  ending(
    "a refusal behind calls",
    answer([say("No."), callTool("Echo", { text: "a" }, "call_1")], { stopReason: "refusal" }),
    {
      story: ({ server }) => [
        ...whole("refusal"),
        `run-end refusal: ${server === "Anthropic" ? "No." : "content_filter"}`,
      ],
      answers: ["whole: No. + tool_use Echo"],
    },
  ),
  ending("an empty answer", answer([]), {
    story: () => ["response-start", "response-end end_turn", "run-end done"],
    answers: ["whole: "],
    end: { text: "", requests: 1 },
  }),
  ending("an answer of spaces", say("   "), {
    only: "anthropic",
    story: () => [...whole("end_turn"), "run-end done"],
    answers: ["whole:    "],
    end: { requests: 1 },
  }),
  {
    what: "a pause, which goes on without a word in between",
    only: "anthropic",
    script: [answer([say("Half")], { stopReason: "pause_turn" }), say("and half.")],
    story: (given) => [
      start(1)(given),
      ...whole("pause_turn"),
      start(1)(given),
      ...whole("end_turn"),
      "run-end done",
    ],
    statuses: () => [200, 200],
    answers: ["whole: Half", "whole: and half."],
    end: { text: "and half.", requests: 2 },
  },
  {
    what: "a server that stays overloaded",
    script: Array.from({ length: maxAttempts }, () => fault.overloaded()),
    story: (given) => [
      ...Array.from({ length: maxAttempts - 1 }, (_, at) => [
        start(at + 1)(given),
        `retry-wait overloaded: ${given.server} is overloaded (${given.overloaded}): Overloaded.`,
      ]).flat(),
      start(maxAttempts)(given),
      `run-end error: ${given.server} is overloaded (${given.overloaded}): Overloaded.`,
    ],
    statuses: ({ overloaded }) => Array.from({ length: maxAttempts }, () => overloaded),
    answers: [],
    end: { error: { code: "overloaded", retryable: true }, requests: 0 },
  },
  ending("a server that wants to be left alone for long", fault.rateLimited({ retryAfterSeconds: 3_600 }), {
    story: ({ server, model }) => [
      `run-end error: ${server} takes no more requests for ${model} at the moment (429): This request would exceed your organization's rate limit.`,
    ],
    statuses: () => [429],
    answers: [],
    end: { error: { code: "rate-limited" } },
  }),
];

function keyError(): Reply {
  return fault.error({ status: 401, type: "authentication_error", message: "invalid x-api-key" });
}

function requestError(): Reply {
  return fault.error({ status: 400, type: "invalid_request_error", message: "bad field" });
}

describe.each(providers)("a run with %s meets", (provider) => {
  const given = words[provider];
  it.each(rows.filter(({ only = provider }) => only === provider))("$what", async (row) => {
    const stage = await setStage({ provider, script: row.script, tools: [echo] });
    const events = await stage.run();
    expect(storyOf(events)).toEqual(["run-start", ...row.story(given)]);
    expect(endOf(events)).toMatchObject(row.end ?? {});
    expect(asked(stage).map(({ status }) => status)).toEqual(row.statuses(given));
    expect(await answersOf(stage.session)).toEqual(row.answers);
    expectValid(stage);
    if (row.isUnsendable) {
      await expect(stage.session.prepare()).rejects.toMatchObject({ code: "too-large" });
      await stage.session.add({ role: "user", content: "And?" });
    }
    await expectGoesOn(stage);
  });

  it.each(rows.filter(({ what }) => what.includes("connection") || what.includes("overloaded")))(
    "$what, and asks for the very same again",
    async ({ script }) => {
      const stage = await setStage({ provider, script });
      await stage.run();
      expect(new Set(bodiesOf(stage)).size).toBe(1);
    },
  );

  it("a time to wait, and waits for it", async () => {
    const stage = await setStage({ provider, script: [fault.rateLimited({ retryAfterSeconds: 60 }), done] });
    const events = await stage.run();
    expect(events.find(({ type }) => type === "retry-wait")).toMatchObject({ attempt: 1, delayMs: 60_000 });
    expect(stage.clock.waits).toEqual([60_000]);
    expect(endOf(events).durationMs).toBe(60_000);
  });
});
