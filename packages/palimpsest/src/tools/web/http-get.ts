import type { IncomingMessage } from "node:http";
import type { Readable, Transform } from "node:stream";
import { fail, ok, type Result } from "@palimpsest/core/spec";
import { checkedAddresses, type HostAddress, type LookupHost } from "./public-address.ts";

export interface HttpReply {
  readonly status: number;
  /** In lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
  /** There was more than was wanted. */
  readonly isCut: boolean;
}

export interface HttpGetOptions {
  readonly lookup: LookupHost;
  readonly allowPrivate: readonly string[];
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

const requestHeaders = {
  accept: "text/html, text/markdown, text/plain, application/json, image/*;q=0.8, */*;q=0.5",
  "accept-encoding": "gzip, deflate, br",
  "user-agent": "palimpsest",
};

/**
 * One request, no redirects. It connects to the very addresses that were checked: a name that means something else a
 * moment later changes nothing.
 */
export async function httpGet(url: URL, options: HttpGetOptions): Promise<Result<HttpReply>> {
  const addresses = await checkedAddresses(url, options);
  if (!addresses.ok) return addresses;
  try {
    const reply = await send(url, addresses.value, options.signal);
    return ok(await readReply(reply, options.maxBytes));
  } catch (cause) {
    if (options.signal.aborted) return fail("aborted", `The request to ${url.host} was ended.`, { cause });
    const message = cause instanceof Error ? cause.message : String(cause);
    return fail("disconnected", `${url.host} could not be read: ${message}.`, {
      fix: "Check the address; try again later.",
      retryable: true,
      cause,
    });
  }
}

async function send(
  url: URL,
  addresses: readonly HostAddress[],
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { request } = await (url.protocol === "https:" ? import("node:https") : import("node:http"));
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      agent: false,
      headers: requestHeaders,
      signal,
      lookup(_host, { all }, callback) {
        const [first] = addresses;
        if (all) callback(null, [...addresses]);
        else callback(null, first?.address ?? "", first?.family);
      },
    });
    sent.once("response", resolve).on("error", reject);
    sent.end();
  });
}

async function readReply(reply: IncomingMessage, maxBytes: number): Promise<HttpReply> {
  const headers = Object.fromEntries(
    Object.entries(reply.headers).map(([name, value]) => [name, String(value)] as const),
  );
  const body = await decompress(reply, headers["content-encoding"]);
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body) {
    pieces.push(piece as Uint8Array);
    bytes += (piece as Uint8Array).length;
    if (bytes > maxBytes) break;
  }
  reply.destroy();
  const whole = Buffer.concat(pieces);
  return {
    status: reply.statusCode ?? 0,
    headers,
    bytes: whole.subarray(0, maxBytes),
    isCut: whole.length > maxBytes,
  };
}

/** The reply's content once nothing is packed; it is read only as far as it is wanted. */
async function decompress(reply: IncomingMessage, encoding: string | undefined): Promise<Readable> {
  if (encoding === undefined || encoding === "identity") return reply;
  const { createBrotliDecompress, createUnzip } = await import("node:zlib");
  const { pipeline } = await import("node:stream");
  const known: Readonly<Record<string, () => Transform>> = {
    gzip: createUnzip,
    "x-gzip": createUnzip,
    deflate: createUnzip,
    br: createBrotliDecompress,
  };
  const create = Object.hasOwn(known, encoding) ? known[encoding] : undefined;
  if (create === undefined) throw new Error(`its encoding “${encoding}” is not known`);
  // Errors come out where the result is read.
  return pipeline(reply, create(), () => {});
}
