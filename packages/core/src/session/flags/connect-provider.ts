import type { Client, Logger, OpenFeatureAPI, Provider } from "@openfeature/server-sdk";

export interface Connection {
  readonly client: Client;
  /** What the provider's set-up failed with. It may answer all the same. */
  readonly problem?: unknown;
}

/**
 * OpenFeature keeps every provider it was given, and sets it up once. So each has one domain of its own for the life of
 * the process, shared by all sessions it is given to, and is never closed here: it belongs to whoever made it.
 */
const connections = new WeakMap<Provider, Promise<Connection>>();
let domains = 0;

/** Binds a provider to a client through OpenFeature, which is loaded here and nowhere else. Rejects if it cannot be bound. */
export function connectProvider(provider: Provider): Promise<Connection> {
  const known = connections.get(provider);
  if (known) return known;
  const connection = bind(provider);
  connection.catch(ignore);
  connections.set(provider, connection);
  return connection;
}

async function bind(provider: Provider): Promise<Connection> {
  const { OpenFeature } = await import("@openfeature/server-sdk");
  const domain = freeDomain(OpenFeature);
  const problem = await OpenFeature.setProviderAndWait(domain, provider).then(
    () => undefined,
    (cause: unknown) => cause ?? "unknown",
  );
  if (OpenFeature.getProvider(domain) !== provider) throw problem ?? new TypeError("it is not a provider");
  const client = OpenFeature.getClient(domain).setLogger(silent);
  return { client, problem };
}

/** Another copy of the package in this process counts domains too, and taking one of its would close its provider. */
function freeDomain(api: OpenFeatureAPI): string {
  do domains += 1;
  while (api.getProvider(`palimpsest-${domains}`) !== api.getProvider());
  return `palimpsest-${domains}`;
}

/** Failures come back as data; nothing may write to a terminal that somebody is drawing on. */
const silent: Logger = { error: ignore, warn: ignore, info: ignore, debug: ignore };

function ignore(): void {}
