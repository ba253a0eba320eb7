import { type Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps, type Agent as SecureAgent } from "node:https";
import type { Upstream } from "./upstreams.ts";

/** Connections that are kept between requests. */
export interface Agents {
  readonly http: Agent;
  readonly https: SecureAgent;
}

export interface UpstreamInput {
  readonly upstream: Upstream;
  readonly agents: Agents;
  readonly method: string;
  /** Path and query, as the client asked for them. */
  readonly target: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: Buffer;
  readonly signal: AbortSignal;
  /** How long the provider may be silent. */
  readonly idleMs: number;
}

/**
 * Asks the provider, and gives its answer with the body still to come. Redirections are answers like any other: nothing
 * is followed. Rejects where the provider cannot be reached, is silent for too long, or the signal aborts.
 */
export function askUpstream(input: UpstreamInput): Promise<IncomingMessage> {
  const { upstream, agents, method, target, headers, body, signal, idleMs } = input;
  const { protocol, hostname, port, basePath } = upstream;
  const isSecure = protocol === "https:";
  const hostHeader = (isSecure ? port === 443 : port === 80) ? hostname : `${bracketHost(hostname)}:${port}`;
  const hasBody = body.length > 0 || !(method === "GET" || method === "HEAD" || method === "OPTIONS");
  const length = hasBody ? ["content-length", String(body.length)] : [];
  const options = {
    hostname,
    port,
    method,
    path: `${basePath}${target}`,
    headers: ["host", hostHeader, ...headers, ...length],
    signal,
    setHost: false,
    insecureHTTPParser: false,
  };
  return new Promise((resolve, reject) => {
    const asked: ClientRequest = isSecure
      ? requestHttps({ ...options, agent: agents.https })
      : requestHttp({ ...options, agent: agents.http });
    asked.setNoDelay(true);
    asked.setTimeout(idleMs, () => asked.destroy(new Error("The provider is silent.")));
    asked.once("response", resolve);
    asked.on("error", reject);
    asked.end(body);
  });
}

function bracketHost(hostname: string): string {
  return hostname.includes(":") ? `[${hostname}]` : hostname;
}
