import {
  classifyFailure,
  createResponseReader,
  type FailureContext,
  readWireEvent,
} from "@palimpsest/core/internal";
import { fail, type ModelEvent, ok, type Result } from "@palimpsest/core/spec";
import { withLiveness } from "../with-liveness.ts";
import type { AnthropicSettings } from "./anthropic-options.ts";
import type { Connection } from "./connect.ts";
import { createLinkedAbort, type LinkedAbort } from "./linked-abort.ts";
import { requestOptions } from "./request-options.ts";

export interface MessageStream {
  readonly connection: Connection;
  readonly settings: Pick<AnthropicSettings, "clock" | "idleMs">;
  readonly body: object;
  readonly betas: readonly string[];
  readonly context: FailureContext & { readonly signal: AbortSignal };
}

/** What the bytes of an answer came with. */
interface Answer {
  headers: Headers;
}

/**
 * One response as it comes. Ends with `response-end` or an error; a reader that leaves closes the connection. Bytes of
 * any kind are life, so that pings and comments keep the stream of a thinking model open.
 */
export async function* streamMessage(stream: MessageStream): AsyncGenerator<Result<ModelEvent>, void> {
  const { context, connection } = stream;
  const request = createLinkedAbort(context.signal);
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
  request: LinkedAbort,
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
