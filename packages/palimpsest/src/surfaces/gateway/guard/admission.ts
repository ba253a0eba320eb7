import type { GatewayLimits } from "./gateway-limits.ts";

export type AdmissionLimits = Pick<
  GatewayLimits,
  "connections" | "requests" | "requestsPerConnection" | "heldBytes"
>;

/** A request that is let in, and what it takes up. */
export interface AdmittedRequest {
  /** More of its body is there. False where there is no room for it. */
  hold(bytes: number): boolean;
  /** All of its body is there: from now on it is not sent away for another. */
  complete(): void;
  /** It is over: what it took up is free. */
  end(): void;
}

/**
 * How many clients are there at once, and how much of them is kept. Where there is no room, those go first that keep others
 * waiting without having asked anything: connections on which no request is under way, the one that is so for the longest
 * time first, then requests whose body is still coming. What was asked in full is never sent away.
 */
export interface Admission<Connection extends object> {
  open(connection: Connection): void;
  close(connection: Connection): void;
  /** Null where there is no room for one more. */
  begin(connection: Connection): AdmittedRequest | null;
}

interface HeldConnection<Connection> {
  readonly connection: Connection;
  bytes: number;
}

export function createAdmission<Connection extends object>(
  limits: AdmissionLimits,
  sendAway: (connection: Connection) => void,
): Admission<Connection> {
  const quiet = new Set<Connection>();
  const busy = new Map<Connection, Set<HeldConnection<Connection>>>();
  /** Requests whose body is still coming, in the order they began. */
  const incomplete = new Set<HeldConnection<Connection>>();
  let requests = 0;
  let heldBytes = 0;

  function end(held: HeldConnection<Connection>): void {
    const own = busy.get(held.connection);
    if (!own?.delete(held)) return;
    requests -= 1;
    heldBytes -= held.bytes;
    incomplete.delete(held);
    if (own.size > 0) return;
    busy.delete(held.connection);
    quiet.add(held.connection);
  }

  function close(connection: Connection): void {
    for (const held of [...(busy.get(connection) ?? [])]) end(held);
    quiet.delete(connection);
  }

  /** Whether there was one to send away besides those of this connection. */
  function makeRoom(connection: Connection): boolean {
    for (const held of incomplete) {
      if (held.connection === connection) continue;
      close(held.connection);
      sendAway(held.connection);
      return true;
    }
    return false;
  }

  return {
    open(connection) {
      quiet.add(connection);
      if (quiet.size + busy.size <= limits.connections) return;
      const [longest] = quiet;
      if (longest === undefined) return;
      close(longest);
      sendAway(longest);
    },
    close,
    begin(connection) {
      const own = busy.get(connection) ?? new Set();
      if (own.size >= limits.requestsPerConnection) return null;
      if (requests >= limits.requests && !makeRoom(connection)) return null;
      const held = { connection, bytes: 0 };
      quiet.delete(connection);
      busy.set(connection, own.add(held));
      incomplete.add(held);
      requests += 1;
      return {
        hold(bytes) {
          if (!own.has(held)) return false;
          held.bytes += bytes;
          heldBytes += bytes;
          while (heldBytes > limits.heldBytes) if (!makeRoom(connection)) return false;
          return true;
        },
        complete: () => void incomplete.delete(held),
        end: () => end(held),
      };
    },
  };
}
