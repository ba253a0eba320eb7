import { isObject } from "@palimpsest/core/internal";
import { fail, type Model, type ModelRequest, ok, type Result } from "@palimpsest/core/spec";
import { rememberKeys } from "../model-keys.ts";
import { siblingName } from "../provider-of-name.ts";
import { type AnthropicOptions, toSettings } from "./anthropic-options.ts";
import { askOnce } from "./ask-once.ts";
import { type Connection, connect } from "./connect.ts";
import { requestOptions } from "./request-options.ts";
import { streamMessage } from "./stream-message.ts";
import { toCapabilities } from "./to-capabilities.ts";

/** What the counting endpoint takes of a request. */
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
  const tokens = isObject(answer) ? answer.input_tokens : undefined;
  if (typeof tokens === "number" && Number.isSafeInteger(tokens)) return ok(tokens);
  return fail("malformed-response", "Anthropic gave no count of tokens.", { retryable: true });
}
