import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { framesOf } from "./wire-frames.ts";

/**
 * A pooler in transaction mode: a client has a connection of the server's only from the first word of a transaction to
 * its end, and each transaction gets another one than the last. What a session would remember (settings, locks, LISTEN,
 * prepared statements) is lost on the way, as it is with pgbouncer, which is not to be had from npm.
 */
export interface TransactionPooler {
  readonly url: string;
  /** Transactions that came through. */
  readonly transactions: number;
  /** Connections of the server's that were used. */
  readonly backends: number;
  close(): Promise<void>;
}

interface Backend {
  readonly socket: Socket;
  client: Socket | null;
}

const startupVersion = 196_608;
const tlsRequest = 80_877_103;
const allowed = new Set(["user", "database", "application_name", "client_encoding"]);

const message = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5);
  head.write(type, "latin1");
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const zeroEnded = (...texts: readonly string[]): Buffer =>
  Buffer.from(texts.map((text) => `${text}\0`).join(""));
const ready = message("Z", Buffer.from("I"));
const isReady = (frame: Buffer): boolean => frame[0] === 0x5a && frame[5] === 0x49;

const greeting = Buffer.concat([
  message("R", int32(0)),
  ...[
    ["server_version", "18.4"],
    ["client_encoding", "UTF8"],
    ["standard_conforming_strings", "on"],
    ["integer_datetimes", "on"],
  ].map((pair) => message("S", zeroEnded(...pair))),
  ready,
]);

const complaint = (text: string): Buffer =>
  message("E", Buffer.concat([zeroEnded("SFATAL", "C08P01", `M${text}`), Buffer.from([0])]));

export async function startTransactionPooler(serverUrl: string, size = 4): Promise<TransactionPooler> {
  const target = new URL(serverUrl);
  const idle: Backend[] = [];
  const waiting: ((backend: Backend) => void)[] = [];
  const sockets = new Set<Socket>();
  let transactions = 0;

  function release(backend: Backend): void {
    backend.client = null;
    const next = waiting.shift();
    if (next) next(backend);
    else idle.push(backend);
  }

  async function openBackend(): Promise<Backend> {
    const socket = connect({ port: Number(target.port), host: target.hostname, noDelay: true });
    sockets.add(socket);
    socket.on("error", () => undefined);
    await once(socket, "connect");
    const pairs = zeroEnded("user", target.username, "database", target.pathname.slice(1), "");
    socket.write(Buffer.concat([int32(pairs.length + 8), int32(startupVersion), pairs]));
    const backend: Backend = { socket, client: null };
    const frames = framesOf();
    await new Promise<void>((resolve) => {
      socket.on("data", (bytes) => {
        for (const frame of frames(bytes)) {
          if (backend.client) backend.client.write(frame);
          if (!isReady(frame)) continue;
          if (backend.client) {
            transactions += 1;
            release(backend);
          } else resolve();
        }
      });
    });
    return backend;
  }

  function take(): Promise<Backend> {
    const backend = idle.shift();
    return backend ? Promise.resolve(backend) : new Promise((resolve) => waiting.push(resolve));
  }

  function serve(client: Socket): void {
    sockets.add(client);
    let isStarted = false;
    let mine: Promise<Backend> | null = null;
    client.on("error", () => undefined).once("close", () => sockets.delete(client));
    client.on("data", async (bytes) => {
      if (!isStarted) {
        if (bytes.readInt32BE(4) === tlsRequest) return void client.write("N");
        const unknown = startupNames(bytes).find((name) => !allowed.has(name));
        if (unknown) return void client.end(complaint(`unsupported startup parameter: ${unknown}`));
        isStarted = true;
        return void client.write(greeting);
      }
      if (bytes[0] === 0x58) return void client.end();
      mine ??= take().then((backend) => {
        backend.client = client;
        return backend;
      });
      const backend = await mine;
      if (backend.client !== client) {
        // The transaction before has ended: this is the next one.
        mine = take().then((next) => {
          next.client = client;
          return next;
        });
        (await mine).socket.write(bytes);
        return;
      }
      backend.socket.write(bytes);
    });
  }

  const backends = await Promise.all(Array.from({ length: size }, openBackend));
  idle.push(...backends);
  // Frames are small, and each is waited for.
  const server = createServer({ noDelay: true }, serve);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    get url() {
      const url = new URL(serverUrl);
      url.port = String(port);
      return url.href;
    },
    get transactions() {
      return transactions;
    },
    get backends() {
      return backends.length;
    },
    async close() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function startupNames(bytes: Buffer): readonly string[] {
  const texts = bytes.toString("utf8", 8).split("\0");
  return texts.filter((text, at) => at % 2 === 0 && text !== "");
}
