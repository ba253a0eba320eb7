import { filledText, isObject, type JsonObject } from "../../json/json-values.ts";
/** Looks a header up; names in lower case. */
export type HeaderReader = (name: string) => string | undefined;

/** The facts that can be read off a thrown thing, whichever SDK threw it. */
export interface ReadFailure {
  /** Names of its class and of itself: SDKs set one or the other. */
  readonly names: readonly string[];
  readonly status?: number;
  /** The provider's word for the kind of error: `overloaded_error`. */
  readonly type?: string;
  /** The provider's code where it has one besides: `context_length_exceeded`. */
  readonly code?: string;
  /** A server has said it, be it in the middle of a stream: there is a body. */
  readonly isSaid?: boolean;
  /** Of the machine, from anywhere in the chain of causes: `ECONNRESET`. */
  readonly systemCode?: string;
  /** The provider's own words where there are some, else the error's. */
  readonly text: string;
  readonly requestId?: string;
  readonly header: HeaderReader;
}

const maxCauses = 8;

/** Reads status, headers, body and message wherever the official SDKs put them. Never throws. */
export function readFailure(cause: unknown): ReadFailure {
  try {
    return readFields(isObject(cause) ? cause : { message: String(cause) });
  } catch {
    return { names: [], text: "", header: () => undefined };
  }
}

function readFields(thrown: JsonObject): ReadFailure {
  const header = headerReader(thrown.headers);
  const body = isObject(thrown.error) ? thrown.error : {};
  const inner = isObject(body.error) ? body.error : body;
  const status = typeof thrown.status === "number" ? thrown.status : undefined;
  const type = filledText(thrown.type) ?? filledText(inner.type) ?? filledText(body.type);
  const code = filledText(inner.code) ?? (status === undefined ? undefined : filledText(thrown.code));
  const systemCode = systemCodeOf(thrown);
  const requestId =
    filledText(thrown.requestID) ??
    filledText(body.request_id) ??
    header("request-id") ??
    header("x-request-id");
  return {
    names: [filledText(thrown.name), filledText(thrown.constructor?.name)].filter(
      (name) => name !== undefined,
    ),
    ...(status !== undefined && { status }),
    ...(type !== undefined && { type }),
    ...(code !== undefined && { code }),
    ...(isObject(thrown.error) && !(thrown.error instanceof Error) && { isSaid: true }),
    ...(systemCode !== undefined && { systemCode }),
    ...(requestId !== undefined && { requestId }),
    text: filledText(inner.message) ?? filledText(thrown.message) ?? "",
    header,
  };
}

/** Errors of the system and of `fetch` are wrapped up to three times over. */
function systemCodeOf(thrown: JsonObject): string | undefined {
  let link: unknown = thrown;
  for (let depth = 0; depth < maxCauses && isObject(link); depth += 1) {
    const code = filledText(link.code);
    if (code !== undefined && /^[A-Z][A-Z0-9_]+$/.test(code)) return code;
    link = link.cause;
  }
  return undefined;
}

function headerReader(headers: unknown): HeaderReader {
  if (!isObject(headers)) return () => undefined;
  if (typeof headers.get === "function") {
    const { get } = headers;
    return (name) => filledText(get.call(headers, name));
  }
  const lower = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => filledText(lower.get(name));
}
