import assert from "node:assert/strict";
import type {
  Clock,
  ErrorCode,
  Model,
  ModelEvent,
  ModelRequest,
  ModelResponse,
  PalimpsestError,
} from "@palimpsest/core/spec";
import { createEmulator } from "../emulator/create-emulator.ts";
import type { Emulator, EmulatorOptions } from "../emulator/emulator.ts";
import { answer, callTool, say } from "../emulator/script/answer.ts";
import { type Fault, fault } from "../emulator/script/fault.ts";
import { createVirtualClock, type VirtualClock } from "../virtual-clock.ts";
import { type ConformanceCase, must } from "./outcomes.ts";

/** The surroundings a model is made for: a server that speaks its protocol, and the time that counts. */
export interface ModelSurroundings {
  /** Of the emulator, without a path. */
  readonly url: string;
  readonly clock: Clock;
  /** How long nothing may come before the model says `stalled`. */
  readonly idleMs: number;
}

interface Stage {
  readonly emulator: Emulator;
  readonly clock: VirtualClock;
  readonly model: Model;
}

interface Run {
  readonly events: readonly ModelEvent[];
  /** Of a response that came whole. */
  readonly response?: ModelResponse;
  readonly error?: PalimpsestError;
}

const idleMs = 30_000;
const words = say("A few words, so that they come in more than one piece.");
const call = callTool("Write", { file_path: "a.txt", content: "line\n".repeat(20) }, "toolu_1");

const tool = {
  name: "Write",
  description: "Writes a file.",
  input_schema: { type: "object", properties: { content: { type: "string" } } },
};

/**
 * The contract of every model, checked over HTTP against the emulator: `create` points one at it. `name` is a model
 * that the emulator knows.
 */
