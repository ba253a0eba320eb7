import type {
  Model,
  ModelEvent,
  ModelRequest,
  ModelResponse,
  PalimpsestError,
} from "../../packages/core/src/spec/index.ts";

export interface Collected {
  readonly events: readonly ModelEvent[];
  readonly response?: ModelResponse;
  readonly error?: PalimpsestError;
}

export const hello: ModelRequest = {
  model: "claude-opus-4-5",
  max_tokens: 1_000,
  messages: [{ role: "user", content: [{ type: "text", text: "Hello." }] }],
};

/** Everything a stream gives. */
export async function collect(
  model: Model,
  request: Partial<ModelRequest> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<Collected> {
  const events: ModelEvent[] = [];
  for await (const result of model.stream({ ...hello, ...request }, signal)) {
    if (!result.ok) return { events, error: result.error };
    events.push(result.value);
    if (result.value.type === "response-end") {
      const { type, ...response } = result.value;
      return { events, response };
    }
  }
  return { events };
}
