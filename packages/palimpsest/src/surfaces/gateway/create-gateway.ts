import { once } from "node:events";
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { version } from "@palimpsest/core";
import { createCatalog } from "@palimpsest/core/catalog";
import { createRuntime, keepWarmOf, loadSettings } from "@palimpsest/core/internal";
import { type Event, PalimpsestError, type Result } from "@palimpsest/core/spec";
import { createNodeDisk, dataRoot, openFileStores, projectSlug } from "@palimpsest/core/stores/files";
import { openDayLimit } from "../../loop/with-day-budget.ts";
import type { GatewayParts } from "./exchange/exchange.ts";
import { createLearnedWindows } from "./exchange/learned-windows.ts";
import { countsOf, type Gateway, type GatewayEvent, type GatewayOptions } from "./gateway.ts";
import { gatewayLimits } from "./guard/gateway-limits.ts";
import type { ReadParts } from "./keep-warm/create-conversation-warmth.ts";
import { toUpstreams } from "./relay/upstreams.ts";
import { createGatewayServer } from "./server/create-gateway-server.ts";
import { createConversations } from "./session/create-conversations.ts";
import { openHeadFiles } from "./session/head-files.ts";
import { openConversation } from "./session/open-conversation.ts";
import { createStatusTally, type GatewayStatus, toSessionStatus } from "./status/gateway-status.ts";

/** Connections to one provider that are kept, and how many there may be: as many as clients may have. */
const keptSockets = 64;
const backlog = 512;
const host = "127.0.0.1";

/** Starts a gateway. Throws a `PalimpsestError` where it cannot listen, or what it was given cannot be meant. */
export async function createGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const { port = 0, upstream, isObserving = false, token, onEvent } = options;
  const runtime = createRuntime();
  const clock = options.clock ?? runtime.clock;
  const cwd = resolve(options.cwd ?? runtime.workingFolder());
  const home = resolve(options.home ?? dataRoot(runtime.environment, runtime.homeFolder));
  const limits = { ...gatewayLimits, ...options.limits };
  const upstreams = toUpstreams(upstream, options.openaiUpstream);
  const disk = createNodeDisk();
  const stores = options.stores ?? (await openFileStores(home));
  const store = stores.store(must(await projectSlug(disk, cwd)));
  const given = options.settings ?? {};
  const { environment } = runtime;
  const files = { disk, home, project: cwd };
  const { settings } = must(await loadSettings({ ...files, environment, options: given }));
  const catalog = createCatalog(settings.catalog);
  const heads = await openHeadFiles(join(home, "projects", store.project, "gateway"));
  const tally = createStatusTally();
  const isBound = (model: string) => catalog.capabilities(model).value.prefixBoundThinking;
  const emit = (event: GatewayEvent) => {
    tally.see(event);
    try {
      onEvent?.(event);
    } catch {
      // A listener cannot harm a gateway.
    }
  };
  const keepsWarm = keepWarmOf(settings).enabled && !isObserving;
  const reading = new Set<Promise<unknown>>();
  const reads: ReadParts = {
    dayLimit: openDayLimit({ settings, store, home, disk, clock, ids: runtime.ids }),
    track(read) {
      const tracked = read.finally(() => reading.delete(tracked));
      reading.add(tracked);
      return tracked;
    },
  };
  const location = {
    store,
    home,
    cwd,
    settings: given,
    clock,
    isBound,
    ...(keepsWarm && { warmBy: settings }),
    reads,
    onEvent: reportSession(emit),
  };
  const conversations = createConversations({
    ids: runtime.ids,
    heads,
    openConversation: (input) => openConversation(location, input),
    maxOpen: limits.openConversations,
  });
  const agentOptions = { keepAlive: true, maxFreeSockets: keptSockets, noDelay: true };
  const agents = { http: new HttpAgent(agentOptions), https: new HttpsAgent(agentOptions) };
  const parts: GatewayParts = {
    upstreams,
    agents,
    limits,
    clock,
    isObserving,
    keepsWarm,
    compactBy: options.compactBy ?? "scribe",
    catalog,
    windows: createLearnedWindows(catalog),
    conversations,
    emit,
    ...(token !== undefined && { token }),
  };
  const startedAt = new Date(clock.now()).toISOString();
  const status = (): GatewayStatus => ({
    name: "palimpsest gateway",
    version,
    mode: isObserving ? "observe" : "manage",
    upstreams: { anthropic: upstreams.anthropic.url, openai: upstreams.openai.url },
    startedAt,
    ...tally.read(),
    isKeepingWarm: keepsWarm,
    sessions: conversations.open().map(toSessionStatus),
  });
  const { server, idle } = createGatewayServer(parts, status);
  server.listen({ host, port, backlog });
  await once(server, "listening").catch((cause: NodeJS.ErrnoException) => {
    throw cannotListen(port, cause);
  });
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${taken}`,
    port: taken,
    status,
    async idle() {
      await idle();
      while (reading.size > 0) await Promise.all(reading);
    },
    async close() {
      const closed = server.listening ? once(server, "close") : undefined;
      server.close();
      server.closeAllConnections();
      await closed;
      await idle();
      await conversations.close();
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

/** Passes on what a session stores of a prompt, without what is said in it, and how it is kept warm. */
function reportSession(emit: (event: GatewayEvent) => void): (event: Event) => void {
  return (event) => {
    const { session } = event;
    if (event.type === "prompt-offload") {
      const { type, block, bytes, lines } = event;
      emit({ type, session, block, bytes, lines });
    } else if (event.type === "keep-warm") {
      const { type, isHit, dollars, reads, usage } = event;
      emit({ type, session, isHit, dollars, reads, ...countsOf(usage) });
    } else if (event.type === "warming-end") emit({ type: event.type, session, reason: event.reason });
  };
}

function must<Value>(result: Result<Value>): Value {
  if (!result.ok) throw result.error;
  return result.value;
}

function cannotListen(port: number, cause: NodeJS.ErrnoException): PalimpsestError {
  const isTaken = cause.code === "EADDRINUSE";
  const reason = isTaken ? "another program uses it" : cause.message;
  return new PalimpsestError("io", `Cannot listen on ${host}, port ${port}: ${reason}.`, {
    fix: isTaken ? "Choose another port, or 0 for a free one." : "Choose another port.",
    cause,
  });
}
