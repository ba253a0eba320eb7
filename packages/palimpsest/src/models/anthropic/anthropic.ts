import {
  classifyFailure,
  createResponseReader,
  type FailureContext,
  isRecord,
  readWireEvent,
} from "@palimpsest/core/internal";
import {
  type Clock,
  fail,
  type Model,
  type ModelEvent,
  type ModelRequest,
  ok,
  type Result,
} from "@palimpsest/core/spec";
import { createLinkedSignal, type LinkedSignal } from "../../signals.ts";
import { rememberKeys, siblingName } from "../model-keys.ts";
import { withLiveness } from "../with-liveness.ts";
import {
  type AnthropicOptions,
  type AnthropicSettings,
  toCapabilities,
  toSettings,
} from "./anthropic-options.ts";
import { type Connection, connect } from "./connect.ts";

/** The fields of a request that the counting endpoint takes. */
const countedFields = [
  "model",
  "messages",
  "system",
  "tools",
  "tool_choice",
  "thinking",
  "cache_control",
  "compaction",
  "context_management",
  "mcp_servers",
  "output_config",
  "speed",
] as const;

/**
 * A Claude model through the official SDK. Requests are sent as they are, once, to the one endpoint that betas and
 * everything else share; betas go into the header. Trying again is the caller's decision.
 */
export function anthropic(name: string, options: AnthropicOptions = {}): Model {
  const settings = toSettings(name, options);
  const { clock, model } = settings;
  let connecting: Promise<Result<Connection>> | undefined;
  const connected = () => {
    connecting ??= connect(settings);
    return connecting;
  };
  const contextOf = ({ secrets }: Connection, asked: string, signal: AbortSignal) => ({
    provider: "Anthropic",
    model: asked,
    signal,
    secrets,
    nowMs: clock.now(),
  });
  const betasOf = (betas: readonly string[] = []) => [...new Set([...settings.betas, ...betas])];

  const made: Model = {
    name,
    ...(settings.betas.length > 0 && { betas: settings.betas }),
    sibling(other) {
      const asked = siblingName(other, name, "anthropic");
      return asked === undefined ? undefined : anthropic(asked, options);
    },
    async *stream({ betas, ...fields }, signal) {
      const connection = await connected();
      if (!connection.ok) return yield connection;
      yield* streamMessage({
        connection: connection.value,
        settings,
        body: { ...fields, stream: true },
        betas: betasOf(betas),
        context: contextOf(connection.value, fields.model, signal),
      });
    },
    async count(request, signal = neverAborted()) {
      const connection = await connected();
      if (!connection.ok) return connection;
      const { client } = connection.value;
      const betas = betasOf(request.betas);
      const body = countedOf(request);
      const context = contextOf(connection.value, request.model, signal);
      const answer = await askOnce({ ...settings, context }, (within) =>
        client.post("/v1/messages/count_tokens", requestOptions({ betas, body, signal: within })),
      );
      return answer.ok ? tokensOf(answer.value) : answer;
    },
    async capabilities(signal = neverAborted()) {
      const connection = await connected();
      if (!connection.ok) return connection;
      const { client } = connection.value;
      const path = `/v1/models/${encodeURIComponent(model)}`;
      const context = contextOf(connection.value, model, signal);
      const answer = await askOnce({ ...settings, context }, (within) =>
        client.get(path, requestOptions({ betas: settings.betas, signal: within })),
      );
      return answer.ok ? ok(toCapabilities(answer.value)) : answer;
    },
  };
  return rememberKeys(made, () => [settings.apiKey, settings.client?.apiKey, settings.client?.authToken]);
}

const neverAborted = () => new AbortController().signal;

function countedOf(request: ModelRequest): object {
  return Object.fromEntries(
    countedFields.filter((field) => request[field] !== undefined).map((field) => [field, request[field]]),
  );
}

function tokensOf(answer: unknown): Result<number> {
  const tokens = isRecord(answer) ? answer.input_tokens : undefined;
  if (typeof tokens === "number" && Number.isSafeInteger(tokens)) return ok(tokens);
  return fail("malformed-response", "Anthropic gave no count of tokens.", { retryable: true });
}

interface StreamCall {
  readonly clock: Clock;
  readonly idleMs: number;
  readonly context: FailureContext & { readonly signal: AbortSignal };
}

