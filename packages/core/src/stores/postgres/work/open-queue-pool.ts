import type { Pool, PoolClient } from "pg";
import { databaseDefaults } from "../database.ts";
import type { Pg } from "../load-pg.ts";

type Taken = (error: Error | undefined, client: PoolClient | undefined, release: Release) => void;
type Release = (error?: boolean | Error) => void;

/**
 * The queue's connections. Where a server goes away while a worker ends, the queue gives back the connection it listens
 * on twice; the second time would end the process, and is not heard here.
 */
export function openQueuePool({ Pool: PlainPool }: Pg, url: string, maxConnections: number): Pool {
  class QueuePool extends PlainPool {
    override connect(): Promise<PoolClient>;
    override connect(taken: Taken): void;
    override connect(taken?: Taken): Promise<PoolClient> | undefined {
      if (!taken) return super.connect();
      super.connect((error, client, release) => taken(error, client, onlyOnce(release)));
      return undefined;
    }
  }
  const pool = new QueuePool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: databaseDefaults.connectMs,
    keepAlive: true,
    application_name: "palimpsest worker",
  });
  pool.on("connect", (client) => client.on("error", () => undefined));
  pool.on("error", () => undefined);
  return pool;
}

/** Where there is no connection to give back, none is given back. */
function onlyOnce(release: Release | undefined): Release {
  let isReleased = false;
  return (error) => {
    if (!isReleased) release?.(error);
    isReleased = true;
  };
}
