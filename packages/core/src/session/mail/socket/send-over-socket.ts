import { connect, type Socket } from "node:net";
import { isLogId, mailNumbers } from "../../../layers/7-agents/mail/rules/index.ts";
import {
  type Clock,
  type ErrorCode,
  fail,
  type Ids,
  type Mail,
  ok,
  type Result,
} from "../../../spec/index.ts";
import {
  checkOwned,
  locationOfSocket,
  readToken,
  type SocketLocation,
  socketLocation,
} from "./check-location.ts";
import { patienceMs } from "./listen-for-mail.ts";
import { createSocketLines, isProof, proofOf } from "./socket-lines.ts";

export interface SocketSenderOptions {
  /** Where the sockets and tokens of this user's sessions are. */
  readonly folder: string;
  readonly owner: number;
  readonly ids: Ids;
  readonly clock: Clock;
}

/** Hands a mail to the session that listens at a path, and gives that session's id once it has accepted it. */
export function createSocketSender(options: SocketSenderOptions) {
  return async (path: string, mail: Omit<Mail, "to">): Promise<Result<string>> => {
    const location = locationOfSocket(path);
    if (location === null || location.folder !== options.folder)
      return fail("permission", `${path} is not a socket of this user's sessions.`, {
        path,
        fix: `Name a socket in ${options.folder}.`,
      });
    const trusted = await checkLocation(location, options.owner);
    if (!trusted.ok) return trusted.error.code === "not-found" ? nobodyAt(path) : trusted;
    const socket = await connectTo(path);
    if (!socket.ok) return socket;
    const over = new AbortController();
    void options.clock.sleep(patienceMs, over.signal).then(() => socket.value.destroy());
    try {
      return await converse(socket.value, mail, location, options);
    } finally {
      over.abort();
      socket.value.destroy();
    }
  };
}

async function checkLocation({ folder, socket }: SocketLocation, owner: number): Promise<Result<void>> {
  const checked = await checkOwned(folder, { kind: "folder", mode: 0o700 }, owner);
  return checked.ok ? checkOwned(socket, { kind: "socket", mode: 0o600 }, owner) : checked;
}

function connectTo(path: string): Promise<Result<Socket>> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => resolve(ok(socket)));
    socket.on("error", () => resolve(nobodyAt(path)));
  });
}

async function converse(
  socket: Socket,
  { id, from: sender, at, body }: Omit<Mail, "to">,
  location: SocketLocation,
  { folder, owner, ids }: SocketSenderOptions,
): Promise<Result<string>> {
  const lines = createSocketLines(socket, mailNumbers.maxMailBytes);
  const hello = await lines.hear();
  if (!hello.ok) return hello;
  const { id: listener, nonce: listenerNonce } = hello.value;
  if (typeof listener !== "string" || !isLogId(listener) || typeof listenerNonce !== "string")
    return refuseUnproven(location.socket);
  const own = await readToken(socketLocation(folder, sender), owner);
  if (!own.ok) return own;
  const greeting = { listener, listenerNonce, sender, senderNonce: ids.next("nonce") };
  lines.say({ from: sender, nonce: greeting.senderNonce, proof: proofOf(own.value, "sender", greeting) });
  const answer = await lines.hear();
  if (!answer.ok) return answer;
  if (answer.value.ok === false) return refusal(answer.value);
  const theirs = await readToken(location, owner);
  if (!theirs.ok) return theirs;
  if (!isProof(answer.value.proof, proofOf(theirs.value, "listener", greeting)))
    return refuseUnproven(location.socket);
  lines.say({ id, at, body });
  const outcome = await lines.hear();
  if (!outcome.ok) return outcome;
  return outcome.value.ok === true ? ok(listener) : refusal(outcome.value);
}

/** Codes that a listener may answer with; any other is a failure of its own. */
const knownCodes: ReadonlySet<string> = new Set<ErrorCode>([
  "disk-full",
  "invalid-input",
  "too-large",
  "unauthenticated",
]);

function refusal({ code, message, retryable }: Readonly<Record<string, unknown>>): Result<never> {
  const known = typeof code === "string" && knownCodes.has(code) ? (code as ErrorCode) : "server-error";
  return fail(known, `The receiver has not taken the mail: ${String(message).slice(0, 500)}`, {
    retryable: retryable === true,
    fix: "Correct the message, or send it again later.",
  });
}

function nobodyAt(path: string): Result<never> {
  return fail("disconnected", `Nobody listens at ${path}.`, {
    path,
    fix: "Open the session, or write to session:<id>.",
    retryable: true,
  });
}

function refuseUnproven(path: string): Result<never> {
  return fail("unauthenticated", `Who listens at ${path} has not proven to be a session of this user.`, {
    path,
    fix: "Close the session and open it again.",
  });
}