/** One request with one answer; it may not stay silent for longer than a stream may. Never throws. */
async function askOnce<T>(
  { clock, idleMs, context }: StreamCall,
  send: (signal: AbortSignal) => PromiseLike<T>,
): Promise<Result<T>> {
  const { signal, abort, unlink } = createLinkedSignal([context.signal]);
  async function* once(): AsyncGenerator<T> {
    yield await send(signal);
  }
  try {
    for await (const answer of withLiveness(once(), { clock, idleMs, onStall: abort })) return answer;
    throw new TypeError("The request gave nothing.");
  } catch (cause) {
    return { ok: false, error: classifyFailure(cause, context) };
  } finally {
    unlink();
  }
}

interface MessageStream {
  readonly connection: Connection;
  readonly settings: Pick<AnthropicSettings, "clock" | "idleMs">;
  readonly body: object;
  readonly betas: readonly string[];
  readonly context: FailureContext & { readonly signal: AbortSignal };
}

/** The answer that bytes came with. */
interface Answer {
  headers: Headers;
}

/**
 * One response as it comes. Ends with `response-end` or an error; a reader that leaves closes the connection. Bytes of
 * any kind are life, so that pings and comments keep the stream of a thinking model open.
 */
async function* streamMessage(stream: MessageStream): AsyncGenerator<Result<ModelEvent>, void> {
  const { context, connection } = stream;
  const request = createLinkedSignal([context.signal]);
  const reader = createResponseReader();
  const answer: Answer = { headers: new Headers() };
  const events = connection.rawEvents(new Response(receive(stream, request, answer)));
  let isWhole = false;
  try {
    while (!isWhole) {
      const next = await events.next();
      context.signal.throwIfAborted();
      if (next.done === true) return yield cutShort(answer);
      const wire = readWireEvent(next.value);
      if (!wire.ok) return yield wire;
      if (wire.value === undefined) continue;
      if (wire.value.type === "error") {
        const said = { error: wire.value, headers: answer.headers };
        return yield { ok: false, error: classifyFailure(said, context) };
      }
      const read = reader.read(wire.value);
      if (!read.ok) return yield read;
      if (read.value === undefined) continue;
      isWhole = read.value.type === "response-end";
      yield ok(read.value);
    }
  } catch (cause) {
    yield { ok: false, error: classifyFailure(cause, context) };
  } finally {
    request.unlink();
    // Nobody waits for the end of the body, but a connection that was read to its end can be used again.
    if (isWhole) events.next().then(request.abort, request.abort);
    else request.abort();
  }
}

/** The bytes of the answer; asking for it is part of what may stall. */
async function* receive(
  { connection, settings, body, betas }: MessageStream,
  request: LinkedSignal,
  answer: Answer,
): AsyncGenerator<Uint8Array> {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    const options = requestOptions({ betas, body, signal: request.signal });
    const response = await connection.client.post("/v1/messages", { ...options, stream: true }).asResponse();
    answer.headers = response.headers;
    if (response.body !== null) yield* response.body;
  }
  const { clock, idleMs } = settings;
  for await (const chunk of withLiveness(bytes(), { clock, idleMs, onStall: request.abort })) {
    if (!chunk.ok) throw chunk.error;
    yield chunk.value;
  }
}

function cutShort({ headers }: Answer): Result<never> {
  const type = headers.get("content-type") ?? "";
  if (type === "" || type.includes("text/event-stream")) {
    return fail("disconnected", "Anthropic's response ended before it was whole.", { retryable: true });
  }
  return fail("malformed-response", `The server answered with ${type} instead of a stream.`, {
    retryable: true,
    fix: "Check the base URL.",
  });
}

/** The longest timer there is: the SDK's own clock must never end what is still alive. */
const neverMs = 2_147_483_647;

/** How every request is sent: once, with its betas, until the signal ends it. */
function requestOptions(request: {
  readonly betas: readonly string[];
  readonly signal: AbortSignal;
  readonly body?: object;
}) {
  const { betas, body, signal } = request;
  return {
    ...(body && { body }),
    ...(betas.length > 0 && { headers: { "anthropic-beta": betas.join(",") } }),
    maxRetries: 0,
    timeout: neverMs,
    signal,
  };
}
