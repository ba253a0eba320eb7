import type { InspectedSession, InspectorSource, ItemText } from "../inspected.ts";
import { InspectorError } from "./inspector-error.ts";

/** The page's access to the network: the browser's own, or a test's. */
export interface Network {
  fetch(url: string): Promise<Pick<Response, "ok" | "status" | "json">>;
  /** Calls back for every event; the answer ends it. */
  listen(url: string, onEvent: () => void): () => void;
}

/** More would make an address too long. */
const textsAtOnce = 200;

/** Reads from the server that the page came from. */
export function createServerSource(network: Network): InspectorSource {
  const generations = new Map<string, number>();
  const ask = <Answer>(url: string) => askServer<Answer>(network, url);
  const at = (id: string) => `api/sessions/${encodeURIComponent(id)}`;
  return {
    isLive: true,
    sessions: () => ask("api/sessions"),
    session: async (id, from = { request: 0, item: 0, mark: 0 }) => {
      const session = await ask<InspectedSession>(`${at(id)}?${sessionQuery(from, generations.get(id))}`);
      generations.set(id, session.generation);
      return session;
    },
    texts: async (id, items) => {
      const parts: (readonly ItemText[])[] = [];
      for (let from = 0; from < items.length; from += textsAtOnce)
        parts.push(await ask(`${at(id)}/texts?items=${items.slice(from, from + textsAtOnce).join(",")}`));
      return parts.flat();
    },
    policies: () => ask("api/policies"),
    whatIf: (id, policy) => ask(`${at(id)}/what-if?policy=${encodeURIComponent(policy)}`),
    memories: () => ask("api/memories"),
    memory: (path) => ask(`api/memory?path=${encodeURIComponent(path)}`),
    watch: (id, onChange) => network.listen(`${at(id)}/watch`, onChange),
  };
}

/** The generation is that of the last answer; a first request has none. */
function sessionQuery(from: InspectedSession["from"], generation: number | undefined): string {
  const query = new URLSearchParams({
    request: String(from.request),
    item: String(from.item),
    mark: String(from.mark),
  });
  if (generation !== undefined) query.set("generation", String(generation));
  return query.toString();
}

async function askServer<Answer>(network: Network, url: string): Promise<Answer> {
  const response = await network.fetch(url).catch(() => {
    throw new InspectorError({
      message: "The inspector does not answer.",
      fix: "Start `palimpsest inspect` again and open the address it prints.",
    });
  });
  const answer: unknown = await response.json().catch(() => ({}));
  if (response.ok) return answer as Answer;
  const { message, fix } = answer as { readonly message?: unknown; readonly fix?: unknown };
  throw new InspectorError({
    message: typeof message === "string" ? message : `The inspector answered with status ${response.status}.`,
    ...(typeof fix === "string" ? { fix } : {}),
  });
}
