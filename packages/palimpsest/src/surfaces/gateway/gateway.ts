import type { Clock, ProjectStores } from "@palimpsest/core/spec";
import type { GatewayEvent } from "./gateway-event.ts";
import type { GatewayLimits } from "./guard/gateway-limits.ts";
import type { GatewayStatus } from "./status/gateway-status.ts";

export interface GatewayOptions {
  /** A free port when absent or 0. It listens on this machine only. */
  readonly port?: number;
  /**
   * Where requests go, without `/v1`, those for unknown paths too. When absent, each goes to the server of the provider that
   * its path and headers name, and what names none is refused. Nothing that is sent changes it.
   */
  readonly upstream?: string;
  /** The same for OpenAI's paths alone; `upstream` when absent. Beside another `upstream`, unknown paths are refused. */
  readonly openaiUpstream?: string;
  /** The data root; `PALIMPSEST_HOME` and its defaults when absent. */
  readonly home?: string;
  /** Where projects are stored; files below the data root when absent. Not closed by the gateway. */
  readonly stores?: ProjectStores;
  /** The project that sessions belong to; the process's folder when absent. */
  readonly cwd?: string;
  /** Nothing is rewritten: sessions are recorded, and the status says what would be done. */
  readonly isObserving?: boolean;
  /** Who sums up: the scribe, or the model of the request, with its key. */
  readonly compactBy?: "scribe" | "model";
  /** What clients have to show the gateway itself. */
  readonly token?: string;
  readonly limits?: Partial<GatewayLimits>;
  readonly clock?: Clock;
  /** Hears what happens. What it throws is dropped. */
  readonly onEvent?: (event: GatewayEvent) => void;
}

/** A server between agents and their model's provider. */
export interface Gateway {
  /** What to give a client as its base URL. */
  readonly url: string;
  readonly port: number;
  status(): GatewayStatus;
  /** Resolves once no request is under way and everything is recorded. */
  idle(): Promise<void>;
  /** Ends every connection and closes every session. */
  close(): Promise<void>;
}
