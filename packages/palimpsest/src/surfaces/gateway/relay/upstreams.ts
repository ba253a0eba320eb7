import type { IncomingMessage } from "node:http";
import { PalimpsestError } from "@palimpsest/core/spec";
import type { ProtocolName } from "../protocol/protocol.ts";

/** A provider's server, fixed when the gateway starts. */
export interface Upstream {
  readonly protocol: "http:" | "https:";
  readonly hostname: string;
  readonly port: number;
  /** Stands before every path; empty or with a slash in front and none behind. */
  readonly basePath: string;
  /** As a person wrote it, without `/v1`. */
  readonly url: string;
}

export type Upstreams = Readonly<Record<ProtocolName, Upstream>>;

export const defaultUpstreams: Readonly<Record<ProtocolName, string>> = {
  anthropic: "https://api.anthropic.com",
  openai: "https://api.openai.com",
};

/** Where each API is asked. Throws as `parseUpstream` does. */
export function toUpstreams(upstream: string | undefined, openaiUpstream: string | undefined): Upstreams {
  return {
    anthropic: parseUpstream(upstream ?? defaultUpstreams.anthropic),
    openai: parseUpstream(openaiUpstream ?? upstream ?? defaultUpstreams.openai),
  };
}

/** Throws `invalid-input` where it is no address, or has more in it than one. `/v1` at its end may be given. */
function parseUpstream(text: string): Upstream {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const { protocol } = url ?? {};
  if (!url || (protocol !== "http:" && protocol !== "https:")) {
    throw invalid(`“${text}” is not the address of a server.`);
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw invalid("The upstream has a password, a query or a fragment in it.");
  }
  const basePath = url.pathname.replace(/\/+$/, "").replace(/\/v1$/, "");
  return {
    protocol,
    hostname: url.hostname.replace(/^\[|\]$/g, ""),
    port: Number(url.port) || (protocol === "https:" ? 443 : 80),
    basePath,
    url: `${url.origin}${basePath}`,
  };
}

function invalid(message: string): PalimpsestError {
  return new PalimpsestError("invalid-input", message, {
    path: "upstream",
    fix: "Give one such as https://api.anthropic.com.",
  });
}

/** The provider's answer: a message whose body is still to come, or one that was read and is given on all the same. */
export type UpstreamAnswer = Pick<
  IncomingMessage,
  "statusCode" | "statusMessage" | "rawHeaders" | "headers" | "complete"
> &
  AsyncIterable<Uint8Array> & { destroy(): unknown };

/** An answer whose body was read already. */
export function readAnswer(answer: UpstreamAnswer, body: Uint8Array): UpstreamAnswer {
  const { statusCode, statusMessage, rawHeaders, headers, complete } = answer;
  return {
    ...{ statusCode, statusMessage, rawHeaders, headers, complete },
    destroy: () => answer.destroy(),
    async *[Symbol.asyncIterator]() {
      yield body;
    },
  };
}
