import { createServer, type Socket } from "node:net";
import { isLogId, mailNumbers } from "../../../layers/7-agents/mail/rules/index.ts";
import {
  type Clock,
  fail,
  type Ids,
  type Mail,
  ok,
  type PalimpsestError,
  type Result,
} from "../../../spec/index.ts";
import { diskFailure } from "../../../stores/files/disk/disk-failure.ts";
import {
  checkOwned,
  closeSocketMode,
  prepareLocation,
  readToken,
  removeToken,
  type SocketLocation,
  socketLocation,
} from "./check-location.ts";
import { createSocketLines, isProof, proofOf, type SocketLines } from "./socket-lines.ts";

export interface ListenOptions {
  readonly location: SocketLocation;
  /** The session's log id. */
  readonly id: string;
  /** The user's number: what is not theirs is not trusted. */
  readonly owner: number;
  readonly ids: Ids;
  readonly clock: Clock;
  /** Keeps a mail; the sender hears that it is accepted only when this has succeeded. */
  readonly accept: (mail: Mail) => Promise<Result<void>>;
}

export interface MailListener {
  readonly path: string;
  close(): Promise<void>;
}

/** How long a sender may take for its part of the conversation. */
export const patienceMs = 10_000;
const maxConnections = 64;

/** Listens for mail of other sessions. Who sends proves by its own token who it is; what it says of itself does not count. */
export async function listenForMail(options: ListenOptions): Promise<Result<MailListener>> {
  const { location, owner, ids } = options;
  const prepared = await prepareLocation(location, owner, ids);
  if (!prepared.ok) return prepared;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    void converse(socket, options);
  });
  server.maxConnections = maxConnections;
  const listening = await new Promise<Result<void>>((resolve) => {
    server.once("error", (cause) => resolve(diskFailure("listen at", location.socket, cause)));
    server.listen(location.socket, () => resolve(ok()));
  });
  if (!listening.ok) return listening;
  server.unref();
  const close = async () => {
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
    await removeToken(location);
  };
  const closed = await closeSocketMode(location.socket);
  const checked = closed.ok
    ? await checkOwned(location.socket, { kind: "socket", mode: 0o600 }, owner)
    : closed;
  if (!checked.ok) await close();
  return checked.ok ? ok({ path: location.socket, close }) : checked;
}

async function converse(socket: Socket, options: ListenOptions): Promise<void> {
  const over = new AbortController();
  socket.on("close", () => over.abort());
  void options.clock.sleep(patienceMs, over.signal).then(() => socket.destroy());
  const lines = createSocketLines(socket, mailNumbers.maxMailBytes * 2);
  const taken = await receive(lines, options);
  lines.say(taken.ok ? { ok: true } : { ok: false, ...toPlainError(taken.error) });
  socket.end();
}

async function receive(lines: SocketLines, options: ListenOptions): Promise<Result<void>> {
  const { id, ids, owner, location, accept } = options;
  const listenerNonce = ids.next("nonce");
  lines.say({ v: 1, id, nonce: listenerNonce });
  const hello = await lines.hear();
  if (!hello.ok) return hello;
  const { from: sender, nonce: senderNonce, proof } = hello.value;
  if (typeof sender !== "string" || !isLogId(sender) || typeof senderNonce !== "string")
    return refuseUnproven();
  const token = await readToken(socketLocation(location.folder, sender), owner);
  const greeting = { listener: id, listenerNonce, sender, senderNonce };
  if (!token.ok || !isProof(proof, proofOf(token.value, "sender", greeting))) return refuseUnproven();
  const own = await readToken(location, owner);
  if (!own.ok) return own;
  lines.say({ proof: proofOf(own.value, "listener", greeting) });
  const said = await lines.hear();
  if (!said.ok) return said;
  const { id: mailId, at, body = null } = said.value;
  if (typeof mailId !== "string" || typeof at !== "string")
    return fail("invalid-input", "A mail has an id and a time.");
  return accept({ id: mailId, from: sender, to: id, at, body });
}

function refuseUnproven(): Result<never> {
  return fail("unauthenticated", "The sender has not proven who it is.", {
    fix: "Send from an open session of the same user.",
  });
}

function toPlainError({ code, message, fix, retryable }: PalimpsestError): object {
  return { code, message, retryable, ...(fix !== undefined && { fix }) };
}
