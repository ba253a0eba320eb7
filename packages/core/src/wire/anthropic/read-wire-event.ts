import { isObject } from "../../log/import/json-value.ts";
import { fail, ok, type Result } from "../../spec/index.ts";
import { maskSecrets } from "../mask-secrets.ts";

/** One event of a stream as it came. */
export interface ServerSentEvent {
  readonly event: string | null;
  readonly data: string;
}

/** One event of a stream after JSON.parse. */
export type WireEvent = Readonly<Record<string, unknown>> & { readonly type: string };

const maxShownChars = 200;

/** The event in a server-sent one; nothing in pings and in events without words. */
export function readWireEvent({ event, data }: ServerSentEvent): Result<WireEvent | undefined> {
  if (event === "ping" || data === "") return ok(undefined);
  const wire = parse(data);
  const type = isObject(wire) && typeof wire.type === "string" ? wire.type : event;
  if (type === "error") return ok({ type, ...(isObject(wire) ? wire : { error: { message: data } }) });
  if (isObject(wire) && type !== null) return ok({ ...wire, type });
  const shown = maskSecrets(data).slice(0, maxShownChars);
  return fail("malformed-response", `Anthropic sent an event that is none: ${shown}`, {
    retryable: true,
    fix: "Try again; if it stays, look at what stands between you and the model's server.",
  });
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
