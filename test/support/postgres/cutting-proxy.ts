import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** What stands between clients and a server: an address that stays, and connections that do not. */
export interface CuttingProxy {
  readonly url: string;
  /** How many connections go through now. */
  readonly open: number;
  /** How many connections it has not taken so far. */
  readonly refused: number;
  /** Hangs up on everyone, at once. */
  cut(): number;
  /** The next answers of the server never arrive, and their connections end: what was asked is done all the same. */
  loseAnswers(count: number): void;
  /** From now on connections lead to another server, as after a failover; those there are end. */
  lead(toUrl: string): void;
  /** Takes no connections, until it is told to again. */
  setRefusing(isRefusing: boolean): void;
  close(): Promise<void>;
}

export async function startCuttingProxy(serverUrl: string): Promise<CuttingProxy> {
  let target = new URL(serverUrl);
  let isRefusing = false;
  let answersToLose = 0;
  let refused = 0;
  const pairs = new Set<{ readonly client: Socket; readonly server: Socket }>();

  const proxy = createServer({ noDelay: true }, (client) => {
    client.on("error", () => undefined);
    if (isRefusing) {
      refused += 1;
      return void client.destroy();
    }
    const server = connect({ port: Number(target.port), host: target.hostname, noDelay: true });
    server.on("error", () => undefined);
    const pair = { client, server };
    pairs.add(pair);
    let isStarted = false;
    const end = () => {
      pairs.delete(pair);
      client.destroy();
      server.destroy();
    };
    client.once("close", end);
    server.once("close", end);
    client.on("data", (bytes) => server.write(bytes));
    server.on("data", (bytes) => {
      // The greeting is no answer to anything that was asked.
      if (answersToLose > 0 && isStarted) {
        answersToLose -= 1;
        return end();
      }
      isStarted ||= isReady(bytes);
      client.write(bytes);
    });
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const { port } = proxy.address() as AddressInfo;

  function cut(): number {
    const all = [...pairs];
    for (const { client, server } of all) {
      client.destroy();
      server.destroy();
    }
    return all.length;
  }

  return {
    get url() {
      const url = new URL(serverUrl);
      url.port = String(port);
      return url.href;
    },
    get open() {
      return pairs.size;
    },
    get refused() {
      return refused;
    },
    cut,
    loseAnswers(count) {
      answersToLose = count;
    },
    lead(toUrl) {
      target = new URL(toUrl);
      cut();
    },
    setRefusing(next) {
      isRefusing = next;
    },
    async close() {
      const closed = once(proxy, "close");
      proxy.close();
      cut();
      await closed;
    },
  };
}

/** A greeting ends with the server's word that it is ready and in no transaction. */
function isReady(bytes: Buffer): boolean {
  return bytes.subarray(-6).equals(Buffer.from([0x5a, 0, 0, 0, 5, 0x49]));
}