export function modelConformance(
  create: (surroundings: ModelSurroundings) => Model | Promise<Model>,
  { name }: { readonly name: string },
): readonly ConformanceCase[] {
  const request: ModelRequest = {
    model: name,
    max_tokens: 2_000,
    tools: [tool],
    messages: [{ role: "user", content: [{ type: "text", text: "Hello." }] }],
  };
  const fresh = () => new AbortController().signal;

  async function onStage(script: EmulatorOptions["script"], play: (stage: Stage) => Promise<void>) {
    const clock = createVirtualClock();
    const emulator = await createEmulator({ clock, ...(script && { script }) });
    try {
      await play({ emulator, clock, model: await create({ url: emulator.url, clock, idleMs }) });
    } finally {
      await emulator.close();
    }
  }

  /** Reads a stream to its end, and holds it to its order whatever comes of it. */
  async function read({ model }: Stage, signal = fresh(), onEvent?: (count: number) => void): Promise<Run> {
    const events: ModelEvent[] = [];
    let error: PalimpsestError | undefined;
    for await (const result of model.stream(request, signal)) {
      assert.equal(error, undefined, "something came behind the error");
      if (result.ok) {
        events.push(result.value);
        onEvent?.(events.length);
      } else error = result.error;
    }
    const response = checkOrder(events);
    assert.equal(response === undefined, error !== undefined, "it ends with `response-end` or with an error");
    return { events, ...(response && { response }), ...(error && { error }) };
  }

  /** The same answer whole, and then broken after each of its events. */
  async function breakEverywhere(
    kind: "cut" | "malformed",
    check: (run: Run, whole: Run, part: number) => void,
  ): Promise<void> {
    await onStage([[words, call]], async (stage) => {
      const whole = await read(stage);
      const count = stage.emulator.requests.last?.events ?? 0;
      assert.ok(count > 5);
      for (let afterEvent = 0; afterEvent < count; afterEvent += 1) {
        stage.emulator.setScript([fault[kind]({ afterEvent, answer: [words, call] })]);
        check(await read(stage), whole, afterEvent / count);
      }
    });
  }

  async function failure(given: Fault): Promise<PalimpsestError> {
    let error: PalimpsestError | undefined;
    await onStage([given], async (stage) => {
      error = (await read(stage)).error;
      assert.equal(stage.emulator.requests.total, 1, "it is asked once: who asks again is not the model");
    });
    assert.ok(error);
    return error;
  }

  const failing = (
    sentence: string,
    given: Fault,
    expected: { readonly code: ErrorCode; readonly retryable: boolean; readonly facts?: object },
  ): ConformanceCase => ({
    name: sentence,
    async run() {
      const { code, retryable, facts, message } = await failure(given);
      const known = Object.keys(expected.facts ?? {}).map((fact) => [fact, facts[fact]]);
      assert.deepEqual(
        { code, retryable, facts: Object.fromEntries(known) },
        { ...expected, facts: expected.facts ?? {} },
      );
      assert.ok(message.length > 10);
    },
  });

  return [
    {
      name: "gives a response from its start to its end, each block whole before it counts",
      run: () =>
        onStage([[words, call]], async (stage) => {
          const { events, response } = await read(stage);
          assert.deepEqual(
            response?.content.map(({ type }) => type),
            ["text", "tool_use"],
          );
          assert.equal(textOf(response), words.text);
          assert.deepEqual(response?.content[1], {
            ...response?.content[1],
            id: "toolu_1",
            input: call.input,
          });
          assert.equal(response?.stopReason, "tool_use");
          assert.ok(events.filter(({ type }) => type === "block-delta").length > 2, "it comes in pieces");
        }),
    },
    {
      name: "says how many tokens a response took",
      run: () =>
        onStage([words], async (stage) => {
          const { response } = await read(stage);
          assert.ok(response);
          const { input, output, cacheRead, cacheCreation } = response.usage;
          assert.equal(input + cacheRead + cacheCreation, stage.emulator.requests.last?.promptTokens);
          assert.ok(output > 0);
        }),
    },
    {
      name: "names a call that the limit cut, and keeps it out of the content",
      run: () =>
        onStage([answer([words, callTool("Write", { content: "line\n".repeat(2_000) })])], async (stage) => {
          const { response } = await read(stage);
          assert.deepEqual(
            response?.content.map(({ type }) => type),
            ["text"],
          );
          assert.equal(response?.stopReason, "max_tokens");
          const [broken] = response?.brokenCalls ?? [];
          assert.equal(broken?.name, "Write");
          assert.ok(broken?.json.startsWith('{"content":"line'));
        }),
    },
    {
      name: "has nothing but an error to give once it is aborted, after any event",
      run: () =>
        onStage(
          () => [words, call],
          async (stage) => {
            const whole = await read(stage);
            for (let after = 0; after < whole.events.length; after += 1) {
              const controller = new AbortController();
              if (after === 0) controller.abort();
              const { events, error } = await read(stage, controller.signal, (count) => {
                if (count === after) controller.abort();
              });
              assert.equal(error?.code, "aborted");
              assert.equal(events.length, after);
            }
            await stage.emulator.idle();
          },
        ),
    },
    {
      name: "closes the connection of a stalled stream when it is aborted",
      run: () =>
        onStage(
          [fault.stall({ afterEvent: 0 }), fault.stall({ afterEvent: 4, answer: words })],
          async (stage) => {
            for (const sent of [0, 4]) {
              const controller = new AbortController();
              const reading = read(stage, controller.signal);
              await until(() => (stage.emulator.requests.last?.events ?? -1) >= sent);
              controller.abort();
              assert.equal((await reading).error?.code, "aborted");
              await stage.emulator.idle();
              assert.equal(stage.emulator.requests.last?.events, sent);
            }
          },
        ),
    },
    {
      name: "closes the connection when nobody reads on",
      run: () =>
        onStage([fault.stall({ afterEvent: 4, answer: words })], async ({ emulator, model }) => {
          for await (const result of model.stream(request, fresh())) {
            must(result);
            break;
          }
          await emulator.idle();
          assert.equal(emulator.requests.total, 1);
        }),
    },
    {
      name: "ends with an error that may be tried again where the connection breaks, after any event",
      run: () =>
        breakEverywhere("cut", ({ error, response }, whole, part) => {
          if (response) assert.deepEqual(response.content, whole.response?.content);
          else assert.deepEqual([error?.code, error?.retryable], ["disconnected", true]);
          assert.ok(part > 0.8 || !response, "a part was taken for the whole");
        }),
    },
    {
      name: "never takes a stream with a broken event for a whole one",
      run: () =>
        breakEverywhere("malformed", ({ error, response }, whole) => {
          if (response) assert.deepEqual(response.content, whole.response?.content);
          else assert.deepEqual([error?.code, error?.retryable], ["malformed-response", true]);
        }),
    },
    {
      name: "says that a stream has stalled when nothing has come for as long as it may",
      run: () =>
        onStage(
          [fault.stall({ afterEvent: 0 }), fault.stall({ afterEvent: 4, answer: words })],
          async (stage) => {
            for (let round = 0; round < 2; round += 1) {
              let ended: Run | undefined;
              void read(stage).then((run) => {
                ended = run;
              });
              await until(async () => {
                await stage.clock.advance(idleMs);
                return ended !== undefined;
              });
              assert.deepEqual([ended?.error?.code, ended?.error?.retryable], ["stalled", true]);
              await stage.emulator.idle();
            }
          },
        ),
    },
    {
      name: "keeps streams that run beside each other apart",
      run: () =>
        onStage(
          ({ ordinal }) => say(`This is answer number ${ordinal}, and no other.`),
          async (stage) => {
            const runs = await Promise.all(Array.from({ length: 8 }, () => read(stage)));
            const texts = new Set(runs.map(({ response }) => textOf(response)));
            assert.deepEqual(
              texts,
              new Set(runs.map((_, index) => `This is answer number ${index + 1}, and no other.`)),
            );
          },
        ),
    },
    failing("gives a rate limit with the seconds to wait", fault.rateLimited({ retryAfterSeconds: 7 }), {
      code: "rate-limited",
      retryable: true,
      facts: { status: 429, retryAfterMs: 7_000 },
    }),
    failing(
      "prefers the milliseconds to wait",
      fault.overloaded({ retryAfterSeconds: 7, retryAfterMs: 250 }),
      { code: "overloaded", retryable: true, facts: { status: 529, retryAfterMs: 250 } },
    ),
    failing("gives a failure of the server", fault.serverError(), {
      code: "server-error",
      retryable: true,
      facts: { status: 500 },
    }),
    failing("knows a prompt that is too long, and by how much", fault.tooLong(), {
      code: "prompt-too-long",
      retryable: false,
      facts: { status: 400, tokens: 200_001, maximum: 200_000 },
    }),
    failing("knows a request of too many bytes", fault.tooLarge(), {
      code: "prompt-too-long",
      retryable: false,
      facts: { status: 413 },
    }),
    failing("gives a connection that ends before the answer", fault.drop(), {
      code: "disconnected",
      retryable: true,
    }),
    failing(
      "gives a request that is wrong",
      fault.error({ status: 400, type: "invalid_request_error", message: "max_tokens: too many" }),
      { code: "request-invalid", retryable: false, facts: { status: 400 } },
    ),
    failing(
      "gives a key that is not accepted",
      fault.error({ status: 401, type: "authentication_error", message: "invalid x-api-key" }),
      { code: "unauthenticated", retryable: false, facts: { status: 401 } },
    ),
    failing("gives an error in the middle of a stream", fault.streamError({ afterEvent: 3, answer: words }), {
      code: "overloaded",
      retryable: true,
    }),
  ];
}

/** The events of one response, whole or not, stand in order; gives the response of a whole one. */
function checkOrder(events: readonly ModelEvent[]): ModelResponse | undefined {
  const ended: unknown[] = [];
  const open = new Set<number>();
  let begun = 0;
  for (const [at, event] of events.entries()) {
    assert.equal(event.type === "response-start", at === 0, "`response-start` comes first, and once");
    if (event.type === "block-start") {
      assert.equal(event.index, begun);
      open.add(event.index);
      begun += 1;
    } else if (event.type === "block-delta") assert.ok(open.has(event.index), "a piece of no open block");
    else if (event.type === "block-end") {
      assert.ok(open.delete(event.index), "the end of no open block");
      if (event.block !== undefined) ended.push(event.block);
    } else if (event.type === "response-end") {
      assert.equal(at, events.length - 1, "`response-end` comes last");
      assert.equal(open.size, 0, "a block that never ends");
      assert.deepEqual(event.content, ended);
      return event;
    }
  }
  return undefined;
}

function textOf(response: ModelResponse | undefined): string {
  const blocks = (response?.content ?? []) as readonly { readonly type: string; readonly text?: string }[];
  return blocks.map(({ text = "" }) => text).join("");
}

/** Lets everything else run until something is so. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
}
