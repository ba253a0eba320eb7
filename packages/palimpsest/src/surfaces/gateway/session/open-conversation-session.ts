import { openSession as openContext } from "@palimpsest/core";
import { layerSettings } from "@palimpsest/core/internal";
import {
  type Clock,
  type Event,
  fail,
  type Model,
  type ProjectStore,
  type Session,
  type Settings,
} from "@palimpsest/core/spec";
import type { ReadParts, RelayPort } from "../keep-warm/create-conversation-warmth.ts";
import type { ProtocolName } from "../protocol/protocol.ts";
import type { ConversationHead } from "./conversation.ts";
import { conversationSettings } from "./conversation-settings.ts";
import { gatewayLayers } from "./gateway-layers.ts";

/** Where conversations live, and what is the same for all of them. */
export interface ConversationLocation {
  readonly store: ProjectStore;
  readonly home: string;
  readonly cwd: string;
  /** The program's settings: stronger than those of files, weaker than what the provider is known to do. */
  readonly settings: Settings;
  readonly clock: Clock;
  /** The settings of the gateway, by which the cache is kept warm; absent where nothing is read for that. */
  readonly warmBy?: Settings;
  readonly reads: ReadParts;
  readonly onEvent?: (event: Event) => void;
  readonly isBound: (model: string) => boolean;
}

interface SessionIdentity {
  readonly id: string;
  readonly protocol: ProtocolName;
  /** Says what of it is read again. */
  readonly port: RelayPort;
}

/** Opens or begins the session of a conversation, with the head that its newest request has. */
export async function openConversationSession(
  location: ConversationLocation,
  { id, protocol, port }: SessionIdentity,
  current: () => ConversationHead,
  resume: boolean,
): Promise<Session> {
  const { store, home, cwd, clock, warmBy, onEvent } = location;
  const { model, system, tools, fields, asked, cacheTtl } = current();
  const settings = layerSettings(location.settings, conversationSettings(protocol, current(), warmBy));
  const options = {
    id,
    system,
    tools: tools.filter(({ name }, at) => tools.findIndex((tool) => tool.name === name) === at),
    request: fields,
    // The client has the last word on what it sends back.
    keepsUnknownBlocks: true,
    store,
    home,
    cwd,
    settings,
    keepsSettings: false,
    // Its results are the client's, which sends the same again.
    secrets: false as const,
    clock,
    ...(warmBy && cacheTtl && { relay: port }),
    ...(resume && { resume }),
    ...(onEvent && { onEvent }),
    layers: gatewayLayers(),
  };
  if (!asked) return openContext({ ...options, model });
  const { openSession } = await import("../../../loop/open-session.ts");
  return openSession({ ...options, isAgent: true, model: askedModel(model, current) });
}

/** The model of a conversation, as its newest request reaches it. */
function askedModel(name: string, current: () => ConversationHead): Model {
  return {
    name,
    async *stream(request, signal) {
      const model = await current().asked?.();
      if (model) yield* model.stream(request, signal);
      else yield fail("no-model", "Nobody can be asked: no request is under way.");
    },
  };
}
