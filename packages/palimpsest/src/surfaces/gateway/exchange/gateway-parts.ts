import type { Catalog } from "@palimpsest/core/internal";
import type { Clock } from "@palimpsest/core/spec";
import type { GatewayEvent } from "../gateway-event.ts";
import type { GatewayLimits } from "../guard/gateway-limits.ts";
import type { Agents } from "../relay/ask-upstream.ts";
import type { Upstreams } from "../relay/upstreams.ts";
import type { Conversations } from "../session/conversations.ts";
import type { LearnedWindows } from "./learned-windows.ts";

/** What all requests share. */
export interface GatewayParts {
  readonly upstreams: Upstreams;
  readonly agents: Agents;
  readonly limits: GatewayLimits;
  readonly clock: Clock;
  readonly token?: string;
  readonly isObserving: boolean;
  readonly compactBy: "scribe" | "model";
  readonly catalog: Catalog;
  readonly windows: LearnedWindows;
  readonly conversations: Conversations;
  emit(event: GatewayEvent): void;
}
