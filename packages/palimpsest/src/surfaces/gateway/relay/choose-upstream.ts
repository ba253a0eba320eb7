import type { IncomingHttpHeaders } from "node:http";
import type { Refusal } from "../guard/gateway-limits.ts";
import type { ProtocolName } from "../protocol/protocol.ts";
import { defaultUpstreams, type Upstream, type Upstreams } from "./upstreams.ts";

/** Who may be meant by a request. Only two of them have a server behind the gateway. */
type Provider = "Anthropic" | "OpenAI" | "Google" | "Amazon";

export interface RouteInput {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
}

export interface Route {
  readonly upstream: Upstream;
  /** Absent where one server is asked everything, and nothing says whose words the request has. */
  readonly protocol?: ProtocolName;
}

export type RouteChoice = { readonly route: Route } | { readonly refusal: Refusal };

/** The first part of a path behind `/v1/`, as the official SDKs have them. */
const anthropicPaths: ReadonlySet<string> = new Set([
  "agents",
  "complete",
  "deployment_runs",
  "deployments",
  "dreams",
  "environments",
  "memory_stores",
  "messages",
  "organizations",
  "sessions",
  "tunnels",
  "user_profiles",
  "vaults",
]);

const openaiPaths: ReadonlySet<string> = new Set([
  "assistants",
  "audio",
  "batches",
  "chat",
  "chatkit",
  "completions",
  "containers",
  "conversations",
  "embeddings",
  "evals",
  "fine_tuning",
  "images",
  "moderations",
  "organization",
  "realtime",
  "responses",
  "threads",
  "uploads",
  "vector_stores",
  "videos",
]);

const pathsOfBoth: ReadonlySet<string> = new Set(["files", "models", "skills"]);

const signs: readonly (readonly [RegExp, Provider])[] = [
  [/^anthropic-/, "Anthropic"],
  [/^openai-/, "OpenAI"],
  [/^x-goog-/, "Google"],
  [/^x-amz-/, "Amazon"],
];

/** How keys begin that say whose they are. */
const keySigns: readonly (readonly [RegExp, Provider])[] = [
  [/^sk-ant-/, "Anthropic"],
  [/^sk-(?:proj|svcacct|admin|service)-/, "OpenAI"],
  [/^AIza/, "Google"],
];

const oneForAll =
  "Start the gateway in front of one server for everything: palimpsest gateway --upstream URL.";
const shownChars = 200;

/** Without the query, in which keys may stand. */
export function pathOf(target: string): string {
  return target.split("?", 1)[0] ?? "";
}

/**
 * Whose a request is. A key that comes with it must reach nobody else: where path and headers do not say it, or say two
 * things, it is refused, unless one server was given for everything.
 */
export function chooseUpstream(input: RouteInput, upstreams: Upstreams): RouteChoice {
  const path = pathOf(input.target);
  const named = providersNamed(input);
  const provider = providerOfPath(input.method, path);
  const { anthropic, openai } = upstreams;
  if (anthropic.url === openai.url) {
    const protocol = protocolOf(provider === "both" ? ([...named][0] ?? "OpenAI") : provider);
    return { route: { upstream: anthropic, ...(protocol && { protocol }) } };
  }
  for (const foreign of ["Google", "Amazon"] as const) {
    if (provider === foreign || named.has(foreign)) return { refusal: noServer(foreign, path) };
  }
  if (provider === undefined) return { refusal: refuseUnknownPath(path) };
  if (named.size > 1)
    return { refusal: refuseUnclear(path, `its headers and key are of ${[...named].join(" and ")}`) };
  const [meant = "OpenAI"] = named;
  if (provider !== "both" && named.size > 0 && provider !== meant) {
    return { refusal: refuseUnclear(path, `its path is of ${provider}, its headers or key are of ${meant}`) };
  }
  const protocol = protocolOf(provider === "both" ? meant : provider) ?? "openai";
  const { headers } = input;
  if (protocol === "openai" && headers["x-api-key"] !== undefined) {
    return {
      refusal: refuseUnclear(path, "“x-api-key” is Anthropic's, and no header “anthropic-version” says so"),
    };
  }
  const upstream = upstreams[protocol];
  const isOfEither = provider === "both" && named.size === 0;
  if (headers["api-key"] !== undefined && (isOfEither || upstream.url === defaultUpstreams[protocol])) {
    return { refusal: refuseUnclear(path, "“api-key” is the key of neither Anthropic nor OpenAI") };
  }
  return { route: { upstream, protocol } };
}

function providersNamed({ headers, target }: RouteInput): ReadonlySet<Provider> {
  const named = new Set<Provider>();
  for (const [name, provider] of signs) {
    if (Object.keys(headers).some((header) => name.test(header))) named.add(provider);
  }
  const keys = [headers["x-api-key"], headers.authorization?.replace(/^bearer\s+/i, "")].flat();
  for (const [beginning, provider] of keySigns) {
    if (keys.some((key) => key !== undefined && beginning.test(key.trim()))) named.add(provider);
  }
  const query = new URLSearchParams(target.slice(pathOf(target).length));
  if (query.has("key")) named.add("Google");
  if (/^AWS4-/i.test(headers.authorization ?? "")) named.add("Amazon");
  return named;
}

function providerOfPath(method: string, path: string): Provider | "both" | undefined {
  if (/^\/(?:upload\/)?v1(?:alpha|beta)/.test(path)) return "Google";
  const [, first = "", rest = ""] = /^\/v1\/([^/]+)(.*)$/.exec(path) ?? [];
  if (anthropicPaths.has(first)) return "Anthropic";
  if (first === "models" && method === "POST") return rest.includes(":") ? "Google" : undefined;
  if (first === "chat" && !/^\/completions(?:\/|$)/.test(rest)) return undefined;
  if (openaiPaths.has(first)) return "OpenAI";
  return pathsOfBoth.has(first) ? "both" : undefined;
}

function protocolOf(provider: Provider | undefined): ProtocolName | undefined {
  if (provider === "Anthropic") return "anthropic";
  return provider === "OpenAI" ? "openai" : undefined;
}

function noServer(provider: Provider, path: string): Refusal {
  const message = `The request for ${showPath(path)} is meant for ${provider}, and no server of ${provider} is behind this gateway. ${oneForAll}`;
  return { code: "provider-missing", status: 404, message, ...(provider === "Google" && { form: "google" }) };
}

function refuseUnknownPath(path: string): Refusal {
  const message = `The gateway does not know the path ${showPath(path)}, so it cannot tell whose key came with it. Nothing was sent. ${oneForAll}`;
  return { code: "path-unknown", status: 404, message };
}

function refuseUnclear(path: string, why: string): Refusal {
  const message = `The gateway cannot tell whose key came with the request for ${showPath(path)}: ${why}. Nothing was sent. Send the headers of one provider, or: ${oneForAll}`;
  return { code: "provider-unclear", status: 400, message };
}

function showPath(path: string): string {
  return path.length > shownChars ? `${path.slice(0, shownChars)}…` : path;
}
